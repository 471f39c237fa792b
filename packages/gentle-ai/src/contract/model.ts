// The version-neutral answers of the operations. A codec of one wire generation renders them; none of them knows it.
import type { CandidateDiff } from "./patch.ts";
import type {
	ArtifactSubject,
	ManifestEntry,
	Recovery,
	RiskReason,
	Snapshot,
	TargetedValidationRequest,
} from "./state.ts";
import type { Eligibility, Transition } from "./transition.ts";
import type {
	ActionDisposition,
	Applicability,
	Delivery,
	Gate,
	GateResult,
	Lens,
	Locale,
	Projection,
	ReceiptStatus,
	Replayability,
	StartAction,
	State,
	StatusAction,
	Tier,
} from "./vocabulary.ts";

export type RepositoryContext = {
	readonly handle: string;
	readonly revision: string;
	readonly target_identity: string;
};

export type StartOutcome = {
	readonly action: StartAction;
	readonly lineage_id: string;
	readonly state: State;
	readonly risk_level: Tier;
	readonly selected_lenses: readonly Lens[];
	readonly target: Snapshot;
	readonly changed_lines: number;
	readonly correction_budget: number;
	readonly risk_reasons: readonly RiskReason[];
	readonly manifest: readonly ManifestEntry[];
	readonly subjects: readonly ArtifactSubject[];
	/** The candidate as one patch, read only for a contract that transports one. */
	readonly candidate_diff?: CandidateDiff;
	/** Exactly when reviewers may still answer. */
	readonly context?: RepositoryContext;
};

export type ConsentQuestion = {
	readonly target_identity: string;
	readonly projection: Projection;
	readonly risk_level: Exclude<Tier, "low">;
	readonly changed_files: number;
	readonly changed_lines: number;
	/** One phrase a reason, in canonical order, in the locale of the question. */
	readonly phrases: readonly string[];
	readonly locale: Locale;
	/** The words of the asking START without its consent, ready to be asked again. */
	readonly invocation: readonly string[];
};

export type DeclinedOutcome = {
	readonly risk_level: Exclude<Tier, "low">;
	readonly target: Snapshot;
	readonly changed_lines: number;
	readonly phrases: readonly string[];
};

/** What a retry of a failed final verification must bind. */
export type FinalVerificationRetry = {
	readonly incident_schema: "gentle-ai.review-final-verification-incident/v1";
	readonly incident_class: "procedural_tooling_failure";
	readonly validating_revision: string;
	readonly target_identity: string;
	readonly failed_evidence_hash: string;
	readonly failed_evidence_record_digest?: string;
	readonly finalize_request_digest: string;
};

/** Every review that is kept of one repository, up to a bound. */
export type AuthorityListing = {
	readonly repository: string;
	readonly store: string;
	readonly reviews: readonly {
		readonly lineage_id: string;
		readonly state?: State;
		readonly revision?: string;
		readonly snapshot_identity?: string;
		readonly recovery?: Recovery;
		readonly problem?: string;
	}[];
	readonly truncated: boolean;
	/** The store itself cannot be read, so that nothing is known of its reviews. */
	readonly unreadable: boolean;
};

/** A historical record that a maintainer may have repaired, by its class. */
export type RepairAssessment = {
	readonly repository_binding: string;
	readonly candidate: {
		readonly lineage_id: string;
		readonly revision: string;
		readonly chain_identity: string;
		readonly event_count: number;
		readonly alias_event_count: number;
		readonly operations: readonly ("review/complete-fix" | "review/validate-fix")[];
	};
	readonly bytes: number;
};

export type StatusOutcome = {
	readonly applicability: Applicability;
	readonly authority?: {
		readonly lineage_id: string;
		readonly state: State;
		readonly generation: number;
		readonly revision: string;
		readonly tier: Tier;
		readonly original_changed_lines: number;
		readonly correction_budget: number;
		readonly initial: Snapshot;
		readonly current: Snapshot;
	};
	readonly receipt: { readonly status: ReceiptStatus; readonly identity?: string };
	readonly action: StatusAction;
	/** Exactly with `recover` and `retry_final_verification`. */
	readonly action_disposition?: ActionDisposition;
	readonly replayability: Replayability;
	readonly live: Snapshot;
	readonly candidates: readonly string[];
	/** What a classified repair could do; absent where none was assessed. */
	readonly repair?: RepairAssessment;
	/** The candidate as one patch, read only when an open slot is asked for under a contract that transports one. */
	readonly candidate_diff?: CandidateDiff;
	readonly eligibility?: Eligibility;
	readonly transition?: Transition;
	readonly validation_request?: TargetedValidationRequest;
	readonly final_verification_retry?: FinalVerificationRetry;
};

export type FinalizeOutcome = {
	readonly lineage_id: string;
	readonly state: State;
	readonly revision: string;
	readonly escalation?: string;
	readonly eligibility?: Eligibility;
	readonly transition?: Transition;
	readonly validation_request?: TargetedValidationRequest;
};

/** A review that verifies once more what a spoiled verification closed; it begins in state validating. */
export type RetryOutcome = {
	readonly predecessor_lineage_id: string;
	readonly predecessor_revision: string;
	readonly lineage_id: string;
	readonly revision: string;
	readonly target_identity: string;
	readonly incident_digest: string;
};

export type GateOutcome = {
	readonly result: GateResult;
	readonly allowed: boolean;
	readonly action: string;
	readonly reason: string;
	readonly delivery?: Delivery;
	readonly context: GateContext;
};

/** Every string is empty where the gate had nothing to say; the optional fields are absent. */
export type GateContext = {
	readonly gate: Gate;
	readonly lineage_id: string;
	readonly generation: number;
	readonly store_revision?: string;
	readonly base_tree: string;
	readonly candidate_tree: string;
	readonly paths_digest: string;
	readonly fix_delta_hash: string;
	readonly policy_hash: string;
	readonly ledger_hash: string;
	readonly evidence_hash: string;
	readonly base_relationship_valid: boolean;
	readonly denial?: { readonly stage: string; readonly code: string };
};
