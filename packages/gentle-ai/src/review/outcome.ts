// The whole answer of one STATUS, from the facts that it was decided by.
import type { StatusOutcome } from "../contract/model.ts";
import type { Transition } from "../contract/transition.ts";
import { statusEligibility } from "./eligibility.ts";
import { statusColumns } from "./status.ts";
import type { RouteFacts } from "./transition/index.ts";

/** `asked` is what the caller wants to see beside the columns. */
export function statusOutcome(
	facts: RouteFacts,
	transition: Transition,
	asked: { readonly action_eligibility?: boolean; readonly next_transition: boolean },
): StatusOutcome {
	const columns = statusColumns(facts);
	const current = facts.applicability === "current_target" ? facts.authority : undefined;
	return {
		applicability: facts.applicability,
		...(current !== undefined && {
			authority: {
				lineage_id: current.state.lineage_id,
				state: current.state.state,
				generation: current.state.generation,
				revision: current.revision,
				tier: current.state.risk_level,
				original_changed_lines: current.state.original_changed_lines,
				correction_budget: current.state.correction_budget,
				initial: current.state.initial_snapshot,
				current: current.state.current_snapshot,
			},
		}),
		receipt: columns.receipt,
		action: columns.action,
		...(columns.action_disposition !== undefined && { action_disposition: columns.action_disposition }),
		replayability: columns.replayability,
		live: facts.live,
		candidates: facts.applicability === "ambiguous" ? facts.candidates : [],
		...(asked.action_eligibility === true && { eligibility: statusEligibility(facts, columns) }),
		...(asked.next_transition && { transition }),
		...(asked.next_transition &&
			current?.correction !== undefined && { validation_request: current.correction.request }),
		...(columns.action === "retry_final_verification" &&
			current?.retry !== undefined && { final_verification_retry: current.retry }),
	};
}
