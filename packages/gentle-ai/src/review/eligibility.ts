// The compatibility lists beside the transition: the one action that STATUS allows, and why it allows no other. They
// follow from what STATUS decided; they decide nothing.
import type { Eligibility } from "../contract/transition.ts";
import type { ActionDisposition, Applicability, ManagedAction, State } from "../contract/vocabulary.ts";
import { MANAGED_ACTIONS } from "../contract/vocabulary.ts";
import type { StatusColumns } from "./status.ts";
import type { RouteFacts } from "./transition/index.ts";

type Allowed = Eligibility["allowed_actions"][number];

export type EligibilityFacts = {
	readonly applicability: Applicability;
	readonly columns: Pick<StatusColumns, "action" | "replayability">;
	readonly disposition?: ActionDisposition;
	/** State of the current target's authority. */
	readonly state?: State;
	/** What an action that makes a successor must name exactly. */
	readonly binding?: Allowed["binding"];
	/** A classified repair was assessed and is possible. */
	readonly repairable?: boolean;
};

const INPUTS_UNAVAILABLE = "forbidden_required_inputs_unavailable";
const RECONCILE = "forbidden_reconciliation_requires_exact_request";
const AUTHORIZATION = ["actor", "reason", "maintainer_authorization"] as const;
const PREDECESSOR = ["predecessor_lineage", "expected_predecessor_revision", "successor_lineage"] as const;

function allow(action: ManagedAction, reason_code: string, required_inputs: readonly string[] = []): Allowed {
	return { action, reason_code, required_inputs };
}

function stop(reason_code: string): Allowed {
	return { action: "stop", reason_code, required_inputs: [] };
}

function successor(allowed: Allowed, facts: EligibilityFacts): Allowed {
	const { disposition, binding } = facts;
	return { ...allowed, ...(disposition !== undefined && { disposition }), ...(binding !== undefined && { binding }) };
}

function allowedAction(facts: EligibilityFacts): Allowed {
	switch (facts.columns.action) {
		case "start":
			return allow("review.start", "eligible_current_target");
		case "validate":
			return stop(INPUTS_UNAVAILABLE);
		case "finalize":
			return facts.columns.replayability === "exact_replay_safe"
				? allow("review.finalize", "eligible_current_target", ["lineage_id"])
				: stop(INPUTS_UNAVAILABLE);
		case "reconcile_finalize":
			return stop(RECONCILE);
		case "recover": {
			const reason = facts.disposition === "escalated" ? "eligible_recovery_escalated" : "eligible_recovery";
			const inputs = [...PREDECESSOR, "disposition", "reason", "actor", "maintainer_authorization"];
			return successor(allow("review.recover", reason, inputs), facts);
		}
		case "retry_final_verification": {
			const inputs = [...PREDECESSOR, "incident", ...AUTHORIZATION];
			const reason = "eligible_final_verification_retry";
			return successor(allow("review.retry_final_verification", reason, inputs), facts);
		}
		case "repair_authority":
			return facts.repairable === true
				? allow("review.repair", "eligible_classified_authority_repair", AUTHORIZATION)
				: stop("forbidden_manual_intervention_required");
		default:
			return stop("forbidden_manual_intervention_required");
	}
}

function forbiddenReason({ applicability, columns, state }: EligibilityFacts, allowed: Allowed): string {
	if (applicability === "ambiguous") return "forbidden_ambiguous_authority";
	if (applicability === "corrupted") return "forbidden_corrupted_authority";
	if (applicability === "unrelated") return "forbidden_unrelated_target";
	if (columns.action === "stop" && state === "escalated") return "forbidden_terminal_escalated_authority";
	if (columns.action === "stop" && state === "correction_required") return "forbidden_unchanged_escalated_candidate";
	const same = [RECONCILE, INPUTS_UNAVAILABLE].includes(allowed.reason_code);
	return same ? allowed.reason_code : "forbidden_not_selected_by_native_status";
}

/** The lists of one STATUS, from the facts and columns that it was decided by. */
export function statusEligibility(facts: RouteFacts, columns: StatusColumns): Eligibility {
	const { applicability } = facts;
	const { action_disposition: disposition } = columns;
	if (facts.applicability !== "current_target") return eligibility({ applicability, columns });
	const { state, revision } = facts.authority;
	// A retry binds what was verified; a successor of another candidate binds that one.
	const target = disposition === "final_verification_retry" ? state.current_snapshot : facts.live;
	return eligibility({
		applicability,
		columns,
		state: state.state,
		...(disposition !== undefined && {
			disposition,
			binding: { lineage_id: state.lineage_id, revision, target_identity: target.identity },
		}),
	});
}

function lists(allowed: Allowed, reason_code: string): Eligibility {
	const forbidden = MANAGED_ACTIONS.filter((action) => action !== allowed.action);
	return {
		allowed_actions: [allowed],
		forbidden_actions: forbidden.map((action) => ({ action, reason_code })),
	};
}

export function eligibility(facts: EligibilityFacts): Eligibility {
	const allowed = allowedAction(facts);
	return lists(allowed, forbiddenReason(facts, allowed));
}

const ASK_STATUS = "forbidden_finalize_requires_target_status";

/** FINALIZE looks at no target, so it allows nothing and says who can. */
export const FINALIZE_ELIGIBILITY: Eligibility = lists(
	{ action: "stop", reason_code: ASK_STATUS, required_inputs: ["target_scoped_status"] },
	ASK_STATUS,
);
