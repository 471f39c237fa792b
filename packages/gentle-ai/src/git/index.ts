// The door of the room that knows Git. Everything Git-related that another room may use is named here.
export { type BlobAnswer, type BlobWish, readBlobs } from "./blobs.ts";
export { candidateDiff } from "./candidate-diff.ts";
export type { TreeChange, TreeEntry } from "./change-reader.ts";
export { readChanges, readEntries, readIndexEntries } from "./changes.ts";
export { filteredPaths } from "./filters.ts";
export { freezeCandidate, treeRecords } from "./freeze.ts";
export { lookAtIndex, lookAtWorktree } from "./look.ts";
export {
	type BuiltPack,
	buildPack,
	orphanedPacks,
	releasePack,
	type StagedPack,
	stagePack,
	sweepStaging,
} from "./pack.ts";
export type { Environment } from "./program.ts";
export {
	hasTree,
	openSession,
	type Repository,
	readHead,
	resolveRepository,
	resolveTree,
	treesInHistory,
} from "./repository.ts";
export { createScratch } from "./scratch.ts";
export type { GitSession } from "./session.ts";
export { hiddenPaths } from "./worktree.ts";
