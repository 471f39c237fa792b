// Every reason code of a transition: which kind it belongs to, and how a person or a host goes on. Code, published
// table and texts derive from this list.

export type ReasonRow = { readonly kind: "execute" | "collect" | "stop"; readonly continuation: string };

export const REASON_CODES = {
	fresh_target_ready: { kind: "execute", continuation: "Run the printed START." },
	captured_results_ready: { kind: "execute", continuation: "Run the printed FINALIZE." },
	native_low_risk_verification: { kind: "execute", continuation: "Run the printed FINALIZE." },
	captured_verification_evidence_passed: { kind: "execute", continuation: "Run the printed FINALIZE." },
	captured_verification_failed: { kind: "execute", continuation: "Run the printed FINALIZE; it escalates." },
	captured_verification_tooling_failed: { kind: "execute", continuation: "Run the printed FINALIZE; it escalates." },
	exact_receipt_replay: { kind: "execute", continuation: "Run the printed FINALIZE; it publishes the receipt." },
	approved_receipt_ready: { kind: "execute", continuation: "Run the printed gate." },
	empty_candidate_base_ref_required: {
		kind: "collect",
		continuation: "Nothing differs from HEAD. Change something, or run STATUS again with --base-ref <commit>.",
	},
	lineage_selection_required: {
		kind: "collect",
		continuation: "Run STATUS again with --lineage and one of the printed candidates.",
	},
	reviewer_results_required: {
		kind: "collect",
		continuation: "Capture one result for each printed slot with `gentle-ai review capture-result`.",
	},
	refuter_outcomes_required: {
		kind: "collect",
		continuation:
			"Let one refuter judge the printed findings, then run `gentle-ai review finalize --lineage <id> --captured-results --refuter <file>`.",
	},
	verification_evidence_required: {
		kind: "collect",
		continuation: "Verify the candidate and record the outcome with `gentle-ai review capture-evidence`.",
	},
	correction_plan_required: {
		kind: "collect",
		continuation:
			"Plan the correction of the printed findings: `gentle-ai review finalize --lineage <id> --correction-lines <n>`.",
	},
	correction_repository_verification_required: {
		kind: "collect",
		continuation: "Verify the corrected candidate and record the outcome with `gentle-ai review capture-evidence`.",
	},
	correction_repository_verification_failed: {
		kind: "stop",
		continuation:
			"The verification of the corrected candidate failed. Change the correction within its budget, then run STATUS again; nothing was used up.",
	},
	correction_repository_tooling_failed: {
		kind: "execute",
		continuation: "Run the printed FINALIZE; it escalates.",
	},
	targeted_validation_required: {
		kind: "collect",
		continuation:
			"Let one validator judge the corrected candidate, then run `gentle-ai review finalize --lineage <id> --captured-evidence --validation <file>`.",
	},
	recovery_authorization_required: {
		kind: "collect",
		continuation:
			"A maintainer writes the exact authorization; run STATUS again with it and --recovery-successor-lineage, --recovery-actor and --recovery-reason, or retire this review with `gentle-ai review end`.",
	},
	recovery_authorized: { kind: "execute", continuation: "Run the printed recovery." },
	final_verification_retry_authorization_required: {
		kind: "collect",
		continuation:
			"A maintainer writes the incident file and the exact authorization, then runs `gentle-ai review retry-final-verification`.",
	},
	corrected_candidate_unavailable: {
		kind: "stop",
		continuation:
			"Change the candidate so that it differs from the frozen one, stays in its scope and within the correction budget, then run STATUS again; or retire this review with `gentle-ai review end`.",
	},
	captured_artifacts_unverifiable: {
		kind: "stop",
		continuation:
			"A captured result no longer verifies. Retire this review with `gentle-ai review end` and start again.",
	},
	captured_verification_evidence_invalid: {
		kind: "stop",
		continuation:
			"The captured evidence no longer verifies. Retire this review with `gentle-ai review end` and start again.",
	},
	corrupted_or_unverifiable_authority: {
		kind: "stop",
		continuation:
			"The record of this target cannot be verified. Retire it with `gentle-ai review end --lineage <id> --damaged --reason <text>`, or a store that cannot be read at all with `gentle-ai review end --store --reason <text>`, and start again.",
	},
	native_stop_required: {
		kind: "stop",
		continuation:
			"This review is closed without approval. Change the candidate and start again, or retire it with `gentle-ai review end`.",
	},
	unchanged_or_unverified_authority: {
		kind: "stop",
		continuation:
			"No line of correction is left to this review. Change the candidate and start again, or retire it with `gentle-ai review end`.",
	},
	rdd_disabled: {
		kind: "stop",
		continuation: "Reviews are switched off. Switch them on with `gentle-ai review mode enable`.",
	},
	staged_workspace_overlay_recovery_unavailable: {
		kind: "stop",
		continuation: "Drop --workspace-overlay, or drop --projection staged, and run STATUS again.",
	},
	manual_intervention_required: {
		kind: "stop",
		continuation: "Retire this review with `gentle-ai review end` and start again.",
	},
} as const satisfies Record<string, ReasonRow>;

export type ReasonCode = keyof typeof REASON_CODES;
