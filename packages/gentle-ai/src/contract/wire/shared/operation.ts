// What FINALIZE and the gates answer, as documents.
import type { FinalizeOutcome, GateOutcome, RetryOutcome } from "../../model.ts";
import { renderFirstEligibility } from "./eligibility.ts";
import type { FirstEligibilityShape } from "./eligibility-shapes.ts";
import type { GateResultShape } from "./operation-shapes.ts";
import { validationField } from "./transition-render.ts";

const TERMINAL_ACTION = "validate delivery with gentle-ai review validate --gate <gate>";

export function renderFinalized<Transition>(outcome: FinalizeOutcome, next_transition: Transition | undefined) {
	const terminal = ["approved", "escalated", "invalidated"].includes(outcome.state);
	return {
		operation: "review/finalize" as const,
		lineage_id: outcome.lineage_id,
		state: outcome.state,
		action: terminal ? TERMINAL_ACTION : "continue the current review state",
		...(outcome.escalation !== undefined && { escalation: outcome.escalation }),
		store_revision: outcome.revision,
		...(outcome.eligibility !== undefined && {
			eligibility: renderFirstEligibility(outcome.eligibility) as FirstEligibilityShape,
		}),
		...(next_transition !== undefined && { next_transition }),
		...validationField(outcome),
	};
}

export function renderRetried(outcome: RetryOutcome) {
	return {
		operation: "review.retry_final_verification" as const,
		predecessor_lineage_id: outcome.predecessor_lineage_id,
		predecessor_revision: outcome.predecessor_revision,
		lineage_id: outcome.lineage_id,
		state: "validating" as const,
		store_revision: outcome.revision,
		target_identity: outcome.target_identity,
		incident_digest: outcome.incident_digest,
		recovery_disposition: "final_verification_retry" as const,
	};
}

/** The gate result as it stands alone, without a negotiated envelope. */
export function renderGateResult(outcome: GateOutcome): GateResultShape {
	return {
		schema: "gentle-ai.review-gate-result/v1",
		result: outcome.result,
		allowed: outcome.allowed,
		action: outcome.action,
		reason: outcome.reason,
		...(outcome.delivery !== undefined && { delivery: outcome.delivery }),
		context: { ...outcome.context },
	};
}
