// The human run as text: what is reviewed and why, what was found, what it means, and the one command to run next.
import { styleText } from "node:util";
import { visible } from "../contract/paths.ts";
import type { RiskReason } from "../contract/state.ts";
import { type Lens, shortLens, type Tier } from "../contract/vocabulary.ts";
import type { ReviewRun, RunFinding } from "../contract/wire/run.ts";
import { reasonPhrase } from "../review/index.ts";

type Style = Parameters<typeof styleText>[0];

/** Paints text, or leaves it plain: decided once, from the stream and the environment. */
export type Painter = (style: Style, text: string) => string;

export function painter(stream: NodeJS.WriteStream | undefined): Painter {
	return (style, text) => (stream === undefined ? text : styleText(style, text, { stream, validateStream: true }));
}

const LABEL = 14;

export function labelled(label: string, text: string): string {
	return `${label.padEnd(LABEL)}${text}`;
}

function plural(count: number, word: string): string {
	return `${count} ${word}${count === 1 ? "" : "s"}`;
}

export function candidateLine(files: number, lines: number): string {
	return labelled("Candidate", `${plural(files, "changed file")}, ${plural(lines, "authored line")}`);
}

const TIER_MEANING: Readonly<Record<Tier, string>> = {
	low: "low: no reviewer is needed",
	medium: "medium: one consolidated review",
	high: "high: four reviews",
};

function reasonText(reason: RiskReason): string {
	if (reason.code === "large_change") return "more than 400 authored lines";
	if (reason.code === "non_executable_only") return "only passive documentation";
	return reasonPhrase(reason, "en") ?? reason.code;
}

export function riskLines(
	tier: Tier,
	reasons: readonly RiskReason[],
	lenses: readonly Lens[],
	paint: Painter,
): string[] {
	const colour: Style = tier === "high" ? "red" : tier === "medium" ? "yellow" : "green";
	const names = lenses.map(shortLens).join(", ");
	return [
		labelled("Risk", paint(colour, TIER_MEANING[tier])),
		...reasons.map((reason) => labelled("", `because of ${visible(reasonText(reason))}`)),
		...(names === "" ? [] : [labelled("Lenses", names)]),
	];
}

const SEVERITY_STYLE: Readonly<Record<RunFinding["severity"], Style>> = {
	BLOCKER: ["red", "bold"],
	CRITICAL: ["red", "bold"],
	WARNING: "yellow",
	SUGGESTION: "dim",
};

function findingLines(finding: RunFinding, paint: Painter): string[] {
	const head = `${paint(SEVERITY_STYLE[finding.severity], finding.severity.padEnd(LABEL - 1))} ${visible(finding.location)}`;
	const family = finding.family === null ? "" : `  ${paint("dim", finding.family)}`;
	const indent = " ".repeat(LABEL);
	return [
		head + family,
		...(finding.excerpt === null ? [] : [`${indent}${paint("dim", "|")} ${finding.excerpt}`]),
		`${indent}${visible(finding.claim)}`,
	];
}

const HEADLINES: Readonly<Record<ReviewRun["state"], string>> = {
	approved: "Approved",
	correction_required: "Not approved: the findings above must be corrected",
	escalated: "Closed without approval: a human must decide",
	declined: "Declined: this candidate is not reviewed",
	nothing_to_review: "Nothing to review: the candidate equals its base",
	incomplete: "Incomplete: the review could not be finished",
	verification_required: "Reviewed, but not verified yet",
	verification_failed: "Not approved: the verification failed",
	failed: "Could not run",
};

function headline(run: ReviewRun, paint: Painter): string {
	const good = run.state === "approved" || run.state === "nothing_to_review";
	const text = run.already_approved ? "Already approved" : HEADLINES[run.state];
	return paint([good ? "green" : "red", "bold"], text);
}

function exitLines(run: ReviewRun, paint: Painter): string[] {
	return run.exits.flatMap(({ command, meaning }) => ["", visible(meaning), `  ${paint("cyan", visible(command))}`]);
}

function errorLines(run: ReviewRun): string[] {
	if (run.error === undefined) return [];
	const { message, field, value, rule, next } = run.error;
	return [
		visible(message),
		...(field === undefined
			? []
			: [`  ${field}${value ? ` = ${visible(value)}` : ""}${rule === undefined ? "" : `: ${visible(rule)}`}`]),
		...(next === undefined ? [] : [visible(next)]),
	];
}

/** The whole result; the last line is the one command to run next. */
/** Evidence that no command of this run gave. */
function unnamed({ tier }: ReviewRun): string {
	return tier === "low" ? "the structure of the change" : "the evidence of an earlier run";
}

export function resultText(run: ReviewRun, paint: Painter): string {
	const lines = [
		"",
		...run.findings.flatMap((finding) => findingLines(finding, paint)),
		...(run.findings.length > 0 ? [""] : []),
		headline(run, paint),
		...errorLines(run),
		...(run.evidence === null
			? []
			: [labelled("Verified by", run.evidence.command === null ? unnamed(run) : visible(run.evidence.command))]),
		...(run.receipt === null ? [] : [labelled("Receipt", run.receipt.identity)]),
		...(run.lineage_id === null ? [] : [labelled("Review", run.lineage_id)]),
		...run.notes.map((note) => labelled("Note", visible(note))),
		...exitLines(run, paint),
		...(run.next === null ? [] : ["", labelled("Next", run.next)]),
	];
	return `${lines.join("\n")}\n`;
}
