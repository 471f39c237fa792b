// The table of commands. Each loads its own code only when it is called.
import type { Operation } from "../contract/operations.ts";
import type { FlagSpec } from "./flags.ts";
import type { Verb } from "./verb.ts";

type Entry = { readonly name: string; readonly summary: string; readonly load: () => Promise<Verb> };

const captures = () => import("./commands/captures.ts");
const recovery = () => import("./commands/recovery.ts");
const maintenance = () => import("./commands/maintenance.ts");
const people = () => import("./commands/people.ts");

export const VERBS: readonly Entry[] = [
	{
		name: "",
		summary: "review the changes of a repository from candidate to receipt",
		load: async () => (await import("./commands/review.ts")).reviewVerb,
	},
	{
		name: "validate",
		summary: "ask a gate whether exactly these bytes were approved",
		load: async () => (await import("./commands/validate.ts")).validateVerb,
	},
	{ name: "end", summary: "retire one review by its id, with a reason", load: async () => (await people()).endVerb },
	{
		name: "list",
		summary: "every review that is kept here, and what to do next with it",
		load: async () => (await maintenance()).listVerb,
	},
	{
		name: "prune",
		summary: "move closed and ended reviews out of the store into quarantine",
		load: async () => (await maintenance()).pruneVerb,
	},
	{
		name: "mode",
		summary: "switch reviews on or off, or say what is in force",
		load: async () => (await people()).modeVerb,
	},
	{
		name: "capabilities",
		summary: "what this executable can do; needs no repository",
		load: async () => (await import("./commands/capabilities.ts")).capabilitiesVerb,
	},
	{
		name: "status",
		summary: "say what applies to the target and the one next step",
		load: async () => (await import("./commands/status.ts")).statusVerb,
	},
	{
		name: "start",
		summary: "freeze one candidate and open its review",
		load: async () => (await import("./commands/start.ts")).startVerb,
	},
	{
		name: "capture-result",
		summary: "capture one reviewer's answer for its slot",
		load: async () => (await captures()).captureResultVerb,
	},
	{
		name: "capture-evidence",
		summary: "record what verification said about the candidate",
		load: async () => (await captures()).captureEvidenceVerb,
	},
	{
		name: "finalize",
		summary: "close the captured results or the evidence, or publish the receipt again",
		load: async () => (await import("./commands/finalize.ts")).finalizeVerb,
	},
	{
		name: "recover",
		summary: "open the successor of a review whose candidate moved on",
		load: async () => (await recovery()).recoverVerb,
	},
	{
		name: "retry-final-verification",
		summary: "verify once more what a verification without its tools closed",
		load: async () => (await recovery()).retryVerb,
	},
	{
		name: "reopen-results",
		summary: "take unusable reviewer results back; the same lenses answer again",
		load: async () => (await import("./commands/reopen.ts")).reopenVerb,
	},
	{
		name: "invalidate",
		summary: "give up a review that nobody has answered, so that another can take it up",
		load: async () => (await recovery()).invalidateVerb,
	},
	{
		name: "abandon",
		summary: "give a review up with a maintainer's exact word",
		load: async () => (await maintenance()).abandonVerb,
	},
	{
		name: "inspect-authority",
		summary: "say what the review store holds and what in it is in doubt",
		load: async () => (await maintenance()).inspectAuthorityVerb,
	},
	{
		name: "schema",
		summary: "print the schema of what a reviewer, refuter or validator answers",
		load: async () => (await import("./commands/schema.ts")).schemaVerb,
	},
];

function later(name: string, operation: Operation): Verb {
	return {
		name,
		operation,
		summary: "not in this version",
		alwaysNegotiated: true,
		later: true,
		refusalExit: 1,
		flags: [],
		run: async () => 1,
	};
}

/** Operations that the constant capabilities name and this version lacks. */
export const LATER: readonly Verb[] = [later("repair", "review.repair"), later("bind-sdd", "review.bind_sdd")];

export function loadVerb(entry: Entry): Promise<Verb> {
	return entry.load();
}

const PEOPLE = new Set(["", "validate", "end", "list", "prune", "mode"]);

function row(entry: Entry): string {
	return `  gentle-ai review ${entry.name.padEnd(24)} ${entry.summary}`;
}

export function overview(): string {
	return [
		"gentle-ai reviews the changes of a Git repository and answers for exactly the bytes it approved.",
		"",
		"For people:",
		...VERBS.filter(({ name }) => PEOPLE.has(name)).map(row),
		"",
		"For hosts and agents:",
		...VERBS.filter(({ name }) => !PEOPLE.has(name)).map(row),
		"",
		"Each command explains itself with --help. Try `gentle-ai review --demo` first if you have no change at hand.",
	].join("\n");
}

function flagRow({ name, value, help }: FlagSpec): string {
	const left = `--${name}${value === undefined ? "" : ` ${value}`}`;
	return left.length <= 30 ? `  ${left.padEnd(30)}  ${help}` : `  ${left}\n${" ".repeat(34)}${help}`;
}

export function verbHelp(verb: Verb): string {
	const words = verb.words === undefined ? "" : ` ${verb.words.join("|")}`;
	const name = verb.name === "" ? "" : ` ${verb.name}`;
	return [`gentle-ai review${name}${words}: ${verb.summary}`, "", ...verb.flags.map(flagRow)].join("\n");
}
