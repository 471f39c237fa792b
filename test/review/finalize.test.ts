// FINALIZE as a plan: what each request commits in each state, and what it may never commit.
import { describe, expect, it } from "vitest";
import { EMPTY_DIGEST } from "../../packages/gentle-ai/src/contract/canonical.ts";
import { lensResultHash, stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type {
	AdmittedFinding,
	AdmittedResult,
	ReviewState,
	VerificationRecord,
} from "../../packages/gentle-ai/src/contract/state.ts";
import {
	shortLens,
	VERIFICATION_OUTCOMES,
	type VerificationOutcome,
} from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	artifactSubjects,
	deriveReceipt,
	type FinalizePlan,
	type FinalizeRequest,
	planFinalize,
} from "../../packages/gentle-ai/src/review/index.ts";
import { digest, fresh, MANIFEST, SNAPSHOT } from "./states.ts";

const NOTHING: FinalizeRequest = {
	captured_results: false,
	captured_evidence: false,
	failed: undefined,
	correction_lines: undefined,
	refuter: undefined,
	validation: undefined,
};

function results(state: ReviewState, findings: readonly AdmittedFinding[] = []): AdmittedResult[] {
	return artifactSubjects(state, MANIFEST).map((subject) => {
		const own = findings.filter(({ lens }) => lens === shortLens(subject.lens));
		const result = { lens: subject.lens, findings: own, evidence: ["read it all"] };
		return {
			schema: "gentle-ai.review-admitted-result/v2",
			subject,
			admission: {
				schema: "gentle-ai.review-artifact-admission/v1",
				decision: "completed",
				subject_hash: subject.subject_hash,
				raw_sha256: digest("a"),
				canonical_sha256: digest("b"),
				result_hash: lensResultHash(result),
				candidate_causal_finding_ids: [],
			},
			result,
		};
	});
}

type View = Parameters<typeof planFinalize>[0];

function plan(state: ReviewState, request: Partial<FinalizeRequest> = {}, facts: Partial<View> = {}): FinalizePlan {
	const view: View = {
		state,
		results: results(state),
		evidence: undefined,
		correction: undefined,
		risk_reasons: [{ code: "non_executable_only" }],
		target_unchanged: true,
		proves: () => true,
		...facts,
	};
	return planFinalize(view, { ...NOTHING, ...request });
}

function steps(planned: FinalizePlan) {
	if (planned.kind !== "advance") throw new Error(JSON.stringify(planned));
	return planned.steps;
}

function blocker(changes: Partial<AdmittedFinding> = {}): AdmittedFinding {
	return {
		id: "R3-001",
		lens: "reliability",
		location: "tracked.txt:1",
		severity: "BLOCKER",
		claim: "it breaks",
		proof_refs: ["tracked.txt:1"],
		evidence_class: "deterministic",
		causal_disposition: "introduced",
		...changes,
	};
}

function record(state: ReviewState, outcome: VerificationOutcome): VerificationRecord {
	return {
		schema: "gentle-ai.review-verification-evidence/v2",
		version: 2,
		lineage_id: state.lineage_id,
		authority_revision: stateRevision(state),
		target_identity: SNAPSHOT.identity,
		candidate_tree: SNAPSHOT.candidate_tree,
		paths_digest: SNAPSHOT.paths_digest,
		paths: ["tracked.txt"],
		ledger_ids: [],
		raw_payload_sha256: digest("e"),
		raw_payload_bytes: 10,
		outcome,
		record_digest: digest("f"),
	};
}

describe("FINALIZE of a review in progress", () => {
	it("approves a low-risk candidate in two revisions, without any input", () => {
		const planned = steps(plan(fresh(0)));
		expect(planned.map(({ operation, state }) => [operation, state.state])).toEqual([
			["review/complete-review", "validating"],
			["review/complete-verification", "approved"],
		]);
		expect(planned.map(({ state, revision }) => revision === stateRevision(state))).toEqual([true, true]);
		expect(planned[1]?.state.evidence_hash).toMatch(/^sha256:/);
		expect(planned[1]?.state.evidence_hash).not.toBe(EMPTY_DIGEST);
		expect(planned[1]?.state).not.toHaveProperty("evidence_outcome");
	});

	it("approves nothing whose repository has moved on", () => {
		expect(plan(fresh(0), {}, { target_unchanged: false }).kind).toBe("refused");
	});

	it("needs every selected lens", () => {
		const state = fresh(4);
		expect(plan(state).kind).toBe("refused");
		for (const missing of [0, 1, 2, 3]) {
			const partial = results(state).map((each, order) => (order === missing ? undefined : each));
			expect(plan(state, { captured_results: true }, { results: partial }).kind).toBe("refused");
		}
		expect(plan(state, { captured_results: true }, { results: [] }).kind).toBe("refused");
	});

	it("without findings goes on to verification, and only there", () => {
		for (const lenses of [1, 4]) {
			const planned = steps(plan(fresh(lenses), { captured_results: true }));
			expect(planned.map(({ state }) => state.state)).toEqual(["validating"]);
			expect(planned[0]?.state.lens_results).toHaveLength(lenses);
		}
	});

	it("with a proven blocker asks for a correction", () => {
		const state = fresh(4);
		const planned = steps(plan(state, { captured_results: true }, { results: results(state, [blocker()]) }));
		expect(planned.map(({ state: each }) => each.state)).toEqual(["correction_required"]);
		expect(planned[0]?.state.fix_finding_ids).toEqual(["R3-001"]);
	});

	it("with a blocker that the repository no longer proves escalates", () => {
		const state = fresh(4);
		const facts = { results: results(state, [blocker()]), proves: () => false };
		expect(steps(plan(state, { captured_results: true }, facts))[0]?.state.state).toBe("escalated");
	});

	it("with a doubtful blocker waits for the refuter", () => {
		const state = fresh(4);
		const facts = { results: results(state, [blocker({ evidence_class: "inferential" })]) };
		expect(plan(state, { captured_results: true }, facts)).toMatchObject({
			kind: "refused",
			field: "--refuter",
			value: "R3-001",
		});
		const refuter = [{ finding_id: "R3-001", outcome: "refuted" as const, proof_refs: ["tracked.txt:1 is guarded"] }];
		expect(steps(plan(state, { captured_results: true, refuter }, facts))[0]?.state.state).toBe("validating");
	});

	it("takes neither evidence nor a forecast", () => {
		expect(plan(fresh(1), { captured_results: true, captured_evidence: true }).kind).toBe("refused");
		expect(plan(fresh(1), { captured_results: true, correction_lines: 1 }).kind).toBe("refused");
	});

	it("takes no verdict of the caller in place of evidence", () => {
		for (const failed of [true, false]) {
			const planned = plan(fresh(1), { captured_results: true, failed });
			if (planned.kind === "advance") expect(planned.steps.map(({ state }) => state.state)).toEqual(["validating"]);
		}
	});
});

describe("FINALIZE of a review that waits for verification", () => {
	const state: ReviewState = { ...fresh(4), state: "validating" };

	it("without evidence commits nothing", () => {
		expect(plan(state).kind).toBe("refused");
		expect(plan(state, { captured_evidence: true }).kind).toBe("refused");
		expect(plan(state, { failed: false }).kind).toBe("refused");
	});

	it.each(VERIFICATION_OUTCOMES)("with evidence that says %s binds the record", (outcome) => {
		const evidence = record(state, outcome);
		const planned = steps(plan(state, { captured_evidence: true }, { evidence }));
		expect(planned).toHaveLength(1);
		expect(planned[0]?.state).toMatchObject({
			state: outcome === "passed" ? "approved" : "escalated",
			evidence_hash: evidence.raw_payload_sha256,
			evidence_record_digest: evidence.record_digest,
			evidence_outcome: outcome,
			evidence_target_identity: SNAPSHOT.identity,
			evidence_authority_revision: stateRevision(state),
		});
	});

	it("refuses a verdict that disagrees with the captured outcome", () => {
		for (const outcome of VERIFICATION_OUTCOMES) {
			for (const failed of [true, false]) {
				const agrees = failed === (outcome !== "passed");
				const planned = plan(state, { captured_evidence: true, failed }, { evidence: record(state, outcome) });
				expect(planned.kind, `${outcome}, --failed=${failed}`).toBe(agrees ? "advance" : "refused");
			}
		}
	});

	it("takes no reviewer results any more", () => {
		const facts = { evidence: record(state, "passed") };
		expect(plan(state, { captured_results: true, captured_evidence: true }, facts).kind).toBe("refused");
	});

	it("of low risk approves by structure alone, if the repository still says the same", () => {
		const low: ReviewState = { ...fresh(0), state: "validating" };
		expect(steps(plan(low)).map(({ state: each }) => each.state)).toEqual(["approved"]);
		expect(plan(low, {}, { target_unchanged: false }).kind).toBe("refused");
	});
});

describe("FINALIZE of a review with blockers", () => {
	const state: ReviewState = {
		...fresh(4),
		state: "correction_required",
		findings: [blocker()],
		fix_finding_ids: ["R3-001"],
	};

	it("keeps a forecast within the budget and waits", () => {
		expect(steps(plan(state, { correction_lines: 10 }))[0]?.state).toMatchObject({
			state: "correction_required",
			correction_forecast: 10,
		});
	});

	it("escalates a forecast of one line more than the budget", () => {
		const after = steps(plan(state, { correction_lines: 11 }))[0]?.state;
		expect(after).toMatchObject({ state: "escalated", correction_forecast: 11 });
	});

	it.each([0, -1, 0.5])("refuses a forecast of %s lines", (correction_lines) => {
		expect(plan(state, { correction_lines }).kind).toBe("refused");
	});

	it("refuses a second forecast, and no forecast at all", () => {
		expect(plan({ ...state, correction_forecast: 4 }, { correction_lines: 4 }).kind).toBe("refused");
		expect(plan(state).kind).toBe("refused");
		expect(plan(state, { captured_evidence: true }, { evidence: record(state, "passed") }).kind).toBe("refused");
	});
});

describe("FINALIZE of a closed review", () => {
	it("replays for the lineage alone and refuses every other input", () => {
		for (const state of ["approved", "escalated", "invalidated"] as const) {
			const closed = { ...fresh(4), state };
			expect(plan(closed)).toEqual({ kind: "replay" });
			for (const request of [
				{ captured_results: true },
				{ captured_evidence: true },
				{ failed: true },
				{ failed: false },
				{ correction_lines: 1 },
				{ refuter: [] },
			]) {
				expect(plan(closed, request).kind, `${state} ${JSON.stringify(request)}`).toBe("refused");
			}
		}
	});

	it("has a receipt whose evidence says passed exactly when it approved", () => {
		for (const outcome of VERIFICATION_OUTCOMES) {
			const state: ReviewState = { ...fresh(4), state: "validating" };
			const last = steps(plan(state, { captured_evidence: true }, { evidence: record(state, outcome) })).at(-1);
			const receipt = last && deriveReceipt(last.state);
			expect(receipt?.terminal_state === "approved").toBe(outcome === "passed");
			expect(receipt?.evidence_outcome).toBe(outcome);
		}
	});
});

describe("an input of another phase", () => {
	const validating: ReviewState = { ...fresh(4), state: "validating" };
	const blocked: ReviewState = { ...fresh(4), state: "correction_required", fix_finding_ids: ["R3-001"] };

	it.each<[string, ReviewState, Partial<FinalizeRequest>]>([
		["reviewer results beside a forecast", blocked, { captured_results: true, correction_lines: 4 }],
		["evidence beside a forecast", blocked, { captured_evidence: true, correction_lines: 4 }],
		["refuter rows beside a forecast", blocked, { refuter: [], correction_lines: 4 }],
		["a forecast beside evidence", validating, { captured_evidence: true, correction_lines: 4 }],
		["refuter rows beside evidence", validating, { captured_evidence: true, refuter: [] }],
	])("is refused, never ignored: %s", (_, state, request) => {
		expect(plan(state, request, { evidence: record(state, "passed") }).kind).toBe("refused");
	});
});

describe("no request", () => {
	const flags = [true, false];
	const requests = (["reviewing", "correction_required", "validating"] as const).flatMap((state) =>
		[0, 1, 4].flatMap((lenses) =>
			[undefined, ...VERIFICATION_OUTCOMES].flatMap((outcome) =>
				flags.flatMap((captured_results) =>
					flags.flatMap((captured_evidence) =>
						flags.map((target_unchanged) => ({
							start: { ...fresh(lenses), state } satisfies ReviewState,
							request: { captured_results, captured_evidence },
							outcome,
							target_unchanged,
						})),
					),
				),
			),
		),
	);

	function approves(planned: FinalizePlan): boolean {
		return planned.kind === "advance" && planned.steps.at(-1)?.state.state === "approved";
	}

	it("approves anything but a passed verification or an untouched low-risk candidate", () => {
		for (const { start, request, outcome, target_unchanged } of requests) {
			const evidence = outcome && record(start, outcome);
			if (!approves(plan(start, request, { evidence, target_unchanged }))) continue;
			const verified = request.captured_evidence && outcome === "passed";
			expect(verified || (start.risk_level === "low" && target_unchanged)).toBe(true);
		}
	});

	it("that calls the verification failed is ever answered with an approval", () => {
		for (const { start, request, outcome } of requests) {
			const evidence = outcome && record(start, outcome);
			const planned = plan(start, { ...request, failed: true }, { evidence });
			expect(approves(planned), `${start.state}, ${start.risk_level}`).toBe(false);
		}
	});
});
