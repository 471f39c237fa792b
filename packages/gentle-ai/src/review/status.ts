// What STATUS says about one target beside the transition: the historical action, replayability and receipt columns.
import type {
	ActionDisposition,
	ReceiptStatus,
	RecoveryDisposition,
	Replayability,
	StatusAction,
} from "../contract/vocabulary.ts";
import { isCorrectionExhausted, isTerminal } from "./lineage/index.ts";
import type { AuthorityView, RouteFacts } from "./transition/index.ts";

export type StatusColumns = {
	readonly action: StatusAction;
	readonly action_disposition?: ActionDisposition;
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

function receiptColumn({ state, receipt }: AuthorityView): StatusColumns["receipt"] {
	if (!isTerminal(state.state) || state.state === "invalidated") return { status: "expected_missing" };
	if (receipt.status === "absent") return { status: "publication_pending" };
	return { status: "present", ...(receipt.identity !== undefined && { identity: receipt.identity }) };
}

function recoverable(authority: AuthorityView, action_disposition: RecoveryDisposition): StatusColumns {
	return {
		action: "recover",
		action_disposition,
		replayability: "manual_action_required",
		receipt: receiptColumn(authority),
	};
}

function currentColumns(authority: AuthorityView): StatusColumns {
	const { state, retry } = authority;
	const receipt = receiptColumn(authority);
	if (state.state === "correction_required" && isCorrectionExhausted(state)) {
		return { action: "stop", replayability: "manual_action_required", receipt };
	}
	if (!isTerminal(state.state)) return { action: "finalize", replayability: "not_replayable", receipt };
	if (receipt.status === "publication_pending") {
		return { action: "finalize", replayability: "exact_replay_safe", receipt };
	}
	if (state.state === "approved") return { action: "validate", replayability: "not_replayable", receipt };
	if (retry === undefined) return { action: "stop", replayability: "manual_action_required", receipt };
	return {
		action: "retry_final_verification",
		action_disposition: "final_verification_retry",
		replayability: "manual_action_required",
		receipt,
	};
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
			return facts.recoverable === undefined
				? currentColumns(facts.authority)
				: recoverable(facts.authority, facts.recoverable);
	}
}
