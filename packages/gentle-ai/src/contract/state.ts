// What is kept, as types: whoever only handles a stored shape builds no schema for it.
export type { AdmittedFinding, AdmittedResult, ArtifactSubject, LensResult, ResultArtifact } from "./result-schemas.ts";
export type {
	Classification,
	CorrectionAttempt,
	FollowUp,
	Recovery,
	Reopening,
	ReviewReceipt,
	ReviewState,
} from "./state-schemas.ts";
export type { FrozenFacts, ManifestEntry, RiskReason, Snapshot } from "./target-schemas.ts";
export type {
	FinalVerificationIncident,
	TargetedValidationRequest,
	VerificationRecord,
} from "./verification-schemas.ts";

/** Where a repository lives on this machine; never on the wire, only inside handles. */
export type RepositoryLocation = {
	readonly repository_root: string;
	readonly git_common_dir: string;
	readonly git_dir: string;
};
