// Writes the tables of the documents from the source: `node script/docs.ts`. A table stands between two marks, and what is
// between them is nobody's to type. With --check it writes nothing and fails when a table is not what the code says.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { VERBS } from "../packages/gentle-ai/src/cli/verbs.ts";
import { FAILURE_CODES, failureColumns } from "../packages/gentle-ai/src/contract/failures.ts";
import { REASON_CODES } from "../packages/gentle-ai/src/contract/reason-codes.ts";

const root = resolve(import.meta.dirname, "..");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
	return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function code(text: string): string {
	return `\`${text}\``;
}

function reasonCodes(): string {
	const rows = Object.entries(REASON_CODES).map(([name, { kind, continuation }]) => [code(name), kind, continuation]);
	return table(["Reason code", "Kind", "The way on"], rows);
}

type Progress = Parameters<typeof failureColumns>[2];

function failureRow(name: (typeof FAILURE_CODES)[number], progress: Progress): string[] {
	// FINALIZE stands for the operations that change something; before a change they all answer alike.
	const columns = failureColumns(name, "review.finalize", progress);
	const { phase, mutation_outcome, authority_applicability, retry_safe, replayability, required_inputs } = columns;
	return [
		code(name),
		phase,
		mutation_outcome,
		authority_applicability,
		retry_safe ? "yes" : "no",
		replayability,
		required_inputs.map(code).join(" "),
		code(columns.next_action),
	];
}

const FAILURE_HEAD = [
	"Code",
	"Phase",
	"Mutation",
	"Applicability",
	"Retry",
	"Replayability",
	"Required inputs",
	"Next",
];

function failures(): string {
	return table(
		FAILURE_HEAD,
		FAILURE_CODES.map((name) => failureRow(name, "not_started")),
	);
}

/** The codes that answer otherwise once something may be durable. */
function lateFailures(): string {
	const rows = FAILURE_CODES.flatMap((name) => {
		const early = failureRow(name, "not_started").join();
		const late = (["unknown", "committed"] as const).map((progress) => failureRow(name, progress));
		const kept = late.filter((row, at) => row.join() !== early && row.join() !== late[at - 1]?.join());
		return kept;
	});
	return table(FAILURE_HEAD, rows);
}

function commands(): string {
	return table(
		["Command", "What it does"],
		VERBS.map(({ name, summary }) => [code(`gentle-ai review${name === "" ? "" : ` ${name}`}`), summary]),
	);
}

const TABLES: Readonly<Record<string, readonly [name: string, text: string][]>> = {
	"README.md": [["commands", commands()]],
	"docs/integration-guide.md": [
		["reason codes", reasonCodes()],
		["failures", failures()],
		["late failures", lateFailures()],
	],
};

function filled(text: string, name: string, content: string, file: string): string {
	const [begin, end] = [`<!-- table: ${name} (script/docs.ts) -->\n`, "\n<!-- end -->"];
	const from = text.indexOf(begin);
	const to = text.indexOf(end, from);
	if (from < 0 || to < 0) throw new Error(`${file} has no place for the table of ${name}`);
	return text.slice(0, from + begin.length) + content + text.slice(to);
}

for (const [file, tables] of Object.entries(TABLES)) {
	const path = join(root, file);
	const found = readFileSync(path, "utf8");
	const wanted = tables.reduce((text, [name, content]) => filled(text, name, content, file), found);
	if (wanted === found) continue;
	if (process.argv.includes("--check")) {
		console.error(`a table of ${file} is not what the code says; run: node script/docs.ts`);
		process.exitCode = 1;
	} else writeFileSync(path, wanted);
}
