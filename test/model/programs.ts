// Two ways to run a printed line: as a child process through a POSIX shell, or split by a real shell and run in this
// process by the command line's own parser and operations. Inside, only the process around them is replaced.
import { AsyncLocalStorage } from "node:async_hooks";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { indentedJson } from "../../packages/gentle-ai/src/contract/canonical.ts";
import { explain, ReviewError } from "../../packages/gentle-ai/src/contract/errors.ts";
import { visible } from "../../packages/gentle-ai/src/contract/paths.ts";
import { CONTRACTS } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { RunResult } from "../kit/program.ts";
import { type TestRepo, temporaryFolder } from "../kit/repo.ts";

export type Program = {
	/** The words after `gentle-ai`. */
	readonly run: (words: readonly string[]) => Promise<RunResult>;
	/** The same words twice, at once. */
	readonly twice: (words: readonly string[]) => Promise<readonly [RunResult, RunResult]>;
	/** A line, exactly as printed. */
	readonly printed: (line: string) => Promise<RunResult>;
};

export type Flavour = (repo: TestRepo) => Program;

export const asChild: Flavour = (repo) => ({
	run: (words) => repo.run(words),
	twice: (words) => Promise.all([repo.run(words), repo.run(words)]),
	printed: (line) => repo.runPrinted(line),
});

type Said = { out: string; err: string };
const listening = new AsyncLocalStorage<Said>();

function hear(part: Partial<Said>): void {
	const said = listening.getStore();
	if (said === undefined) throw new Error("nobody listens to the program");
	said.out += part.out ?? "";
	said.err += part.err ?? "";
}

function printRefusal(error: ReviewError): void {
	hear({ err: `Error: ${visible(explain(error))} [${error.code}]\n` });
}

vi.doMock("../../packages/gentle-ai/src/cli/output.ts", () => ({
	printDocument: (value: unknown) => hear({ out: indentedJson(value) }),
	printText: (text: string) => hear({ out: text.endsWith("\n") ? text : `${text}\n` }),
	printError: (text: string) => hear({ err: `Error: ${text}\n` }),
	printNotice: (text: string) => hear({ err: text }),
	printRefusal,
}));

/** A folder whose `gentle-ai` prints the words that the shell hands it. */
function splitter(): string {
	const folder = temporaryFolder();
	const file = join(folder, "gentle-ai");
	writeFileSync(file, "#!/bin/sh\nprintf '%s\\0' \"$@\"\n");
	chmodSync(file, 0o755);
	return folder;
}

let split: string | undefined;

function shellWords(line: string): string[] {
	split ??= splitter();
	const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], {
		env: { PATH: `${split}:/usr/bin:/bin` },
		encoding: "utf8",
	});
	if (status !== 0) throw new Error(`no shell takes ${line}: ${stderr}`);
	return stdout.split("\0").slice(0, -1);
}

/** This process as the child would be: its folder, its environment, its home. */
async function within<Result>(repo: TestRepo, work: () => Promise<Result>): Promise<Result> {
	const [folder, kept] = [process.cwd(), { ...process.env }];
	process.chdir(repo.root);
	for (const name of Object.keys(process.env)) if (/^(GIT_|XDG_)/.test(name)) delete process.env[name];
	Object.assign(process.env, repo.env);
	try {
		return await work();
	} finally {
		process.chdir(folder);
		for (const name of Object.keys(process.env)) if (kept[name] === undefined) delete process.env[name];
		Object.assign(process.env, kept);
	}
}

async function runVerb(words: readonly string[]): Promise<number> {
	const { loadVerb, VERBS } = await import("../../packages/gentle-ai/src/cli/verbs.ts");
	const { parseFlags } = await import("../../packages/gentle-ai/src/cli/flags.ts");
	const [area, name, ...rest] = words;
	const entry = VERBS.find((verb) => area === "review" && verb.name === name);
	if (entry === undefined) throw new Error(`no command ${words.join(" ")}`);
	const verb = await loadVerb(entry);
	const word = verb.words?.find((known) => known === rest[0]);
	const argv = word === undefined ? rest : rest.slice(1);
	const asked = argv.flatMap((each, at) =>
		each === "--contract" ? [argv[at + 1]] : [each.replace(/^--contract=/, "")],
	);
	const contract = verb.operation === undefined ? undefined : CONTRACTS.find((known) => asked.includes(known));
	try {
		return await verb.run(parseFlags(verb.name, argv, verb.flags), { contract, word, argv: rest });
	} catch (error) {
		if (!(error instanceof ReviewError)) throw error;
		printRefusal(error);
		return verb.refusalExit;
	}
}

async function heard(words: readonly string[]): Promise<RunResult> {
	const said = { out: "", err: "" };
	const code = await listening.run(said, () => runVerb(words));
	return new RunResult(code, null, said.out, said.err);
}

export const inProcess: Flavour = (repo) => {
	const run = (words: readonly string[]) => within(repo, () => heard(words));
	return {
		run,
		twice: (words) => within(repo, () => Promise.all([heard(words), heard(words)])),
		printed: (line) => run(shellWords(line)),
	};
};
