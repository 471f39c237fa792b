// What a reviewer is to the authority: somebody who gets frozen trees through a port and answers a slot with text.
// The text is untrusted like any other; admission decides.
import type { AdmittedFinding, ManifestEntry } from "../contract/state.ts";
import type { Lens } from "../contract/vocabulary.ts";

/** The frozen candidate as reviewers may see it. No path of this machine, no live work tree, no Git. */
export type CandidateView = {
	readonly base_tree: string;
	readonly candidate_tree: string;
	/** The complete frozen scope in canonical order. */
	readonly manifest: readonly ManifestEntry[];
	/** Changed lines of a path: 1-based ranges on both sides; a count of 0 marks a pure insertion or deletion point. */
	readonly changedLines: (path: string) => {
		readonly base: readonly LineSpan[];
		readonly candidate: readonly LineSpan[];
	};
	/** The bytes of the regular files on each side that are at most `maxBytes` large; others answer only their size. */
	readonly blobs: (side: Side, paths: readonly string[], maxBytes: number) => Promise<ReadonlyMap<string, Blob>>;
};

export type Side = "base" | "candidate";
export type LineSpan = { readonly start: number; readonly count: number };
export type Blob = { readonly size: number; readonly bytes: Uint8Array | undefined };

export type Slot = {
	readonly lens: Lens;
	readonly selected_order: number;
	readonly subject_hash: string;
	/** A lone lens reviews for every family under its own finding prefix. */
	readonly consolidated: boolean;
};

export type Progress = { readonly lens?: Lens; readonly text: string };

/** One review of one candidate. Work that all slots share is done once. */
export type ReviewerSession = {
	/** The raw answer for one slot: exactly what would be captured. Rejects with a `ReviewError` when it cannot answer. */
	readonly answer: (slot: Slot, progress: (event: Progress) => void, signal: AbortSignal) => Promise<string>;
	/** What the person should know beside the verdict, e.g. languages that nothing here can judge. */
	readonly notes: () => readonly string[];
};

/** One question about a corrected candidate, answered with a verdict and what it rests on. */
export type Check = { readonly passed: boolean; readonly evidence: readonly string[] };

export type Validation = {
	/** Are the findings that the correction is about gone? */
	readonly original_criteria: Check;
	/** Did the correction bring nothing new that would block? */
	readonly correction_regression: Check;
};

export type Reviewer = {
	readonly name: string;
	/** One line for people: who answers. */
	readonly description: string;
	/**
	 * Is everything here that this change needs? Called before any authority exists.
	 * Rejects with a `ReviewError` that names what is missing and how to get it.
	 */
	readonly prepare: (manifest: readonly ManifestEntry[]) => Promise<void>;
	readonly open: (candidate: CandidateView) => ReviewerSession;
	/**
	 * Judges a corrected candidate against the findings that it had to resolve. Undefined when a finding is not one that
	 * this reviewer can look for.
	 */
	readonly validate: (
		corrected: CandidateView,
		findings: readonly AdmittedFinding[],
		progress: (event: Progress) => void,
		signal: AbortSignal,
	) => Promise<Validation | undefined>;
};
