// Runs the published routing cases, then the whole routing table.

import { describe, expect, it } from "vitest";
import type { Location } from "../../packages/gentle-ai/src/contract/location.ts";
import type { AdmittedFinding } from "../../packages/gentle-ai/src/contract/state.ts";
import {
	CAUSAL_DISPOSITIONS,
	type CausalDisposition,
	EVIDENCE_CLASSES,
	type EvidenceClass,
	type FindingOutcome,
	type RefuterOutcome,
	type Severity,
} from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { findingsToRefute, routeFindings } from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite } from "../contract/data.ts";

type CaseFinding = {
	readonly id: string;
	readonly severity: Severity;
	readonly location: string;
	readonly evidence_class?: EvidenceClass;
	readonly causal_disposition?: CausalDisposition;
};
type Input = {
	readonly genesis_paths: readonly string[];
	readonly changed_lines: Readonly<Record<string, readonly number[]>>;
	readonly findings: readonly CaseFinding[];
	readonly refuter: readonly { readonly finding_id: string; readonly outcome: RefuterOutcome }[];
};
type Expect =
	| { readonly refused: true }
	| {
			readonly refused?: undefined;
			readonly state: string;
			readonly fix_finding_ids: readonly string[];
			readonly outcomes: Readonly<Record<string, FindingOutcome>>;
			readonly follow_ups: number;
	  };

function finding(given: CaseFinding): AdmittedFinding {
	return { lens: "reliability", claim: `claim of ${given.id}`, proof_refs: [`proof of ${given.id}`], ...given };
}

function route(input: Input) {
	const changed = (location: Location) => {
		const lines = input.changed_lines[location.path] ?? [];
		for (let line = location.start; line <= location.end; line += 1n) if (!lines.includes(Number(line))) return false;
		return true;
	};
	return {
		findings: input.findings.map(finding),
		genesis_paths: input.genesis_paths,
		proves: changed,
		refuter: input.refuter.map((row) => ({ ...row, proof_refs: ["tracked.txt:1 shows it"] })),
	};
}

describe("published behaviour: routing", () => {
	for (const { id, input, expect: expected, why } of readSuite<Input, Expect>("routing").cases) {
		it(`${id}: ${why}`, () => {
			const routed = routeFindings(route(input));
			if (expected.refused) {
				expect(routed.routed).toBe(false);
				return;
			}
			if (!routed.routed) throw new Error(`refused: ${routed.reason}`);
			expect(routed.state).toBe(expected.state);
			expect(routed.fix_finding_ids).toEqual(expected.fix_finding_ids);
			expect(routed.outcomes).toEqual(expected.outcomes);
			expect(routed.follow_ups).toHaveLength(expected.follow_ups);
		});
	}
});

const PLACE = { genesis_paths: ["tracked.txt"], changed_lines: { "tracked.txt": [1] } };
const BLAMES = ["introduced", "behavior-activated", "worsened"];

function severe(
	evidence_class: EvidenceClass,
	causal_disposition: CausalDisposition,
	location = "tracked.txt:1",
): CaseFinding {
	return { id: "R3-001", severity: "BLOCKER", location, evidence_class, causal_disposition };
}

/** The published routing table; undefined is a refusal. */
function published(
	evidence: EvidenceClass,
	cause: CausalDisposition,
	row: RefuterOutcome | undefined,
): FindingOutcome | undefined {
	if (evidence === "insufficient") return "inconclusive";
	if (cause === "unknown") return "inconclusive";
	if (!BLAMES.includes(cause)) return "info";
	return evidence === "deterministic" ? "corroborated" : row;
}

const STATE_OF: Readonly<Record<FindingOutcome, string>> = {
	info: "validating",
	refuted: "validating",
	corroborated: "correction_required",
	inconclusive: "escalated",
};

describe("C.2: one severe finding", () => {
	for (const evidence of EVIDENCE_CLASSES) {
		for (const cause of CAUSAL_DISPOSITIONS) {
			const doubtful = evidence === "inferential" && BLAMES.includes(cause);
			for (const row of doubtful ? ([undefined, "corroborated", "refuted", "inconclusive"] as const) : [undefined]) {
				it(`that is ${evidence}, ${cause}${doubtful ? `, refuter ${row}` : ""} has its published outcome`, () => {
					const refuter = row === undefined ? [] : [{ finding_id: "R3-001", outcome: row }];
					const routed = routeFindings(route({ ...PLACE, findings: [severe(evidence, cause)], refuter }));
					const outcome = published(evidence, cause, row);
					if (outcome === undefined) {
						expect(routed).toEqual({ routed: false, reason: "refuter_row_missing", finding_ids: ["R3-001"] });
						return;
					}
					expect(routed).toEqual({
						routed: true,
						state: STATE_OF[outcome],
						classifications: {
							"R3-001": { evidence_class: evidence, causal_disposition: cause, proof_refs: ["proof of R3-001"] },
						},
						outcomes: { "R3-001": outcome },
						fix_finding_ids: outcome === "corroborated" ? ["R3-001"] : [],
						follow_ups: outcome === "info" ? [{ observation: "claim of R3-001", proof_refs: ["proof of R3-001"] }] : [],
					});
				});
			}
		}
	}

	it.each(["tracked.txt:2", "tracked.txt:1-2", "other.txt:1", "tracked.txt", "tracked.txt:0", "../tracked.txt:1"])(
		"that blames the candidate at %s escalates, for nothing there proves it",
		(location) => {
			for (const cause of ["introduced", "worsened"] as const) {
				const routed = routeFindings(
					route({ ...PLACE, findings: [severe("deterministic", cause, location)], refuter: [] }),
				);
				expect(routed).toMatchObject({
					state: "escalated",
					classifications: { "R3-001": { causal_disposition: "unknown" } },
					fix_finding_ids: [],
				});
			}
		},
	);
});

describe("C.2: a batch of refuter rows", () => {
	const doubtful = (id: string): CaseFinding => ({ ...severe("inferential", "introduced"), id });
	const findings = [doubtful("R3-010"), doubtful("R3-002"), { ...severe("deterministic", "introduced"), id: "R3-003" }];
	const row = (finding_id: string, outcome: RefuterOutcome = "refuted") => ({ finding_id, outcome });

	it("is asked about every doubtful finding, in byte order, and about no other", () => {
		const { refuter: _, ...input } = route({ ...PLACE, findings, refuter: [] });
		expect(findingsToRefute(input)).toEqual(["R3-002", "R3-010"]);
	});

	it("that leaves one out is refused and names it", () => {
		expect(routeFindings(route({ ...PLACE, findings, refuter: [row("R3-010")] }))).toEqual({
			routed: false,
			reason: "refuter_row_missing",
			finding_ids: ["R3-002"],
		});
	});

	it("with a row that nobody asked for is refused before any write", () => {
		for (const extra of ["R3-003", "R1-001"]) {
			const refuter = [row("R3-010"), row("R3-002"), row(extra)];
			expect(routeFindings(route({ ...PLACE, findings, refuter }))).toEqual({
				routed: false,
				reason: "refuter_row_foreign",
				finding_ids: [extra],
			});
		}
	});

	it("with a proof that says nothing is refused", () => {
		const input = route({ ...PLACE, findings, refuter: [row("R3-010"), row("R3-002")] });
		const refuter = input.refuter.map((each) => ({ ...each, proof_refs: [" N/A "] }));
		expect(routeFindings({ ...input, refuter })).toMatchObject({ routed: false, reason: "refuter_proof_sentinel" });
	});

	it("that doubts one finding escalates the whole review, with all outcomes kept in byte order", () => {
		const refuter = [row("R3-010", "inconclusive"), row("R3-002", "corroborated")];
		const routed = routeFindings(route({ ...PLACE, findings, refuter }));
		expect(routed).toMatchObject({ state: "escalated", fix_finding_ids: ["R3-002", "R3-003"] });
		if (routed.routed)
			expect(Object.entries(routed.outcomes)).toEqual([
				["R3-002", "corroborated"],
				["R3-003", "corroborated"],
				["R3-010", "inconclusive"],
			]);
	});

	it("that refutes everything doubtful leaves nothing to fix", () => {
		const refuter = [row("R3-010"), row("R3-002")];
		expect(routeFindings(route({ ...PLACE, findings: findings.slice(0, 2), refuter }))).toMatchObject({
			state: "validating",
			fix_finding_ids: [],
			follow_ups: [],
		});
	});
});
