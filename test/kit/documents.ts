// The fields of the documents that tests look at. The published schemas check the rest.

export type Lens = "review-risk" | "review-resilience" | "review-readability" | "review-reliability";

export type Argument = { readonly name: string; readonly value: string; readonly token?: string };

export type ManifestEntry = {
	readonly path: string;
	readonly status: "A" | "D" | "M" | "T";
	readonly old_mode: string;
	readonly new_mode: string;
	readonly deleted: boolean;
	readonly type_changed: boolean;
	readonly mode_only: boolean;
	readonly intended_untracked: boolean;
};

/** The candidate as contract v1 transports it. */
export type PatchDiff = {
	readonly encoding: "base64";
	readonly data: string;
	readonly sha256: string;
	readonly byte_size: number;
};

export type Subject = {
	readonly lineage_id: string;
	readonly subject_hash: string;
	readonly lens: Lens;
	readonly selected_order: number;
	readonly changed_path_manifest_sha256: string;
	readonly base_tree: string;
	readonly candidate_tree: string;
};

/** What a targeted validator is asked. */
export type ValidationRequest = {
	readonly request_hash: string;
	readonly lineage_id: string;
	readonly expected_revision: string;
	readonly fix_finding_ids: readonly string[];
	readonly correction_candidate_tree: string;
	readonly correction_target_identity: string;
	readonly correction_paths: readonly string[];
};

export type Input = {
	readonly name: string;
	readonly schema: string;
	readonly capture_operation: string;
	readonly arguments: readonly Argument[];
	readonly artifact_subject?: Subject;
	readonly base_tree?: string;
	readonly candidate_tree?: string;
	readonly candidate_diff?: PatchDiff;
	readonly changed_path_manifest?: readonly ManifestEntry[];
	readonly validation_request?: ValidationRequest;
};

export type Execute = {
	readonly operation: string;
	readonly command: string;
	readonly arguments: readonly Argument[];
	readonly preconditions: readonly Argument[];
	readonly binding: { readonly lineage_id?: string; readonly revision?: string; readonly target_identity: string };
};

export type CorrectionRequest = {
	readonly correction_budget: number;
	readonly fix_finding_ids: readonly string[];
	readonly findings: readonly { readonly id: string; readonly claim: string; readonly location: string }[];
};

export type Transition = {
	readonly kind: "execute" | "collect" | "stop";
	readonly reason_code: string;
	readonly execute?: Execute;
	readonly collect?: { readonly inputs: readonly Input[] };
	readonly correction_request?: CorrectionRequest;
};

export type Eligibility = {
	readonly allowed_actions: readonly {
		readonly action: string;
		readonly reason_code: string;
		readonly required_inputs: readonly string[];
		readonly disposition?: string;
		readonly binding?: { readonly lineage_id: string; readonly revision: string; readonly target_identity: string };
	}[];
	readonly forbidden_actions: readonly { readonly action: string; readonly reason_code: string }[];
};

export type Status = {
	readonly schema: string;
	readonly applicability: "current_target" | "unrelated" | "ambiguous" | "corrupted";
	readonly authority?: {
		readonly lineage_id: string;
		readonly state: string;
		readonly generation: number;
		readonly revision: string;
	};
	readonly receipt: { readonly status: string; readonly identity?: string };
	readonly action: string;
	readonly replayability: string;
	readonly frozen?: {
		readonly tier: string;
		readonly original_changed_lines: number;
		readonly correction_budget: number;
	};
	readonly target_identity: string;
	readonly projection: {
		readonly kind: string;
		readonly projection: string;
		readonly base_tree: string;
		readonly initial_review_tree: string;
		readonly current_candidate_tree: string;
		readonly paths_digest: string;
		readonly paths: readonly string[];
		readonly intended_untracked: readonly string[];
		readonly intended_untracked_proof: string;
	};
	readonly candidates: readonly string[];
	readonly action_disposition?: string;
	readonly authority_target_identity?: string;
	readonly eligibility?: Eligibility;
	readonly next_transition?: Transition;
	readonly validation_request?: ValidationRequest;
	readonly final_verification_retry?: { readonly validating_revision: string };
};

export type Start = {
	readonly schema: string;
	readonly action: string;
	readonly lineage_id: string;
	readonly state: string;
	readonly risk_level: "low" | "medium" | "high";
	readonly selected_lenses: readonly Lens[];
	readonly projection: string;
	readonly base_tree?: string;
	readonly candidate_tree?: string;
	readonly changed_files: number;
	readonly changed_lines: number;
	readonly correction_budget: number;
	readonly risk_reasons: readonly { readonly code: string; readonly signal?: string; readonly path?: string }[];
	readonly artifact_subjects: readonly Subject[];
	readonly candidate_diff?: PatchDiff;
	readonly changed_path_manifest?: readonly ManifestEntry[];
	readonly repository_context?: {
		readonly handle: string;
		readonly revision: string;
		readonly target_identity: string;
	};
};

export type Consent = {
	readonly schema: string;
	readonly target_identity: string;
	readonly risk_level: string;
	readonly headline: string;
	readonly reason: string;
	readonly value: string;
	readonly risk_evidence: readonly string[];
	readonly choices: readonly {
		readonly answer: "granted" | "declined";
		readonly label: string;
		readonly effect: string;
		readonly invocation: string;
	}[];
	readonly off_path: { readonly note: string; readonly command: string };
};

export type Finalized = {
	readonly schema: string;
	readonly result: {
		readonly lineage_id: string;
		readonly state: string;
		readonly action: string;
		readonly escalation?: string;
		readonly store_revision: string;
		readonly eligibility?: Eligibility;
		readonly next_transition?: Transition;
		readonly receipt_path?: string;
	};
};

export type GateResult = {
	readonly schema: string;
	readonly result: "allow" | "scope-changed" | "invalidated" | "escalated";
	readonly allowed: boolean;
	readonly action: string;
	readonly reason: string;
	readonly delivery?: string;
	readonly context: {
		readonly gate: string;
		readonly lineage_id: string;
		readonly denial?: { readonly stage: string; readonly code: string };
	};
};

export type Failure = {
	readonly schema: string;
	readonly contract: string;
	readonly operation: string;
	readonly phase: string;
	readonly code: string;
	readonly message: string;
	readonly mutation_outcome: string;
	readonly authority_applicability: string;
	readonly retry_safe: boolean;
	readonly replayability: string;
	readonly lineage_id?: string;
	readonly request_digest?: string;
	readonly required_inputs: readonly string[];
	readonly next_action: string;
	readonly cause_category?: string;
	readonly cause?: string;
	readonly context?: {
		readonly scope_change?: {
			readonly expected: { readonly candidate_tree: string; readonly paths_digest: string };
			readonly actual: { readonly candidate_tree: string; readonly paths_digest: string };
			readonly differing_path_count: number;
			readonly differing_paths_digest: string;
			readonly predecessor_lineage_id: string;
			readonly predecessor_revision: string;
		};
	};
};
