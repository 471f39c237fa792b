// Pins the routes of STATUS for each state of a review: the arguments, preconditions and bindings that the contract prints.
import { describe, expect, it } from "vitest";
import { correctionPlanRequestHash, stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { AdmittedFinding } from "../../packages/gentle-ai/src/contract/state.ts";
import type { Transition } from "../../packages/gentle-ai/src/contract/transition.ts";
import { nextTransition, type RouteFacts } from "../../packages/gentle-ai/src/review/index.ts";
import { at, executed, named, next, REQUEST } from "./routes.ts";
import { digest, fresh, MANIFEST, SNAPSHOT, view } from "./states.ts";

function collected(transition: Transition) {
	if (transition.kind !== "collect") throw new Error(`${transition.kind} ${transition.reason_code}`);
	return transition.inputs;
}

const BLOCKER: AdmittedFinding = {
	id: "R3-001",
	lens: "reliability",
	location: "tracked.txt:1",
	severity: "BLOCKER",
	claim: "it breaks",
	proof_refs: ["tracked.txt:1 changed hunk", "test output"],
	evidence_class: "deterministic",
	causal_disposition: "introduced",
};

describe("a review in progress", () => {
	it("asks for each open slot, and only for those, with what binds the answer to it", () => {
		const state = fresh(4);
		const authority = view(state, 1);
		const inputs = collected(next(authority));
		expect(inputs.map(({ slot }) => slot?.subject.lens)).toEqual(state.selected_lenses.slice(1));
		for (const [index, input] of inputs.entries()) {
			const subject = authority.subjects[index + 1];
			expect(input).toMatchObject({
				name: "reviewer_result",
				schema: "https://gentle-ai.dev/schema/review/reviewer/v1",
				capture_operation: "review.capture-result",
				slot: { subject, manifest: MANIFEST },
			});
			expect(input.arguments.map(({ token }) => token)).toEqual([
				"--lineage=review-1",
				`--expected-revision=${stateRevision(state)}`,
				`--target=${SNAPSHOT.identity}`,
				`--repository-context=rctx1_${"6".repeat(64)}`,
				`--lens=${subject?.lens}`,
				`--order=${index + 1}`,
				`--subject-hash=${subject?.subject_hash}`,
			]);
		}
	});

	it("with every slot filled is finalized from what was captured", () => {
		const state = fresh(4);
		const transition = next(view(state, 4));
		expect(transition.reason_code).toBe("captured_results_ready");
		const execution = executed(transition);
		expect(named(execution.arguments)).toEqual(["lineage=review-1", "captured_results=true"]);
		expect(named(execution.preconditions)).toEqual(["state=reviewing", "captured_artifacts=complete"]);
		expect(execution.binding).toEqual({
			lineage_id: "review-1",
			revision: stateRevision(state),
			target_identity: SNAPSHOT.identity,
		});
		expect(execution.artifacts?.map(({ lens }) => lens)).toEqual(state.selected_lenses);
	});

	it("waits for the refuter before it offers to finalize", () => {
		const inputs = collected(next(view(fresh(4), 4, { to_refute: ["R1-001", "R3-002"] })));
		expect(inputs).toMatchObject([
			{ name: "refuter_outcomes", schema: "https://gentle-ai.dev/schema/review/refuter/v1" },
		]);
		expect(inputs[0]?.capture_operation).toMatch(/^external\./);
		expect(inputs[0]?.arguments.every(({ token }) => token === undefined)).toBe(true);
	});

	it("asks no refuter while a slot is open", () => {
		expect(next(view(fresh(4), 3, { to_refute: ["R1-001"] })).reason_code).toBe("reviewer_results_required");
	});

	it("stops at one slot that no longer verifies, however full the others are", () => {
		const authority = view(fresh(4), 4);
		const slots = authority.slots.map((slot, order) => (order === 2 ? { status: "unverifiable" as const } : slot));
		expect(next({ ...authority, slots })).toEqual({ kind: "stop", reason_code: "captured_artifacts_unverifiable" });
	});
});

describe("a review with blockers", () => {
	const state = at("correction_required", { findings: [BLOCKER], fix_finding_ids: ["R3-001"] });

	it("collects the number of lines and says what must be fixed", () => {
		const transition = next(view(state, 4));
		if (transition.kind !== "collect") throw new Error(transition.kind);
		expect(transition.inputs).toMatchObject([
			{
				name: "correction_lines",
				schema: "gentle-ai.review-correction-plan/v1",
				capture_operation: "external.plan_correction",
			},
		]);
		expect(named(transition.inputs[0]?.arguments ?? [])).toEqual([
			"lineage=review-1",
			`expected-revision=${stateRevision(state)}`,
			`target=${SNAPSHOT.identity}`,
		]);
		const request = transition.correction_request;
		if (request === undefined) throw new Error("no request");
		const { request_hash, ...hashed } = request;
		expect(request_hash).toBe(correctionPlanRequestHash(hashed));
		expect(Object.keys(request)).toEqual([
			"schema",
			"request_hash",
			"lineage_id",
			"expected_revision",
			"target_identity",
			"correction_budget",
			"fix_finding_ids",
			"findings",
		]);
		expect(Object.keys(request.findings[0] ?? {})).toEqual([
			"id",
			"lens",
			"location",
			"severity",
			"claim",
			"proof_refs",
			"evidence",
			"evidence_class",
			"causal_disposition",
		]);
	});

	it("repeats the request while the candidate is still the frozen one", () => {
		const planned = { ...state, correction_forecast: 3 };
		expect(next(view(planned, 4))).toMatchObject({
			kind: "stop",
			reason_code: "corrected_candidate_unavailable",
			correction_request: { fix_finding_ids: ["R3-001"] },
		});
	});
});

describe("a review that waits for verification", () => {
	it("collects evidence for the candidate that was reviewed", () => {
		const state = at("validating");
		const facts: RouteFacts = {
			applicability: "current_target",
			live: { ...SNAPSHOT, identity: digest("9") },
			authority: view(state, 4),
		};
		const inputs = collected(nextTransition(facts, REQUEST));
		expect(inputs).toMatchObject([
			{
				name: "evidence",
				schema: "gentle-ai.review-verification-evidence/v2",
				capture_operation: "review.capture-evidence",
			},
		]);
		expect(inputs[0]?.arguments.map(({ token }) => token)).toEqual([
			"--lineage=review-1",
			`--expected-revision=${stateRevision(state)}`,
			`--target=${state.current_snapshot.identity}`,
		]);
	});

	it.each([
		["passed", "captured_verification_evidence_passed"],
		["verification_failed", "captured_verification_failed"],
		["procedural_tooling_failed", "captured_verification_tooling_failed"],
	] as const)("is finalized by evidence that says %s", (evidence, reason) => {
		const transition = next(view(at("validating"), 4, { evidence }));
		expect(transition.reason_code).toBe(reason);
		expect(named(executed(transition).arguments)).toEqual(["lineage=review-1", "captured_evidence=true"]);
		expect(named(executed(transition).preconditions)).toEqual(["state=validating", `verification_outcome=${evidence}`]);
	});

	it("of low risk needs no evidence", () => {
		const transition = next(view(at("validating", {}, 0)));
		expect(transition.reason_code).toBe("native_low_risk_verification");
		expect(named(executed(transition).arguments)).toEqual(["lineage=review-1"]);
		expect(named(executed(transition).preconditions)).toEqual(["state=validating", "risk_level=low"]);
	});
});

describe("a closed review", () => {
	const published = { status: "published", identity: digest("7") } as const;

	it("that approved offers the gate that STATUS was asked about", () => {
		const transition = next(view(at("approved"), 4, { receipt: published }), { gate: "post-apply", selector: true });
		expect(transition.reason_code).toBe("approved_receipt_ready");
		const execution = executed(transition);
		expect(named(execution.arguments)).toEqual(["lineage=review-1", "gate=post-apply"]);
		expect(execution.selector_arguments).toEqual([]);
		expect(named(execution.preconditions)).toEqual(["state=approved", "receipt=present"]);
	});

	it("without its receipt publishes it again", () => {
		const transition = next(view(at("approved"), 4));
		expect(transition.reason_code).toBe("exact_receipt_replay");
		expect(named(executed(transition).arguments)).toEqual(["lineage=review-1"]);
		expect(named(executed(transition).preconditions)).toEqual(["state=approved", "receipt=publication_pending"]);
	});

	it("whose receipt differs is corrupted", () => {
		expect(next(view(at("approved"), 4, { receipt: { status: "conflict" } }))).toEqual({
			kind: "stop",
			reason_code: "corrupted_or_unverifiable_authority",
		});
	});
});
