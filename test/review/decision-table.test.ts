// The decision table of STATUS (behaviour G.2), row by row: the columns, the kind of the transition, and its reason.
import { describe, expect, it } from "vitest";
import { recoveryAuthorization } from "../../packages/gentle-ai/src/review/index.ts";
import { decide, factsOf, type Situation } from "./situations.ts";
import { SNAPSHOT } from "./states.ts";

type Row = readonly [
	situation: string,
	input: Situation,
	receipt: string,
	action: string,
	replayability: "NR" | "ER" | "SR" | "MA",
	transition: string,
];

const REPLAY = {
	NR: "not_replayable",
	ER: "exact_replay_safe",
	SR: "status_required",
	MA: "manual_action_required",
} as const;

const current = (over: Omit<Situation, "applicability">): Situation => ({ applicability: "current_target", ...over });
const correcting = (over: Omit<Situation, "applicability"> = {}): Situation =>
	current({ state: "correction_required", forecast: 5, candidate: "changed", ...over });
const validating = (over: Omit<Situation, "applicability"> = {}): Situation =>
	current({ state: "validating", tier: "high", ...over });
const closed = (state: "approved" | "escalated", over: Omit<Situation, "applicability"> = {}): Situation =>
	current({ state, receipt: "present", ...over });

const MISSING = "expected_missing";
const NONE = "not_applicable";

// biome-ignore format: one row of the table is one line
const ROWS: readonly Row[] = [
	["nobody reviews it", { applicability: "unrelated" }, NONE, "start", "NR", "execute fresh_target_ready"],
	["a staged overlay", { applicability: "unrelated", target: "staged-overlay" }, NONE, "stop", "MA", "stop staged_workspace_overlay_recovery_unavailable"],
	["several claim it", { applicability: "ambiguous", candidates: ["a", "b"] }, NONE, "select_lineage", "SR", "collect lineage_selection_required"],
	["its record is damaged", { applicability: "corrupted" }, NONE, "repair_authority", "MA", "stop corrupted_or_unverifiable_authority"],
	["escalated for want of tools", closed("escalated", { retry_eligible: true }), "present", "retry_final_verification", "MA", "collect final_verification_retry_authorization_required"],
	["escalated, and other bytes of its scope", closed("escalated", { candidate: "changed" }), "present", "recover escalated", "MA", "collect recovery_authorization_required"],
	["a correction that outgrew its scope", correcting({ candidate: "wider" }), MISSING, "recover scope_changed", "MA", "collect recovery_authorization_required"],
	["escalated and unchanged", closed("escalated"), "present", "stop", "MA", "stop native_stop_required"],
	["a correction that was used up", current({ state: "correction_required", attempts: 1 }), MISSING, "stop", "MA", "stop unchanged_or_unverified_authority"],
	["approved without its receipt", closed("approved", { receipt: "absent" }), "publication_pending", "finalize", "ER", "execute exact_receipt_replay"],
	// The wire contract (4.3.2) lets an escalation publish its receipt too; the table knows only the published one.
	["escalated without its receipt", closed("escalated", { receipt: "absent" }), "publication_pending", "finalize", "ER", "execute exact_receipt_replay"],
	["a captured result that no longer verifies", current({ captured: "unverifiable" }), MISSING, "finalize", "NR", "stop captured_artifacts_unverifiable"],
	["open slots", current({ tier: "high", captured: 3 }), MISSING, "finalize", "NR", "collect reviewer_results_required"],
	["every slot filled", current({ tier: "high", captured: 4 }), MISSING, "finalize", "NR", "execute captured_results_ready"],
	["no lens at all", current({ tier: "low" }), MISSING, "finalize", "NR", "execute captured_results_ready"],
	["blockers without a plan", current({ state: "correction_required" }), MISSING, "finalize", "NR", "collect correction_plan_required"],
	["blockers without a plan, other bytes already", current({ state: "correction_required", candidate: "changed" }), MISSING, "finalize", "NR", "collect correction_plan_required"],
	["a plan and the frozen bytes", correcting({ candidate: "unchanged" }), MISSING, "finalize", "NR", "stop corrected_candidate_unavailable"],
	["a plan and lines over the budget", correcting({ forecast: 11 }), MISSING, "finalize", "NR", "stop corrected_candidate_unavailable"],
	["a corrected candidate", correcting(), MISSING, "finalize", "NR", "collect correction_repository_verification_required"],
	["a corrected candidate with damaged evidence", correcting({ evidence: "invalid" }), MISSING, "finalize", "NR", "stop captured_verification_evidence_invalid"],
	["a corrected candidate that failed", correcting({ evidence: "verification_failed" }), MISSING, "finalize", "NR", "stop correction_repository_verification_failed"],
	["a corrected candidate without tools", correcting({ evidence: "procedural_tooling_failed" }), MISSING, "finalize", "NR", "execute correction_repository_tooling_failed"],
	["a corrected candidate that passed", correcting({ evidence: "passed" }), MISSING, "finalize", "NR", "collect targeted_validation_required"],
	["damaged evidence", validating({ evidence: "invalid" }), MISSING, "finalize", "NR", "stop captured_verification_evidence_invalid"],
	["evidence that passed", validating({ evidence: "passed" }), MISSING, "finalize", "NR", "execute captured_verification_evidence_passed"],
	["evidence that failed", validating({ evidence: "verification_failed" }), MISSING, "finalize", "NR", "execute captured_verification_failed"],
	["evidence without tools", validating({ evidence: "procedural_tooling_failed" }), MISSING, "finalize", "NR", "execute captured_verification_tooling_failed"],
	["low risk without evidence", validating({ tier: "low" }), MISSING, "finalize", "NR", "execute native_low_risk_verification"],
	["no evidence", validating(), MISSING, "finalize", "NR", "collect verification_evidence_required"],
	["approved", closed("approved"), "present", "validate", "NR", "execute approved_receipt_ready"],
	["invalidated", current({ state: "invalidated" }), MISSING, "recover invalidated", "MA", "collect recovery_authorization_required"],
];

describe("G.2: STATUS of a target with", () => {
	it.each(ROWS)("%s", (_, input, receipt_status, action, replayability, transition) => {
		const [name, action_disposition] = action.split(" ");
		const [kind, reason_code] = transition.split(" ");
		const disposition = action_disposition ?? (input.retry_eligible === true ? "final_verification_retry" : undefined);
		expect(decide(factsOf(input))).toEqual({
			action: name,
			...(disposition !== undefined && { action_disposition: disposition }),
			replayability: REPLAY[replayability],
			receipt_status,
			next_transition: { kind, reason_code },
		});
	});

	it("a recovery executes it with the exact authorization, and asks again for one that is only almost exact", () => {
		const facts = factsOf(correcting({ candidate: "wider" }));
		if (facts.applicability !== "current_target") throw new Error(facts.applicability);
		const [actor, reason] = ["Ada", "the scope grew"];
		const exact = recoveryAuthorization({
			predecessor_lineage: facts.authority.state.lineage_id,
			predecessor_revision: facts.authority.revision,
			target_identity: facts.live.identity,
			actor,
			reason,
		});
		const asked = (authorization: string) =>
			decide(facts, { recovery: { successor_lineage: "wider", actor, reason, authorization } }).next_transition;
		expect(asked(exact)).toEqual({ kind: "execute", reason_code: "recovery_authorized" });
		expect(facts.live.identity).not.toBe(SNAPSHOT.identity);
		for (const almost of [`${exact}\n`, exact.replace("\n", "\r\n"), exact.replace("Ada", "ada"), ""]) {
			expect(asked(almost)).toEqual({ kind: "collect", reason_code: "recovery_authorization_required" });
		}
	});
});
