// FINALIZE of a corrected candidate as a plan (behaviour C.3, C.5): its evidence, its validator, and what neither may do.
import { describe, expect, it } from "vitest";
import { EMPTY_DIGEST } from "../../packages/gentle-ai/src/contract/canonical.ts";
import { fixDeltaHash, stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { ValidatorResult } from "../../packages/gentle-ai/src/contract/payloads.ts";
import type { ReviewState, VerificationRecord } from "../../packages/gentle-ai/src/contract/state.ts";
import type { VerificationOutcome } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	type CorrectedCandidate,
	correctionTarget,
	deriveReceipt,
	relate,
	validationRequest,
} from "../../packages/gentle-ai/src/review/index.ts";
import { blocker, plan, record, steps } from "./plans.ts";
import { digest, fresh, SNAPSHOT } from "./states.ts";

const BUDGET = 10;
const STATE: ReviewState = {
	...fresh(4),
	state: "correction_required",
	findings: [blocker()],
	fix_finding_ids: ["R3-001"],
	correction_forecast: 5,
};
const CORRECTED_TREE = "d".repeat(40);

function corrected(actual_lines = 3, state = STATE): CorrectedCandidate {
	const fix = correctionTarget(state, {
		candidate_tree: CORRECTED_TREE,
		paths: SNAPSHOT.paths,
		intended_untracked_proof: SNAPSHOT.intended_untracked_proof,
	});
	return { fix, actual_lines, request: validationRequest(state, stateRevision(state), fix) };
}

function verdict(over: Partial<ValidatorResult> = {}): ValidatorResult {
	const { request } = corrected();
	return {
		targeted_validation_request_hash: request.request_hash,
		correction_target_identity: request.correction_target_identity,
		original_criteria: { passed: true, evidence: ["the finding no longer reproduces"] },
		correction_regression: { passed: true, evidence: ["the tests around it pass"] },
		follow_ups: [],
		...over,
	};
}

function evidence(outcome: VerificationOutcome): VerificationRecord {
	const { fix } = corrected();
	return { ...record(STATE, outcome), target_identity: fix.identity, candidate_tree: fix.candidate_tree };
}

function judged(
	validation: ValidatorResult | undefined,
	facts: { readonly outcome?: VerificationOutcome; readonly lines?: number; readonly state?: ReviewState } = {},
) {
	const state = facts.state ?? STATE;
	const view = { evidence: evidence(facts.outcome ?? "passed"), correction: corrected(facts.lines, STATE) };
	return plan(state, { captured_evidence: true, validation }, view);
}

function closedBy(...args: Parameters<typeof judged>): ReviewState {
	const [only, ...more] = steps(judged(...args));
	if (only === undefined || more.length > 0) throw new Error("not exactly one step");
	return only.state;
}

describe("C.3: a corrected candidate", () => {
	it("is approved in one step that binds the correction, its verdict and its evidence", () => {
		const after = closedBy(verdict());
		expect(after).toMatchObject({
			state: "approved",
			current_snapshot: { candidate_tree: CORRECTED_TREE },
			initial_snapshot: STATE.initial_snapshot,
			genesis_paths: STATE.genesis_paths,
			correction_attempt: { actual_lines: 3, validation_request_hash: corrected().request.request_hash },
			evidence_hash: digest("e"),
		});
		expect(after.fix_delta_hash).toBe(fixDeltaHash(corrected().fix));
	});

	it.each([0, 1, BUDGET])("of %i measured lines is accepted within its budget", (lines) => {
		expect(closedBy(verdict(), { lines }).correction_attempt?.actual_lines).toBe(lines);
	});

	it("of more lines is refused, and may shrink", () => {
		expect(judged(verdict(), { lines: BUDGET + 1 })).toMatchObject({ kind: "refused", field: "candidate" });
	});

	it("whose verification failed stays open, with or without a validator", () => {
		for (const validation of [undefined, verdict()]) {
			expect(judged(validation, { outcome: "verification_failed" })).toMatchObject({
				kind: "refused",
				field: "--captured-evidence",
			});
		}
	});

	it("whose tools failed escalates without an attempt, and takes no verdict", () => {
		const after = closedBy(undefined, { outcome: "procedural_tooling_failed" });
		expect(after.state).toBe("escalated");
		expect(after).not.toHaveProperty("correction_attempt");
		expect(after.current_snapshot).toEqual(STATE.current_snapshot);
		expect(judged(verdict(), { outcome: "procedural_tooling_failed" })).toMatchObject({ field: "--validation" });
	});

	it.each([
		["original_criteria", "it still breaks"],
		["correction_regression", "two tests broke"],
	])("whose %s failed escalates and uses its one attempt up", (check, said) => {
		expect(closedBy(verdict({ [check]: { passed: false, evidence: [said] } }))).toMatchObject({
			state: "escalated",
			correction_attempt: { actual_lines: 3 },
		});
	});

	it("has one attempt in its whole ancestry", () => {
		const inherited: ReviewState = { ...STATE, correction_attempt_inherited: true };
		expect(judged(verdict(), { state: inherited }).kind).toBe("refused");
		const live = { ...SNAPSHOT, candidate_tree: CORRECTED_TREE };
		expect(relate(STATE, live)).toEqual({ kind: "correction" });
		expect(relate(inherited, live)).toEqual({ kind: "unrelated" });
	});

	it("takes only follow-ups along from its validator", () => {
		const follow_ups = [{ observation: "the name says little", proof_refs: ["tracked.txt:1"] }];
		const after = closedBy(verdict({ follow_ups }));
		expect(after.follow_ups.map(({ observation }) => observation)).toEqual(["the name says little"]);
		expect(after.findings).toEqual(STATE.findings);
	});
});

describe("C.5: a verdict", () => {
	it.each([
		["another request", { targeted_validation_request_hash: digest("9") }, "request_hash"],
		["another candidate", { correction_target_identity: digest("9") }, "correction_target_identity"],
	])("about %s is refused by the field that differs", (_, over, field) => {
		const refused = judged(verdict(over));
		expect(refused).toMatchObject({ kind: "refused", field: "--validation", value: digest("9") });
		expect(refused.kind === "refused" && refused.rule).toContain(field);
	});

	it("is not given for a revision before the forecast", () => {
		const { correction_forecast: _, ...unplanned } = STATE;
		expect(judged(verdict(), { state: unplanned }).kind).toBe("refused");
	});

	it("must be there when the verification passed", () => {
		expect(judged(undefined)).toMatchObject({ kind: "refused", field: "--validation" });
	});

	it.each(["n/a", "passed", " TODO ", ""])("with %j for evidence is refused, in each of its three places", (said) => {
		for (const over of [
			{ original_criteria: { passed: true, evidence: ["it is gone", said] } },
			{ correction_regression: { passed: true, evidence: [said] } },
			{ follow_ups: [{ observation: "later", proof_refs: [said] }] },
		]) {
			expect(judged(verdict(over))).toMatchObject({ kind: "refused", field: "--validation", value: said });
		}
	});

	it.each(["unable to inspect the corrected tree", "Permission denied.", "the candidate was not inspected"])(
		"that says no more than %j is none, and neither check carries the other (F9)",
		(said) => {
			for (const passed of [true, false]) {
				const check = { passed, evidence: [said] };
				for (const over of [{ original_criteria: check }, { correction_regression: check }]) {
					expect(judged(verdict(over))).toMatchObject({ kind: "refused", field: "--validation" });
				}
			}
		},
	);

	it("may quote such words and may say more beside them (FR-16)", () => {
		for (const evidence of [
			['the handler now returns "permission denied" for a foreign user'],
			["the lock file was not inspected", "app.ts:2 was compared in both trees"],
		]) {
			expect(closedBy(verdict({ original_criteria: { passed: true, evidence } })).state).toBe("approved");
		}
	});
});

describe("C.6: the receipt of a correction", () => {
	it("names the frozen paths, the corrected tree, its fix and the findings that it fixed", () => {
		expect(deriveReceipt(closedBy(verdict()))).toMatchObject({
			terminal_state: "approved",
			initial_review_tree: SNAPSHOT.candidate_tree,
			final_candidate_tree: CORRECTED_TREE,
			paths_digest: SNAPSHOT.paths_digest,
			fix_delta_hash: fixDeltaHash(corrected().fix),
			resolved_finding_ids: ["R3-001"],
			evidence_hash: digest("e"),
			evidence_outcome: "passed",
			evidence_target_identity: corrected().fix.identity,
		});
	});

	it("of an escalation for want of tools says so, and names the frozen tree", () => {
		expect(deriveReceipt(closedBy(undefined, { outcome: "procedural_tooling_failed" }))).toMatchObject({
			terminal_state: "escalated",
			final_candidate_tree: SNAPSHOT.candidate_tree,
			evidence_outcome: "procedural_tooling_failed",
		});
	});

	it("without any evidence has the hash of nothing, and an invalidated review has none", () => {
		const { correction_forecast: _, ...unplanned } = STATE;
		const [escalated] = steps(plan(unplanned, { correction_lines: BUDGET + 1 }));
		expect(escalated && deriveReceipt(escalated.state)?.evidence_hash).toBe(EMPTY_DIGEST);
		expect(deriveReceipt({ ...fresh(4), state: "invalidated" })).toBeUndefined();
	});
});
