// The failure columns of the contract, row by row as its table has them.
import type { Failure } from "./documents.ts";

export type Columns = Pick<
	Failure,
	| "phase"
	| "mutation_outcome"
	| "authority_applicability"
	| "retry_safe"
	| "replayability"
	| "next_action"
	| "required_inputs"
>;

function row(
	phase: string,
	authority_applicability: string,
	retry_safe: boolean,
	replayability: string,
	next_action: string,
	required_inputs: readonly string[] = [],
	mutation_outcome: "not_started" | "unknown" | "committed" = "not_started",
): Columns {
	return {
		phase,
		mutation_outcome,
		authority_applicability,
		retry_safe,
		replayability,
		next_action,
		required_inputs,
	};
}

const RECOVERY = [
	"predecessor_lineage_id",
	"expected_predecessor_revision",
	"successor_lineage_id",
	"disposition",
	"reason",
	"actor",
];

/** Wire contract, table of codes (8.2). */
export const COLUMNS = {
	empty_contract: row("preflight", "not_evaluated", true, "not_replayable", "correct_request"),
	unsupported_contract: row("preflight", "not_evaluated", true, "not_replayable", "correct_request"),
	invalid_request: row("preflight", "not_evaluated", true, "not_replayable", "correct_request"),
	stale_target_identity: row("preflight", "not_evaluated", true, "not_replayable", "review.status"),
	empty_candidate_scope: row("preflight", "not_evaluated", true, "not_replayable", "correct_request", ["base_ref"]),
	review_declined: row("pre_native", "not_evaluated", true, "not_replayable", "stop"),
	rdd_disabled: row("pre_native", "not_evaluated", false, "not_replayable", "stop"),
	final_verification_retry_denied: row(
		"pre_native",
		"current_target",
		false,
		"manual_action_required",
		"review.status",
	),
	git_command_failed: row("pre_native", "not_evaluated", false, "manual_action_required", "stop"),
	git_command_timeout: row("pre_native", "not_evaluated", false, "manual_action_required", "stop"),
	authority_lock_timeout: row(
		"pre_native",
		"not_evaluated",
		true,
		"manual_action_required",
		"retry_with_bounded_backoff",
	),
	gate_scope_changed: row(
		"preflight",
		"current_target",
		false,
		"manual_action_required",
		"explicit-maintainer-action",
		RECOVERY,
	),
	gate_invalidated: row("preflight", "current_target", true, "manual_action_required", "explicit-maintainer-action"),
	gate_escalated: row("preflight", "current_target", true, "manual_action_required", "review.status"),
	receipt_missing: row("pre_native", "not_evaluated", false, "manual_action_required", "review.status"),
	receipt_unrelated: row("pre_native", "unrelated", false, "manual_action_required", "review.status"),
	receipt_scope_changed: row(
		"pre_native",
		"current_target",
		false,
		"manual_action_required",
		"explicit-maintainer-action",
		RECOVERY,
	),
	receipt_ambiguous: row("pre_native", "ambiguous", false, "manual_action_required", "review.status", ["lineage_id"]),
	authority_corrupted: row("pre_native", "corrupted", false, "manual_action_required", "stop"),
	authority_revision_conflict: row(
		"pre_native",
		"current_target",
		true,
		"not_replayable",
		"retry_with_bounded_backoff",
	),
	store_lock_unavailable: row(
		"pre_native",
		"not_evaluated",
		true,
		"manual_action_required",
		"retry_with_bounded_backoff",
	),
	operation_failed: row("pre_native", "not_evaluated", true, "not_replayable", "retry"),
	operation_outcome_unknown: row(
		"native_running",
		"not_evaluated",
		false,
		"status_required",
		"review.status",
		[],
		"unknown",
	),
	receipt_publication_pending: row(
		"native_committed",
		"current_target",
		false,
		"exact_replay_safe",
		"review.finalize",
		["lineage_id"],
		"committed",
	),
	receipt_publication_conflict: row(
		"native_committed",
		"current_target",
		false,
		"manual_action_required",
		"explicit-maintainer-action",
		[],
		"committed",
	),
} as const satisfies Record<string, Columns>;

/** The row of what Git or the clock ended once something was committed. */
export const AFTER_COMMIT: Columns = row(
	"native_committed",
	"current_target",
	false,
	"status_required",
	"review.status",
	[],
	"unknown",
);
