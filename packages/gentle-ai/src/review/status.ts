// What STATUS says about one target beside the transition: the historical action, replayability and receipt columns.
import type { ReceiptStatus, Replayability, StatusAction } from "../contract/vocabulary.ts";
import { isTerminal } from "./lineage.ts";
import type { AuthorityView, RouteFacts } from "./transition.ts";

export type StatusColumns = {
	readonly action: StatusAction;
	readonly replayability: Replayability;
	readonly receipt: { readonly status: ReceiptStatus; readonly identity?: string };
};

function columns(
	action: StatusAction,
	replayability: Replayability,
	status: ReceiptStatus,
	identity?: string,
): StatusColumns {
	return { action, replayability, receipt: { status, ...(identity !== undefined && { identity }) } };
}

function currentColumns({ state, receipt }: AuthorityView): StatusColumns {
	if (state.state === "correction_required" && state.correction_budget === 0) {
		return columns("stop", "manual_action_required", "expected_missing");
	}
	if (!isTerminal(state.state)) return columns("finalize", "not_replayable", "expected_missing");
	if (state.state === "invalidated") return columns("stop", "manual_action_required", "expected_missing");
	if (receipt.status === "absent") return columns("finalize", "exact_replay_safe", "publication_pending");
	return state.state === "approved"
		? columns("validate", "not_replayable", "present", receipt.identity)
		: columns("stop", "manual_action_required", "present", receipt.identity);
}

export function statusColumns(facts: RouteFacts): StatusColumns {
	switch (facts.applicability) {
		case "unrelated": {
			const overlay = facts.live.kind === "base-workspace-overlay" && facts.live.projection === "staged";
			return overlay
				? columns("stop", "manual_action_required", "not_applicable")
				: columns("start", "not_replayable", "not_applicable");
		}
		case "ambiguous":
			return columns("select_lineage", "status_required", "not_applicable");
		case "corrupted":
			return columns("repair_authority", "manual_action_required", "not_applicable");
		case "current_target":
			return currentColumns(facts.authority);
	}
}
