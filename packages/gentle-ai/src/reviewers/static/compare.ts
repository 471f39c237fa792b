// What is new: the hits of the candidate that the base does not have, placed and weighed.
import { sha256Hex } from "../../contract/canonical.ts";
import { isSevere, type Severity } from "../../contract/vocabulary.ts";
import type { CandidateView, LineSpan } from "../reviewer.ts";
import { type Rule, ruleOf } from "./families.ts";
import type { Input, SideText } from "./inputs.ts";
import { isFixturePath, isTestPath } from "./policy.ts";
import type { EngineName, Hit } from "./protocol.ts";

export type NewFinding = {
	readonly engine: EngineName;
	readonly rule: Rule;
	readonly ruleId: string;
	readonly input: Input;
	readonly line: number;
	readonly onChangedLine: boolean;
	readonly severity: Severity;
	/** How often the base and the candidate have the same hit. */
	readonly counts: { readonly base: number; readonly candidate: number };
	/** Eight hex digits that tell this finding from its neighbours. */
	readonly digest: string;
};

export type SideHits = { readonly base: readonly Hit[]; readonly candidate: readonly Hit[] };

function linesOf(side: SideText | undefined): readonly string[] {
	return side?.text.split("\n") ?? [];
}

/** Rule and trimmed text: the identity of a hit inside its path, wherever the line has moved. */
function keyOf(hit: Hit, lines: readonly string[]): string {
	const [from, to] = hit.key;
	const text = lines.slice(from - 1, to).map((line) => line.trim());
	return JSON.stringify([hit.rule, text]);
}

function count(keys: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
	return counts;
}

function holds(spans: readonly LineSpan[], line: number): boolean {
	return spans.some(({ start, count: length }) => start <= line && line < start + length);
}

const SYNTAX = "broken-syntax";

/** A parser stops far behind the mistake, so a broken file is shown at the change before the place where it stopped. */
function placeOf(hit: Hit, rule: Rule, spans: readonly LineSpan[]): { line: number; onChangedLine: boolean } {
	const [first = 1] = hit.lines;
	const changed = hit.lines.find((line) => holds(spans, line));
	if (changed !== undefined) return { line: changed, onChangedLine: true };
	if (rule.family !== SYNTAX) return { line: first, onChangedLine: false };
	const before = spans.filter(({ start, count: length }) => length > 0 && start <= first).at(-1);
	if (before === undefined) return { line: first, onChangedLine: false };
	return { line: before.start + before.count - 1, onChangedLine: true };
}

/** The severity that holds here, or undefined where the rule is silent. */
function severityOf(rule: Rule, hit: Hit, input: Input, onChangedLine: boolean): Severity | undefined {
	const { path } = input.entry;
	const test = isTestPath(path);
	if (test && rule.tests === "drop") return undefined;
	if (!isSevere(rule.severity)) return rule.severity;
	const spared =
		!hit.certain ||
		!onChangedLine ||
		(test && rule.tests === "warn") ||
		(rule.family === "conflict-markers" && isFixturePath(path));
	return spared ? "WARNING" : rule.severity;
}

/** Is the file's broken syntax the candidate's doing? Only if the base could be parsed, or there was no base. */
function blamesSyntax(input: Input, base: readonly Hit[]): boolean {
	const { path } = input.entry;
	if (isFixturePath(path) || input.candidate?.nul || /@flow\b/.test(input.candidate?.text.slice(0, 2_000) ?? ""))
		return false;
	if (input.base === undefined) return input.entry.status === "A" && !isTestPath(path);
	return input.base.parsed && !base.some(({ rule }) => rule.startsWith(`${SYNTAX}.`));
}

/** The new findings of one engine in one file. */
export function newFindings(engine: EngineName, input: Input, hits: SideHits, view: CandidateView): NewFinding[] {
	const { path } = input.entry;
	const baseLines = linesOf(input.base);
	const candidateLines = linesOf(input.candidate);
	const inBase = count(hits.base.map((hit) => keyOf(hit, baseLines)));
	const inCandidate = count(hits.candidate.map((hit) => keyOf(hit, candidateLines)));
	const left = new Map(inBase);
	const spans = view.changedLines(path).candidate;
	const syntax = blamesSyntax(input, hits.base);
	const findings: NewFinding[] = [];
	const ordinals = new Map<string, number>();
	// Equal lines are alike, so the ones on changed lines are taken for the new ones.
	const inOrder = hits.candidate.toSorted(
		(one, two) =>
			Number(one.lines.some((line) => holds(spans, line))) - Number(two.lines.some((line) => holds(spans, line))),
	);
	for (const hit of inOrder) {
		const rule = ruleOf(hit.rule);
		if (rule === undefined) continue;
		const key = keyOf(hit, candidateLines);
		const known = left.get(key) ?? 0;
		left.set(key, known - 1);
		if (known > 0) continue;
		if (rule.family === SYNTAX && (!syntax || findings.some((one) => one.rule.family === SYNTAX))) continue;
		const { line, onChangedLine } = placeOf(hit, rule, spans);
		const severity = severityOf(rule, hit, input, onChangedLine);
		if (severity === undefined) continue;
		// The digest of a secret's line would let somebody test guesses, so it is made of everything else.
		const seed = rule.family === "committed-secret" ? hit.rule : key;
		const ordinal = ordinals.get(seed) ?? 0;
		ordinals.set(seed, ordinal + 1);
		const digest = sha256Hex(JSON.stringify([path, hit.rule, seed, ordinal])).slice(0, 8);
		const counts = { base: inBase.get(key) ?? 0, candidate: inCandidate.get(key) ?? 0 };
		findings.push({ engine, rule, ruleId: hit.rule, input, line, onChangedLine, severity, counts, digest });
	}
	return findings;
}
