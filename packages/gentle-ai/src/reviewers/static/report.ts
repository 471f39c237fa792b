// New findings become the answer to one slot, in the words of the contract and without a word of source text.
import { ReviewError } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import { parseLocation } from "../../contract/location.ts";
import { bounded, visible } from "../../contract/paths.ts";
import type { ReviewerAnswer, ReviewerFinding } from "../../contract/payloads.ts";
import { FINDING_PREFIX, isSevere, SEVERITIES, shortLens } from "../../contract/vocabulary.ts";
import type { Slot } from "../reviewer.ts";
import { type Analysis, skippedEvidence } from "./analyse.ts";
import type { NewFinding } from "./compare.ts";

/** Enough to work with, and far below what one answer may hold. */
const MOST_WARNINGS = 500;
const MOST_SEVERE = 2_000;

function located({ input, line }: NewFinding): string {
	const { path } = input.entry;
	const location = `${path}:${line}`;
	const parsed = parseLocation(location);
	if (parsed.ok && parsed.location.path === path && location.trim() === location) return location;
	const shown = bounded(path, LIMITS.boundedValueChars);
	throw new ReviewError("candidate_context_unavailable", {
		message: bounded(`There is a finding in ${shown}, and the contract cannot name a line of such a path`, 240),
		field: "candidate",
		value: shown,
		rule: "the path of a finding must not look like another path when a line is added to it",
		next: "Rename the file",
	});
}

function proofs(finding: NewFinding, version: string): string[] {
	const { input, line, counts, ruleId, onChangedLine } = finding;
	const place = `${visible(input.entry.path)}:${line}`;
	if (input.entry.status === "A") return [`candidate-created-path:${place}`];
	const compared = `before-after: ${place} ${version} ${ruleId} base=${counts.base} candidate=${counts.candidate}`;
	return onChangedLine ? [`changed-hunk:${place}`, compared] : [compared];
}

function findingFor(slot: Slot, finding: NewFinding, version: string): ReviewerFinding {
	const { engine, rule, ruleId, severity, digest } = finding;
	return {
		id: `${FINDING_PREFIX[slot.lens]}${engine}-${ruleId}-${digest}`,
		location: located(finding),
		severity,
		claim: `${rule.claim} (${engine}, rule ${ruleId})`,
		proof_refs: proofs(finding, version),
		evidence_class: "deterministic",
		causal_disposition: "introduced",
	};
}

function rank(finding: NewFinding): number {
	return SEVERITIES.indexOf(finding.severity);
}

/** The answer as JSON text. Throws a `ReviewError` when a finding cannot be expressed. */
export function answerFor(slot: Slot, analysis: Analysis): string {
	const lens = shortLens(slot.lens);
	const mine = analysis.findings.filter(({ rule }) => slot.consolidated || rule.lens === lens);
	const ordered = mine.toSorted((left, right) => rank(left) - rank(right));
	const severe = ordered.filter(({ severity }) => isSevere(severity)).length;
	const listed = ordered.slice(0, Math.max(MOST_WARNINGS, Math.min(severe, MOST_SEVERE)));
	const versions = new Map(
		analysis.engines.map(({ engine, version }) => [engine, `${engine}@${/\d+\.\d+\.\d+/.exec(version)?.[0] ?? "own"}`]),
	);
	const answer: ReviewerAnswer = {
		subject_hash: slot.subject_hash,
		inspection: { status: "completed", paths: analysis.inputs.map(({ entry }) => entry.path) },
		findings: listed.map((finding) => findingFor(slot, finding, versions.get(finding.engine) ?? finding.engine)),
		evidence: [
			...analysis.engines.map(({ evidence }) => evidence),
			...skippedEvidence(analysis.inputs),
			...(listed.length < mine.length
				? [`${mine.length - listed.length} more findings are left out, the least severe first`]
				: []),
		],
	};
	return JSON.stringify(answer);
}
