// Code evaluation and shell execution, judged on the syntax tree of each language.
import type { SgNode } from "@ast-grep/napi";
import { bash } from "../ast/bash.ts";
import { go } from "../ast/go.ts";
import { java } from "../ast/java.ts";
import { javascript } from "../ast/javascript.ts";
import { lineOf, type Sighting } from "../ast/names.ts";
import { python } from "../ast/python.ts";
import type { EngineAnswer, EngineFile, EngineRequest, Hit } from "../protocol.ts";
import { loaded, nameAndVersion } from "./load.ts";

/** How one language is judged. */
export type Judge = {
	/** The grammar's name; the package that brings it, if the parser does not. */
	readonly grammar: string;
	/** Text without any of these words cannot hold a sink, and is not parsed. */
	readonly trigger: RegExp;
	/** How many sinks are known. */
	readonly rules: number;
	readonly look: (root: SgNode, text: string) => readonly Sighting[];
};

const JUDGES: Readonly<Record<string, Judge>> = {
	javascript: { ...javascript, grammar: "JavaScript" },
	typescript: { ...javascript, grammar: "TypeScript" },
	tsx: { ...javascript, grammar: "Tsx" },
	python: { ...python, grammar: "python" },
	go: { ...go, grammar: "go" },
	java: { ...java, grammar: "java" },
	bash: { ...bash, grammar: "bash" },
};

const GRAMMARS = {
	python: () => import("@ast-grep/lang-python"),
	go: () => import("@ast-grep/lang-go"),
	java: () => import("@ast-grep/lang-java"),
	bash: () => import("@ast-grep/lang-bash"),
} as const;

async function loadParser(languages: ReadonlySet<string>) {
	const parser = await loaded("@ast-grep/napi", () => import("@ast-grep/napi"));
	const grammars: Parameters<typeof parser.registerDynamicLanguage>[0] = {};
	for (const [language, load] of Object.entries(GRAMMARS)) {
		if (!languages.has(language)) continue;
		const name = `@ast-grep/lang-${language}`;
		// The path is found lazily, so a missing build shows only when it is read.
		grammars[language] = await loaded(name, async () => {
			const { default: grammar } = await load();
			return { ...grammar, libraryPath: grammar.libraryPath };
		});
	}
	if (Object.keys(grammars).length > 0) parser.registerDynamicLanguage(grammars);
	return parser;
}

function hitOf(file: EngineFile, { rule, call, value }: Sighting): Hit {
	const at = lineOf(call);
	return { file: file.id, rule, lines: [...new Set([at, lineOf(value)])], key: [at, at], certain: true };
}

export async function runAst(request: EngineRequest): Promise<EngineAnswer> {
	const languages = new Set([...request.languages, ...request.files.map(({ language }) => language)]);
	const { parse } = await loadParser(languages);
	const hits = request.files.flatMap((file) => {
		const judge = JUDGES[file.language];
		if (judge === undefined || !judge.trigger.test(file.text)) return [];
		return judge.look(parse(judge.grammar, file.text).root(), file.text).map((sighting) => hitOf(file, sighting));
	});
	const rules = [...languages].reduce((sum, language) => sum + (JUDGES[language]?.rules ?? 0), 0);
	return { ok: true, version: nameAndVersion("@ast-grep/napi"), rules, hits };
}
