// What a path alone says about risk. Every list of names and extensions of the risk rules is here.
import { baseName, extensionOf, pathSegments } from "../../contract/paths.ts";
import type { RiskSignal } from "../../contract/vocabulary.ts";

const SOURCE_EXTENSIONS = new Set(
	".c .cc .cpp .cs .go .h .hpp .java .js .jsx .kt .kts .php .py .rb .rs .sh .bash .zsh .ts .tsx".split(" "),
);
const SHELL_EXTENSIONS = new Set([".sh", ".bash", ".zsh"]);
const CONFIGURATION_EXTENSIONS = new Set(".json .yaml .yml .toml .ini .env".split(" "));
const CONFIGURATION_NAMES = new Set(
	"go.mod go.sum package.json package-lock.json pnpm-lock.yaml yarn.lock dockerfile makefile".split(" "),
);
const PROSE_EXTENSIONS = new Set([".md", ".rst", ".adoc"]);
/** Prose that agents obey is not passive. */
const INSTRUCTION_NAMES = new Set(
	"agents.md claude.md gemini.md kimi.md soul.md tools.md skill.md copilot-instructions.md".split(" "),
);
const OPERATIONAL_SEGMENTS = new Set(
	(
		".github .claude .codex .cursor .gemini .kiro .kilo .opencode .windsurf .agent .agents openspec runtime runtimes " +
		"agent agents command commands prompt prompts rule rules skill skills workflow workflows"
	).split(" "),
);
const OPERATIONAL_TOKENS = new Set(
	"agent agents skill skills prompt prompts instruction instructions orchestrator orchestrators workflow workflows".split(
		" ",
	),
);
const OPERATIONAL_NAME_TOKENS = new Set("command commands rule rules runtime runtimes".split(" "));
const NAME_EXEMPT_SEGMENTS = new Set("docs testdata fixture fixtures __fixtures__".split(" "));
const AUTHORITY_SOURCES = new Set(
	["compact", "transaction", "compact_store", "store", "compact_gate", "gate"].map(
		(name) => `internal/reviewtransaction/${name}.go`,
	),
);
const SIGNAL_TOKENS: readonly (readonly [string, RiskSignal])[] = [
	["auth", "auth"],
	["update", "update"],
	["security", "security"],
	["webhook", "security"],
	["payments", "payments"],
];

/** `testdata/golden/**` at any depth: generated, in the identity, not in the count. */
export function isGolden(path: string): boolean {
	const segments = pathSegments(path);
	return segments.some(
		(segment, index) => segment === "testdata" && segments[index + 1] === "golden" && index + 2 < segments.length,
	);
}

export function isSource(path: string): boolean {
	return SOURCE_EXTENSIONS.has(extensionOf(path));
}

export function isConfiguration(path: string): boolean {
	const name = baseName(path).toLowerCase();
	return (
		name === ".env" ||
		name.startsWith(".env.") ||
		CONFIGURATION_NAMES.has(name) ||
		CONFIGURATION_EXTENSIONS.has(extensionOf(path))
	);
}

function isReadme(path: string): boolean {
	return baseName(path).toLowerCase().startsWith("readme");
}

function inExemptFolder(path: string): boolean {
	return pathSegments(path).some((segment) => NAME_EXEMPT_SEGMENTS.has(segment.toLowerCase()));
}

/** May the name of this path fire `service_token` and `shell_source`? The caller adds what the bytes must be. */
export function isNameEligible(path: string): boolean {
	return !inExemptFolder(path) && !isReadme(path) && (isSource(path) || isConfiguration(path));
}

/** May the content of this path fire `process_boundary`? */
export function isScanEligible(path: string): boolean {
	return !inExemptFolder(path) && (isSource(path) || isConfiguration(path) || extensionOf(path) === ".txt");
}

export function isShellSource(path: string): boolean {
	if (SHELL_EXTENSIONS.has(extensionOf(path))) return true;
	return path.startsWith(".github/workflows/") && [".yml", ".yaml"].includes(extensionOf(path));
}

export function hotPathSignals(path: string): readonly RiskSignal[] {
	const tokens = new Set(path.toLowerCase().split(/[/\\.\-_]/));
	const signals = new Set<RiskSignal>(SIGNAL_TOKENS.filter(([token]) => tokens.has(token)).map(([, signal]) => signal));
	if (AUTHORITY_SOURCES.has(path)) signals.add("auth");
	return [...signals];
}

/** Some segment, without a source or configuration extension, has the adjacent words `service` and `token`. */
export function namesServiceToken(path: string): boolean {
	return pathSegments(path).some((segment) => {
		const extension = extensionOf(segment);
		const strip = SOURCE_EXTENSIONS.has(extension) || CONFIGURATION_EXTENSIONS.has(extension);
		const words = (strip ? segment.slice(0, -extension.length) : segment).toLowerCase().split(/[-_]/);
		return words.some((word, index) => word === "service" && words[index + 1] === "token");
	});
}

function stemTokens(segment: string): readonly string[] {
	const dot = segment.lastIndexOf(".");
	return (dot > 0 ? segment.slice(0, dot) : segment).toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

/** Can prose at this path be passive? Says nothing about its bytes and mode. */
export function isPassivePath(path: string, kind: "prose" | "mdx"): boolean {
	const extension = extensionOf(path);
	if (kind === "prose" ? !PROSE_EXTENSIONS.has(extension) : extension !== ".mdx") return false;
	if (isConfiguration(path) || INSTRUCTION_NAMES.has(baseName(path).toLowerCase())) return false;
	const segments = pathSegments(path).map((segment) => segment.toLowerCase());
	if (segments[0] === "internal" && ["runtime", "assets", "templates"].includes(segments[1] ?? "")) return false;
	if (segments.some((segment) => OPERATIONAL_SEGMENTS.has(segment))) return false;
	if (segments.some((segment) => stemTokens(segment).some((token) => OPERATIONAL_TOKENS.has(token)))) return false;
	return !stemTokens(baseName(path)).some((token) => OPERATIONAL_NAME_TOKENS.has(token));
}
