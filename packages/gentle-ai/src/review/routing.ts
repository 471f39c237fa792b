// Routing: from admitted findings and refuter rows to outcomes, correction ids and the next state.
import { compareBytes, sortedRecord } from "../contract/canonical.ts";
import { type Location, parseLocation } from "../contract/location.ts";
import type { RefuterRow } from "../contract/payloads.ts";
import type { AdmittedFinding, Classification, FollowUp } from "../contract/state.ts";
import { blamesCandidate, type CausalDisposition, type FindingOutcome, isSevere } from "../contract/vocabulary.ts";
import { isSentinel } from "./admission/citations.ts";

export type RoutingInput = {
	/** In lens order, then in the order of each answer. */
	readonly findings: readonly AdmittedFinding[];
	readonly genesis_paths: readonly string[];
	/** Does the repository prove that the candidate caused what is claimed at this place? */
	readonly proves: (location: Location, disposition: CausalDisposition) => boolean;
	readonly refuter: readonly RefuterRow[];
};

export type Routed = {
	readonly routed: true;
	readonly state: "validating" | "correction_required" | "escalated";
	readonly classifications: Readonly<Record<string, Classification>>;
	readonly outcomes: Readonly<Record<string, FindingOutcome>>;
	readonly fix_finding_ids: readonly string[];
	readonly follow_ups: readonly FollowUp[];
};

export type RoutingRefusal = {
	readonly routed: false;
	readonly reason: "refuter_row_missing" | "refuter_row_repeated" | "refuter_row_foreign" | "refuter_proof_sentinel";
	readonly finding_ids: readonly string[];
};

/** What the repository leaves of a claim: a blame that it cannot prove is worth nothing. */
function effectiveDisposition(finding: AdmittedFinding, input: RoutingInput): CausalDisposition {
	const claimed = finding.causal_disposition ?? "unknown";
	if (!blamesCandidate(claimed)) return claimed;
	const parsed = parseLocation(finding.location);
	if (!parsed.ok || !input.genesis_paths.includes(parsed.location.path)) return "unknown";
	return input.proves(parsed.location, claimed) ? claimed : "unknown";
}

function classify(finding: AdmittedFinding, input: RoutingInput): Classification {
	return {
		evidence_class: finding.evidence_class ?? "insufficient",
		causal_disposition: effectiveDisposition(finding, input),
		proof_refs: [...finding.proof_refs],
	};
}

/** Inferential blame is doubtful until the one refuter batch has spoken about it. */
function needsRefuter({ evidence_class, causal_disposition }: Classification): boolean {
	return evidence_class === "inferential" && blamesCandidate(causal_disposition);
}

/** The severe findings that the one refuter batch must answer, in byte order. */
export function findingsToRefute(input: Omit<RoutingInput, "refuter">): string[] {
	return input.findings
		.filter((finding) => isSevere(finding.severity) && needsRefuter(classify(finding, { ...input, refuter: [] })))
		.map(({ id }) => id)
		.sort(compareBytes);
}

function checkBatch(rows: readonly RefuterRow[], wanted: ReadonlySet<string>): RoutingRefusal | undefined {
	const seen = new Set<string>();
	for (const row of rows) {
		const id = [row.finding_id];
		if (seen.has(row.finding_id)) return { routed: false, reason: "refuter_row_repeated", finding_ids: id };
		if (!wanted.has(row.finding_id)) return { routed: false, reason: "refuter_row_foreign", finding_ids: id };
		if (row.proof_refs.some(isSentinel)) return { routed: false, reason: "refuter_proof_sentinel", finding_ids: id };
		seen.add(row.finding_id);
	}
	const missing = [...wanted].filter((id) => !seen.has(id)).sort(compareBytes);
	return missing.length > 0 ? { routed: false, reason: "refuter_row_missing", finding_ids: missing } : undefined;
}

function outcomeOf(classification: Classification, row: RefuterRow | undefined): FindingOutcome {
	const { evidence_class, causal_disposition } = classification;
	if (evidence_class === "insufficient" || causal_disposition === "unknown") return "inconclusive";
	if (!blamesCandidate(causal_disposition)) return "info";
	return evidence_class === "deterministic" ? "corroborated" : (row?.outcome ?? "inconclusive");
}

export function routeFindings(input: RoutingInput): Routed | RoutingRefusal {
	const severe = input.findings.filter((finding) => isSevere(finding.severity));
	const classified = new Map(severe.map((finding) => [finding.id, classify(finding, input)]));
	const doubtful = new Set([...classified].filter(([, each]) => needsRefuter(each)).map(([id]) => id));
	const refusal = checkBatch(input.refuter, doubtful);
	if (refusal !== undefined) return refusal;

	const rows = new Map(input.refuter.map((row) => [row.finding_id, row]));
	const outcomes = new Map<string, FindingOutcome>();
	const follow_ups: FollowUp[] = [];
	for (const finding of input.findings) {
		const classification = classified.get(finding.id);
		const outcome = classification === undefined ? "info" : outcomeOf(classification, rows.get(finding.id));
		outcomes.set(finding.id, outcome);
		if (classification !== undefined && outcome === "info") {
			follow_ups.push({ observation: finding.claim, proof_refs: [...finding.proof_refs] });
		}
	}
	const fix_finding_ids = [...outcomes]
		.filter(([id, outcome]) => outcome === "corroborated" && classified.has(id))
		.map(([id]) => id)
		.sort(compareBytes);
	const doubtRemains = [...outcomes.values()].includes("inconclusive");
	return {
		routed: true,
		state: doubtRemains ? "escalated" : fix_finding_ids.length > 0 ? "correction_required" : "validating",
		classifications: sortedRecord(classified),
		outcomes: sortedRecord(outcomes),
		fix_finding_ids,
		follow_ups,
	};
}
