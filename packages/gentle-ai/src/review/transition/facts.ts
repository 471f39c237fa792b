// What a route is decided from: one lineage as the repository and the store show it now, and what the caller asked.

import type { FinalVerificationRetry } from "../../contract/model.ts";
import type {
	ArtifactSubject,
	ManifestEntry,
	ReviewState,
	Snapshot,
	TargetedValidationRequest,
} from "../../contract/state.ts";
import type { CapturedArtifact } from "../../contract/transition.ts";
import type { ContractName, Gate, RecoveryDisposition, VerificationOutcome } from "../../contract/vocabulary.ts";

export type CapturedSlot =
	| { readonly status: "open" }
	| { readonly status: "captured"; readonly artifact: CapturedArtifact }
	| { readonly status: "unverifiable" };

/** One lineage as the repository and the store show it now; the receipt lifecycle's whole input to a decision. */
export type AuthorityView = {
	readonly state: ReviewState;
	readonly revision: string;
	readonly manifest: readonly ManifestEntry[];
	readonly subjects: readonly ArtifactSubject[];
	readonly slots: readonly CapturedSlot[];
	/** Findings that the refuter batch must answer before the captured results can be finalized. */
	readonly to_refute: readonly string[];
	/** Captured for this revision and the current candidate. */
	readonly evidence: VerificationOutcome | "invalid" | undefined;
	/** While a forecast correction is open and the live bytes differ from the frozen ones. */
	readonly correction?: CorrectionView;
	/** Only after a final verification that failed for want of tools, and that nothing has answered yet. */
	readonly retry?: FinalVerificationRetry;
	readonly receipt: { readonly status: "absent" | "published" | "conflict"; readonly identity?: string };
	readonly repository_context: string;
};

export type CorrectionView = {
	readonly fix: Snapshot;
	/** Measured lines of the correction, counted like authored lines. */
	readonly actual_lines: number;
	readonly evidence: VerificationOutcome | "invalid" | undefined;
	readonly request: TargetedValidationRequest;
};

/** What the caller knows of a recovery already; all of it, or nothing. */
export type RecoveryAnswer = {
	readonly successor_lineage: string;
	readonly reason: string;
	readonly actor: string;
	readonly authorization: string;
};

export type RouteRequest = {
	readonly contract: ContractName;
	readonly gate: Gate;
	/** STATUS had a target selector of its own. */
	readonly selector: boolean;
	readonly recovery?: RecoveryAnswer;
};

export type RouteFacts =
	| {
			readonly applicability: "unrelated";
			readonly live: Snapshot;
			readonly reviews_on: boolean;
			/** The lineage id that START would take: the one asked for, or the derived free one. */
			readonly lineage: string;
	  }
	| { readonly applicability: "ambiguous"; readonly live: Snapshot; readonly candidates: readonly string[] }
	| { readonly applicability: "corrupted"; readonly live: Snapshot }
	| {
			readonly applicability: "current_target";
			readonly live: Snapshot;
			readonly authority: AuthorityView;
			/** The live target is another than the lineage was about, and a successor may take it up. */
			readonly recoverable?: RecoveryDisposition;
			/** Reviews are switched off: what is open stays as it is, and a closed one still publishes and opens its gate. */
			readonly reviews_off?: true;
	  };
