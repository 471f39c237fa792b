// The door of the room that knows Git. Everything Git-related that another room may use is named here.
export { type BlobAnswer, type BlobWish, readBlobs } from "./blobs.ts";
export { type HunkRange, readChanges, type TreeChange } from "./changes.ts";
export { type FrozenTree, freezeCandidate, freezeIndex, isIndexOf } from "./freeze.ts";
export { orphanedPacks, type PackName, releasePack, type StagedPack, stagePack } from "./pack.ts";
export type { Environment } from "./program.ts";
export { type Head, openSession, type Repository, readHead, resolveRepository, resolveTree } from "./repository.ts";
export { createScratch, type Scratch } from "./scratch.ts";
export type { GitSession } from "./session.ts";
