// What is kept, as types: whoever only handles a stored shape builds no schema for it.
export type {
	AdmittedFinding,
	AdmittedResult,
	ArtifactSubject,
	Classification,
	CorrectionAttempt,
	FinalVerificationIncident,
	FollowUp,
	FrozenFacts,
	LensResult,
	ManifestEntry,
	Recovery,
	Reopening,
	ResultArtifact,
	ReviewReceipt,
	ReviewState,
	RiskReason,
	Snapshot,
	TargetedValidationRequest,
	VerificationRecord,
} from "./state-schemas.ts";

/** Where a repository lives on this machine; never on the wire, only inside handles. */
export type RepositoryLocation = {
	readonly repository_root: string;
	readonly git_common_dir: string;
	readonly git_dir: string;
};
