// Which language a file is in, which engines can judge it, and which paths are held to a shorter list of rules.
import { baseName, extensionOf, pathSegments } from "../../contract/paths.ts";
import type { EngineName } from "./protocol.ts";

const BY_EXTENSION: Readonly<Record<string, readonly string[]>> = {
	javascript: [".js", ".mjs", ".cjs", ".jsx"],
	typescript: [".ts", ".mts", ".cts"],
	tsx: [".tsx"],
	python: [".py", ".pyi", ".pyw"],
	go: [".go"],
	java: [".java"],
	bash: [".sh", ".bash", ".ksh", ".zsh", ".bats"],
};

/** Languages that people write logic in and that no engine here understands; the person is told. */
const UNJUDGED: Readonly<Record<string, readonly string[]>> = {
	C: [".c", ".h"],
	"C++": [".cc", ".cpp", ".cxx", ".hh", ".hpp"],
	"C#": [".cs"],
	Clojure: [".clj", ".cljs"],
	Dart: [".dart"],
	Elixir: [".ex", ".exs"],
	Erlang: [".erl"],
	Groovy: [".groovy", ".gradle"],
	Haskell: [".hs"],
	HTML: [".html", ".htm"],
	Kotlin: [".kt", ".kts"],
	Lua: [".lua"],
	"Objective-C": [".m", ".mm"],
	Perl: [".pl", ".pm"],
	PHP: [".php"],
	PowerShell: [".ps1", ".psm1"],
	R: [".r"],
	Ruby: [".rb", ".rake"],
	Rust: [".rs"],
	Scala: [".scala"],
	SQL: [".sql"],
	Svelte: [".svelte"],
	Swift: [".swift"],
	Terraform: [".tf"],
	Vue: [".vue"],
	Zig: [".zig"],
};

const SHELL_NAMES = new Set([".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zprofile", ".envrc"]);

function byExtension(table: Readonly<Record<string, readonly string[]>>, path: string): string {
	const extension = extensionOf(path);
	return Object.keys(table).find((name) => table[name]?.includes(extension)) ?? "";
}

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
	[/^#!.*\b(?:ba|da|k|z)?sh\b/, "bash"],
	[/^#!.*\bpython[0-9.]*\b/, "python"],
	[/^#!.*\b(?:node|bun)\b/, "javascript"],
];

/** The language by name, or by the interpreter line of `text`; empty when no engine here understands it. */
export function languageOf(path: string, text = ""): string {
	if (SHELL_NAMES.has(baseName(path))) return "bash";
	const language = byExtension(BY_EXTENSION, path);
	if (language !== "" || extensionOf(path) !== "") return language;
	const first = text.slice(0, 200).split("\n", 1)[0] ?? "";
	return INTERPRETERS.find(([pattern]) => pattern.test(first))?.[1] ?? "";
}

export function unjudgedLanguage(path: string): string {
	return byExtension(UNJUDGED, path);
}

const LINTED = new Set(["javascript", "typescript", "tsx"]);

/** Does the engine read files of this language? Secrets and text rules read every text. */
export function judges(engine: EngineName, language: string): boolean {
	switch (engine) {
		case "secrets":
		case "text":
			return true;
		case "oxlint":
			return LINTED.has(language);
		case "ast":
			return language !== "";
	}
}

const TEST_FOLDERS = new Set(
	"test tests __tests__ spec specs fixture fixtures __fixtures__ testdata example examples e2e bench docs".split(" "),
);
const FIXTURE_FOLDERS = new Set(
	"fixture fixtures __fixtures__ testdata example examples docs template templates __snapshots__".split(" "),
);

function folders(path: string): readonly string[] {
	return pathSegments(path).slice(0, -1);
}

/** Code that never ships: it keeps only the rules whose family says so. */
export function isTestPath(path: string): boolean {
	if (folders(path).some((folder) => TEST_FOLDERS.has(folder))) return true;
	const name = baseName(path);
	return /\.(?:test|spec)\.|_test\.|^test_.*\.py$|^conftest\.py$/.test(name);
}

/** Material that may be broken on purpose. */
export function isFixturePath(path: string): boolean {
	return folders(path).some((folder) => FIXTURE_FOLDERS.has(folder));
}

const PROSE = new Set([".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"]);

export function isProse(path: string): boolean {
	return PROSE.has(extensionOf(path));
}
