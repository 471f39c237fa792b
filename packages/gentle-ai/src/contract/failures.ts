// The catalogue of refusals: one row a code, and every column that a caller may decide on. What is not here cannot be
// said. The rows follow the order of the published contract.
import { isMutation, type Operation } from "./operations.ts";

export const PHASES = ["preflight", "pre_native", "native_running", "native_committed", "reconciliation"] as const;
export const MUTATION_OUTCOMES = ["not_started", "unknown", "committed"] as const;
export const NEXT_ACTIONS = [
	"correct_request",
	"retry",
	"retry_with_bounded_backoff",
	"review.status",
	"review.finalize",
	"review.repair",
	"review.bind_sdd",
	"explicit-maintainer-action",
	"stop",
] as const;

export type FailureColumns = {
	readonly phase: (typeof PHASES)[number];
	readonly mutation_outcome: (typeof MUTATION_OUTCOMES)[number];
	readonly authority_applicability: "current_target" | "unrelated" | "ambiguous" | "corrupted" | "not_evaluated";
	readonly retry_safe: boolean;
	readonly replayability: "not_replayable" | "exact_replay_safe" | "status_required" | "manual_action_required";
	readonly required_inputs: readonly string[];
	readonly next_action: (typeof NEXT_ACTIONS)[number];
	readonly cause_category?: "inventory_io_or_layout" | "record_or_graph_invalid";
};

/** The inputs that recovery of a changed scope needs, in contract order. */
export const RECOVERY_INPUTS = [
	"predecessor_lineage_id",
	"expected_predecessor_revision",
	"successor_lineage_id",
	"disposition",
	"reason",
	"actor",
] as const;

const notStarted = {
	mutation_outcome: "not_started",
	authority_applicability: "not_evaluated",
	replayability: "not_replayable",
	required_inputs: [],
} as const;

const manual = { ...notStarted, replayability: "manual_action_required" } as const;

const afterCommit = {
	phase: "native_committed",
	mutation_outcome: "unknown",
	authority_applicability: "current_target",
	retry_safe: false,
	replayability: "status_required",
	required_inputs: [],
	next_action: "review.status",
} as const satisfies FailureColumns;

/** Columns of a failure that left nothing behind. */
const CATALOGUE = {
	empty_contract: { ...notStarted, phase: "preflight", retry_safe: true, next_action: "correct_request" },
	unsupported_contract: { ...notStarted, phase: "preflight", retry_safe: true, next_action: "correct_request" },
	review_declined: { ...notStarted, phase: "pre_native", retry_safe: true, next_action: "stop" },
	rdd_disabled: { ...notStarted, phase: "pre_native", retry_safe: false, next_action: "stop" },
	final_verification_retry_denied: {
		...manual,
		phase: "pre_native",
		authority_applicability: "current_target",
		retry_safe: false,
		next_action: "review.status",
	},
	binding_revision_conflict: {
		...notStarted,
		phase: "pre_native",
		authority_applicability: "current_target",
		retry_safe: true,
		required_inputs: ["change", "lineage_id", "expected_binding_revision"],
		next_action: "review.bind_sdd",
	},
	receipt_publication_conflict: {
		phase: "native_committed",
		mutation_outcome: "committed",
		authority_applicability: "current_target",
		retry_safe: false,
		replayability: "manual_action_required",
		required_inputs: [],
		next_action: "explicit-maintainer-action",
	},
	receipt_publication_pending: {
		phase: "native_committed",
		mutation_outcome: "committed",
		authority_applicability: "current_target",
		retry_safe: false,
		replayability: "exact_replay_safe",
		required_inputs: ["lineage_id"],
		next_action: "review.finalize",
	},
	candidate_context_unavailable: { ...manual, phase: "pre_native", retry_safe: false, next_action: "stop" },
	authority_lock_contention: {
		...notStarted,
		phase: "pre_native",
		retry_safe: true,
		next_action: "retry_with_bounded_backoff",
	},
	authority_revision_conflict: {
		...notStarted,
		phase: "pre_native",
		authority_applicability: "current_target",
		retry_safe: true,
		next_action: "retry_with_bounded_backoff",
	},
	store_lock_unavailable: {
		...manual,
		phase: "pre_native",
		retry_safe: true,
		next_action: "retry_with_bounded_backoff",
	},
	git_command_timeout: { ...manual, phase: "pre_native", retry_safe: false, next_action: "stop" },
	git_command_failed: { ...manual, phase: "pre_native", retry_safe: false, next_action: "stop" },
	operation_timeout: { ...manual, phase: "pre_native", retry_safe: false, next_action: "stop" },
	invalid_request: { ...notStarted, phase: "preflight", retry_safe: true, next_action: "correct_request" },
	stale_target_identity: { ...notStarted, phase: "preflight", retry_safe: true, next_action: "review.status" },
	empty_candidate_scope: {
		...notStarted,
		phase: "preflight",
		retry_safe: true,
		required_inputs: ["base_ref"],
		next_action: "correct_request",
	},
	authority_lock_timeout: {
		...manual,
		phase: "pre_native",
		retry_safe: true,
		next_action: "retry_with_bounded_backoff",
	},
	gate_scope_changed: {
		...manual,
		phase: "preflight",
		authority_applicability: "current_target",
		retry_safe: false,
		required_inputs: RECOVERY_INPUTS,
		next_action: "explicit-maintainer-action",
	},
	gate_invalidated: {
		...manual,
		phase: "preflight",
		authority_applicability: "current_target",
		retry_safe: true,
		next_action: "explicit-maintainer-action",
	},
	gate_escalated: {
		...manual,
		phase: "preflight",
		authority_applicability: "current_target",
		retry_safe: true,
		next_action: "review.status",
	},
	receipt_missing: { ...manual, phase: "pre_native", retry_safe: false, next_action: "review.status" },
	receipt_unrelated: {
		...manual,
		phase: "pre_native",
		authority_applicability: "unrelated",
		retry_safe: false,
		next_action: "review.status",
	},
	receipt_scope_changed: {
		...manual,
		phase: "pre_native",
		authority_applicability: "current_target",
		retry_safe: false,
		required_inputs: RECOVERY_INPUTS,
		next_action: "explicit-maintainer-action",
	},
	receipt_ambiguous: {
		...manual,
		phase: "pre_native",
		authority_applicability: "ambiguous",
		retry_safe: false,
		required_inputs: ["lineage_id"],
		next_action: "review.status",
	},
	authority_corrupted: {
		...manual,
		phase: "pre_native",
		authority_applicability: "corrupted",
		retry_safe: false,
		next_action: "stop",
		cause_category: "record_or_graph_invalid",
	},
	operation_failed: { ...notStarted, phase: "pre_native", retry_safe: true, next_action: "retry" },
	operation_outcome_unknown: {
		phase: "native_running",
		mutation_outcome: "unknown",
		authority_applicability: "not_evaluated",
		retry_safe: false,
		replayability: "status_required",
		required_inputs: [],
		next_action: "review.status",
	},
} as const satisfies Record<string, FailureColumns>;

export type FailureCode = keyof typeof CATALOGUE;
export const FAILURE_CODES = Object.keys(CATALOGUE) as FailureCode[];

const GIT_AND_TIME: readonly FailureCode[] = ["git_command_timeout", "git_command_failed", "operation_timeout"];

/** How far an operation had come when it failed: nothing durable, perhaps something, certainly something. */
export type Progress = "not_started" | "unknown" | "committed";

export function failureColumns(code: FailureCode, operation: Operation, progress: Progress): FailureColumns {
	const row: FailureColumns = CATALOGUE[code];
	if (progress === "not_started" || !isMutation(operation)) return row;
	if (code === "candidate_context_unavailable") return { ...afterCommit, required_inputs: ["lineage_id"] };
	if (code === "operation_timeout" && progress === "unknown") {
		return CATALOGUE.operation_outcome_unknown;
	}
	return GIT_AND_TIME.includes(code) || code === "operation_outcome_unknown" ? afterCommit : row;
}
