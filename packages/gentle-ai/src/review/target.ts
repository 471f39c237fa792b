// Which authority applies to the live target. Exact matches only: a damaged or merely similar stranger never answers.
import type { Snapshot } from "../contract/state.ts";
import type { TargetKind } from "../contract/vocabulary.ts";

export type LiveTarget = Pick<Snapshot, "kind" | "base_tree" | "candidate_tree" | "projection">;

/** A committed range and the work tree that it was committed from are one target. */
function kindGroup(kind: TargetKind): string {
	return kind === "base-diff" || kind === "current-changes" ? "changes" : kind;
}

/**
 * Same base, same candidate, same projection, compatible kind. Untracked membership is history, not identity: a file
 * that has become tracked since is the same file. Paths and their digest follow from the two trees.
 */
export function isSameTarget(frozen: LiveTarget, live: LiveTarget): boolean {
	return (
		kindGroup(frozen.kind) === kindGroup(live.kind) &&
		(frozen.projection ?? "workspace") === (live.projection ?? "workspace") &&
		frozen.base_tree === live.base_tree &&
		frozen.candidate_tree === live.candidate_tree
	);
}
