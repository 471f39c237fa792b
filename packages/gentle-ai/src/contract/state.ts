// What is kept, as types: whoever only handles a stored shape builds no schema for it.
export type {
	AdmittedFinding,
	AdmittedResult,
	ArtifactSubject,
	Classification,
	FollowUp,
	FrozenFacts,
	LensResult,
	ManifestEntry,
	ResultArtifact,
	ReviewReceipt,
	ReviewState,
	RiskReason,
	Snapshot,
	VerificationRecord,
} from "./state-schemas.ts";

/** Where a repository lives on this machine; never on the wire, only inside handles. */
export type RepositoryLocation = {
	readonly repository_root: string;
	readonly git_common_dir: string;
	readonly git_dir: string;
};
