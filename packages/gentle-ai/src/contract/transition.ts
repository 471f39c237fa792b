// The one next transition as a value, and the compatibility detail beside it. A codec of one wire generation renders it.
import type { ReasonCode } from "./reason-codes.ts";
import type {
	AdmittedFinding,
	ArtifactSubject,
	ManifestEntry,
	ResultArtifact,
	TargetedValidationRequest,
} from "./state.ts";
import type { TransitionArgument } from "./tokens.ts";
import type { ActionDisposition, ManagedAction } from "./vocabulary.ts";

export type CapturedArtifact = Omit<ResultArtifact, "path" | "reference">;

export type CollectInput = {
	readonly name: string;
	readonly schema: string;
	readonly capture_operation: string;
	readonly arguments: readonly TransitionArgument[];
	/** Only for a reviewer slot: what the reviewer must look at. */
	readonly slot?: { readonly subject: ArtifactSubject; readonly manifest: readonly ManifestEntry[] };
	/** Only for a targeted validation. */
	readonly validation_request?: TargetedValidationRequest;
};

export type Execution = {
	readonly operation: "review.start" | "review.finalize" | "review.recover" | "review.repair" | "review.validate";
	readonly command: string;
	readonly arguments: readonly Required<TransitionArgument>[];
	readonly selector_arguments?: readonly TransitionArgument[];
	readonly preconditions: readonly TransitionArgument[];
	readonly binding: {
		readonly lineage_id?: string;
		readonly revision?: string;
		readonly target_identity: string;
	};
	readonly artifacts?: readonly CapturedArtifact[];
};

export type CorrectionRequest = {
	readonly schema: "gentle-ai.review-correction-plan-request/v1";
	readonly request_hash: string;
	readonly lineage_id: string;
	readonly expected_revision: string;
	readonly target_identity: string;
	readonly correction_budget: number;
	readonly fix_finding_ids: readonly string[];
	readonly findings: readonly (AdmittedFinding & { readonly evidence: string })[];
};

export type Transition =
	| { readonly kind: "execute"; readonly reason_code: ReasonCode; readonly execute: Execution }
	| {
			readonly kind: "collect";
			readonly reason_code: ReasonCode;
			readonly inputs: readonly CollectInput[];
			readonly correction_request?: CorrectionRequest;
	  }
	| { readonly kind: "stop"; readonly reason_code: ReasonCode; readonly correction_request?: CorrectionRequest };

/** The compatibility detail beside the transition: what is allowed, and why nothing else is. Never a route. */
export type Eligibility = {
	readonly allowed_actions: readonly {
		readonly action: ManagedAction | "stop";
		readonly reason_code: string;
		readonly required_inputs: readonly string[];
		readonly disposition?: ActionDisposition;
		readonly binding?: {
			readonly lineage_id: string;
			readonly revision: string;
			readonly target_identity: string;
		};
	}[];
	readonly forbidden_actions: readonly { readonly action: ManagedAction; readonly reason_code: string }[];
};
