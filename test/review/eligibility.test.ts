// The eligibility lists: one row a situation of STATUS, and the constant lists of FINALIZE.
import { describe, expect, it } from "vitest";
import { eligibility, FINALIZE_ELIGIBILITY } from "../../packages/gentle-ai/src/review/index.ts";

type Facts = Parameters<typeof eligibility>[0];

const MANAGED = [
	"review.abandon",
	"review.finalize",
	"review.invalidate",
	"review.quarantine-legacy",
	"review.reclaim",
	"review.reconcile-authority",
	"review.reconcile-authority-batch",
	"review.recover",
	"review.repair",
	"review.retry_final_verification",
	"review.start",
	"review.validate",
];

const BINDING = {
	lineage_id: "review-a",
	revision: `sha256:${"a".repeat(64)}`,
	target_identity: `sha256:${"b".repeat(64)}`,
};
const MANUAL = "forbidden_manual_intervention_required";
const UNAVAILABLE = "forbidden_required_inputs_unavailable";
const NOT_SELECTED = "forbidden_not_selected_by_native_status";
const RECONCILE = "forbidden_reconciliation_requires_exact_request";
const RECOVERY_INPUTS = [
	"predecessor_lineage",
	"expected_predecessor_revision",
	"successor_lineage",
	"disposition",
	"reason",
	"actor",
	"maintainer_authorization",
];

type Row = {
	readonly situation: string;
	readonly facts: Facts;
	readonly allowed: string;
	readonly reason: string;
	readonly inputs?: readonly string[];
	readonly forbidden: string;
};

function current(action: Facts["columns"]["action"], over: Partial<Facts> = {}): Facts {
	return { applicability: "current_target", columns: { action, replayability: "not_replayable" }, ...over };
}

function elsewhere(applicability: Facts["applicability"], action: Facts["columns"]["action"]): Facts {
	return { applicability, columns: { action, replayability: "not_replayable" } };
}

const ROWS: readonly Row[] = [
	{
		situation: "a target that nobody reviews",
		facts: elsewhere("unrelated", "start"),
		allowed: "review.start",
		reason: "eligible_current_target",
		forbidden: "forbidden_unrelated_target",
	},
	{
		situation: "a fresh overlay of the index",
		facts: elsewhere("unrelated", "stop"),
		allowed: "stop",
		reason: MANUAL,
		forbidden: "forbidden_unrelated_target",
	},
	{
		situation: "several reviews of one target",
		facts: elsewhere("ambiguous", "select_lineage"),
		allowed: "stop",
		reason: MANUAL,
		forbidden: "forbidden_ambiguous_authority",
	},
	{
		situation: "a damaged record",
		facts: elsewhere("corrupted", "repair_authority"),
		allowed: "stop",
		reason: MANUAL,
		forbidden: "forbidden_corrupted_authority",
	},
	{
		situation: "a historical record that can be repaired",
		facts: { ...elsewhere("corrupted", "repair_authority"), repairable: true },
		allowed: "review.repair",
		reason: "eligible_classified_authority_repair",
		inputs: ["actor", "reason", "maintainer_authorization"],
		forbidden: "forbidden_corrupted_authority",
	},
	{
		situation: "an open review",
		facts: current("finalize", { state: "reviewing" }),
		allowed: "stop",
		reason: UNAVAILABLE,
		forbidden: UNAVAILABLE,
	},
	{
		situation: "a receipt that waits for its publication",
		facts: current("finalize", {
			state: "approved",
			columns: { action: "finalize", replayability: "exact_replay_safe" },
		}),
		allowed: "review.finalize",
		reason: "eligible_current_target",
		inputs: ["lineage_id"],
		forbidden: NOT_SELECTED,
	},
	{
		situation: "an approval",
		facts: current("validate", { state: "approved" }),
		allowed: "stop",
		reason: UNAVAILABLE,
		forbidden: UNAVAILABLE,
	},
	{
		situation: "an interrupted finalization",
		facts: current("reconcile_finalize", { state: "reviewing" }),
		allowed: "stop",
		reason: RECONCILE,
		forbidden: RECONCILE,
	},
	{
		situation: "an approval whose candidate moved on",
		facts: current("recover", { state: "approved", disposition: "scope_changed", binding: BINDING }),
		allowed: "review.recover",
		reason: "eligible_recovery",
		inputs: RECOVERY_INPUTS,
		forbidden: NOT_SELECTED,
	},
	{
		situation: "an escalation whose candidate moved on",
		facts: current("recover", { state: "escalated", disposition: "escalated", binding: BINDING }),
		allowed: "review.recover",
		reason: "eligible_recovery_escalated",
		inputs: RECOVERY_INPUTS,
		forbidden: NOT_SELECTED,
	},
	{
		situation: "a final verification without its tools",
		facts: current("retry_final_verification", {
			state: "escalated",
			disposition: "final_verification_retry",
			binding: BINDING,
		}),
		allowed: "review.retry_final_verification",
		reason: "eligible_final_verification_retry",
		inputs: [...RECOVERY_INPUTS.slice(0, 3), "incident", "actor", "reason", "maintainer_authorization"],
		forbidden: NOT_SELECTED,
	},
	{
		situation: "an escalation that nothing continues",
		facts: current("stop", { state: "escalated" }),
		allowed: "stop",
		reason: MANUAL,
		forbidden: "forbidden_terminal_escalated_authority",
	},
	{
		situation: "a correction that changed nothing",
		facts: current("stop", { state: "correction_required" }),
		allowed: "stop",
		reason: MANUAL,
		forbidden: "forbidden_unchanged_escalated_candidate",
	},
	{
		situation: "a matter for a maintainer",
		facts: current("maintainer_action", { state: "invalidated" }),
		allowed: "stop",
		reason: MANUAL,
		forbidden: NOT_SELECTED,
	},
];

describe("eligibility", () => {
	it.each(ROWS)("of $situation allows $allowed alone", ({ facts, allowed, reason, inputs = [], forbidden }) => {
		const lists = eligibility(facts);
		const [only] = lists.allowed_actions;
		expect(lists.allowed_actions).toHaveLength(1);
		expect(only).toEqual({
			action: allowed,
			reason_code: reason,
			required_inputs: inputs,
			...(facts.disposition !== undefined && { disposition: facts.disposition, binding: facts.binding }),
		});
		const others = MANAGED.filter((action) => action !== allowed);
		expect(lists.forbidden_actions).toEqual(others.map((action) => ({ action, reason_code: forbidden })));
	});

	it("of FINALIZE allows nothing and sends to STATUS", () => {
		const reason_code = "forbidden_finalize_requires_target_status";
		expect(FINALIZE_ELIGIBILITY.allowed_actions).toEqual([
			{ action: "stop", reason_code, required_inputs: ["target_scoped_status"] },
		]);
		expect(FINALIZE_ELIGIBILITY.forbidden_actions).toEqual(MANAGED.map((action) => ({ action, reason_code })));
	});
});
