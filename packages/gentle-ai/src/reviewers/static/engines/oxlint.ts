// Wrong code and broken syntax in JavaScript and TypeScript. The linter is a program: it gets our configuration, our
// file names and an empty folder, so nothing of the candidate but its text can reach it.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { extensionOf } from "../../../contract/paths.ts";
import { OXLINT_PLUGINS, OXLINT_RULES } from "../oxlint-rules.ts";
import type { EngineAnswer, EngineFile, EngineRequest, Hit } from "../protocol.ts";
import { lineFinder, loaded, nameAndVersion } from "./load.ts";

const NAME = "oxlint";
/** Only ignore and no-check hide errors; the others are good practice. */
const TS_COMMENTS = { "ts-ignore": true, "ts-nocheck": true, "ts-expect-error": false, "ts-check": false };

const CONFIG = {
	plugins: OXLINT_PLUGINS,
	categories: { correctness: "off" },
	rules: Object.fromEntries(
		OXLINT_RULES.map(({ linter }) => [linter, linter.endsWith("/ban-ts-comment") ? ["warn", TS_COMMENTS] : "warn"]),
	),
};

type Diagnostic = {
	/** `<plug-in>(<rule>)`; absent when the file could not be parsed. */
	readonly code?: string;
	readonly filename: string;
	readonly labels: readonly { readonly span: { readonly offset: number } }[];
};
type Report = { readonly number_of_files: number; readonly diagnostics: readonly Diagnostic[] };

function isDiagnostic(value: unknown): value is Diagnostic {
	const { code, filename, labels } = Object(value);
	const placed = Array.isArray(labels) && labels.every((label) => Number.isSafeInteger(label?.span?.offset));
	return placed && typeof filename === "string" && (code === undefined || typeof code === "string");
}

function isReport(value: unknown): value is Report {
	const { number_of_files, diagnostics } = Object(value);
	return Number.isSafeInteger(number_of_files) && Array.isArray(diagnostics) && diagnostics.every(isDiagnostic);
}

function isDeclarationFile(file: EngineFile): boolean {
	return /\.d\.[cm]?ts$/.test(file.path);
}

/** Our own name with the extension that decides the grammar; the linter knows test files by their name. */
function safeName(file: EngineFile): string {
	const known = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"];
	const extension = known.find((one) => one === extensionOf(file.path)) ?? ".js";
	// A declaration file has a grammar of its own.
	if (isDeclarationFile(file)) return `f${file.id}.d${extension}`;
	return `f${file.id}${file.test ? ".test" : ""}${extension}`;
}

function runLinter(program: string, folder: string): Promise<string> {
	const args = [program, "-c", "../config.json", "-f", "json", "--no-ignore", "--disable-nested-config", "."];
	const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
		child.on("error", reject);
		child.on("close", (code) => {
			// 1 says that something was found.
			if (code === 0 || code === 1) resolve(Buffer.concat(chunks).toString("utf8"));
			else reject(new Error(`the linter ended with ${code}`));
		});
	});
}

const LITERAL = /^=\s*(?:true|false|null|undefined|NaN|-?[\d.][\w.]*|"[^"]*"|'[^']*')\s*(?:\)|&&|\|\||\?|$)/;

/** `if (a = 1)` is a slip for certain; `while (m = next())` and `if (found = map.get(k))` are idioms to some. */
function assignsLiteral(bytes: Buffer, offset: number): boolean {
	return LITERAL.test(
		bytes
			.subarray(offset, offset + 200)
			.toString("utf8")
			.split("\n", 1)[0] ?? "",
	);
}

function hitOf(
	diagnostic: Diagnostic,
	file: EngineFile,
	bytes: Buffer,
	lineAt: (offset: number) => number,
): Hit | undefined {
	const offsets = diagnostic.labels.map(({ span }) => span.offset);
	// Where two places belong together (two equal keys), the later one is the mistake.
	const places = [...new Set(offsets.map(lineAt))].sort((left, right) => right - left);
	const [first = 1] = places;
	const lines = places.length === 0 ? [first] : places;
	const { code } = diagnostic;
	if (code === undefined || /^TS\(/.test(code)) {
		// Generated declarations break rules of the language that their compiler does not enforce.
		const certain = code === undefined && !isDeclarationFile(file);
		return { file: file.id, rule: "broken-syntax.parse", lines, key: [first, first], certain };
	}
	const linter = code.replace(/\((.*)\)$/, "/$1");
	const rule = OXLINT_RULES.find((one) => one.linter === linter);
	if (rule === undefined) return undefined;
	const certain = rule.linter !== "eslint/no-cond-assign" || assignsLiteral(bytes, offsets[0] ?? 0);
	return { file: file.id, rule: rule.id, lines, key: [first, first], certain };
}

function hitsOf(diagnostics: readonly Diagnostic[], file: EngineFile): Hit[] {
	const bytes = Buffer.from(file.text);
	const lineAt = lineFinder(bytes);
	const hits = diagnostics
		.map((diagnostic) => hitOf(diagnostic, file, bytes, lineAt))
		.filter((hit) => hit !== undefined);
	// Two plug-ins may say the same of one place.
	const seen = new Map(hits.map((hit) => [`${hit.rule}:${hit.lines.join()}`, hit]));
	return [...seen.values()];
}

/** Without a file to blame, a linter that fails is one whose native part does not load here. */
async function lint(program: string, folder: string, probing: boolean): Promise<unknown> {
	const report = async () => JSON.parse(await runLinter(program, folder));
	return probing ? loaded(NAME, report) : report();
}

export async function runOxlint(request: EngineRequest): Promise<EngineAnswer> {
	const manifest = await loaded(NAME, async () => createRequire(import.meta.url).resolve(`${NAME}/package.json`));
	const program = join(dirname(manifest), "bin", "oxlint");
	const folder = join(process.cwd(), "files");
	mkdirSync(folder, { mode: 0o700 });
	writeFileSync("config.json", JSON.stringify(CONFIG), { mode: 0o600 });
	// One file of ours shows that the linter starts here at all.
	writeFileSync(join(folder, "probe.js"), "export {};\n", { mode: 0o600 });
	for (const file of request.files) writeFileSync(join(folder, safeName(file)), file.text, { mode: 0o600 });
	const report = await lint(program, folder, request.files.length === 0);
	if (!isReport(report)) throw new Error("the linter's report is not as expected");
	if (report.number_of_files !== request.files.length + 1) throw new Error("the linter left files out");
	const byName = Map.groupBy(report.diagnostics, ({ filename }) => filename);
	const hits = request.files.flatMap((file) => hitsOf(byName.get(safeName(file)) ?? [], file));
	return { ok: true, version: nameAndVersion(NAME), rules: OXLINT_RULES.length, hits };
}
