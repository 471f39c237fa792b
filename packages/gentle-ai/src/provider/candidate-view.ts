// The frozen candidate as reviewers see it: a port over the repository's objects, without any path of this machine.

import { LIMITS } from "../contract/limits.ts";
import type { ManifestEntry } from "../contract/state.ts";
import { type BlobAnswer, readBlobs, type TreeChange } from "../git/index.ts";
import type { Blob, CandidateView } from "../reviewers/reviewer.ts";
import { type Caller, withRepository } from "./caller.ts";

const REGULAR = new Set(["100644", "100755"]);

type Wish = Parameters<typeof readBlobs>[2][number];

/** Reads blobs of the candidate; where they are is the caller's business. */
export type BlobReader = (wishes: readonly Wish[]) => Promise<readonly BlobAnswer[]>;

/** Opens Git anew for every read: a review may last longer than one operation's budget. */
export function repositoryReader(caller: Caller, root: string): BlobReader {
	return (wishes) =>
		withRepository(caller, root, ({ session, repository }) =>
			readBlobs(session, repository, wishes, LIMITS.binarySniffBytes),
		);
}

export function candidateView(
	trees: { readonly base_tree: string; readonly candidate_tree: string },
	manifest: readonly ManifestEntry[],
	changes: readonly TreeChange[],
	read: BlobReader,
): CandidateView {
	const byPath = new Map(changes.map((change) => [change.path, change]));
	return {
		base_tree: trees.base_tree,
		candidate_tree: trees.candidate_tree,
		manifest,
		changedLines: (path) => {
			const change = byPath.get(path);
			return { base: change?.base_hunks ?? [], candidate: change?.candidate_hunks ?? [] };
		},
		blobs: async (side, paths, maxBytes) => {
			const wanted = paths.flatMap((path) => {
				const change = byPath.get(path);
				const mode = side === "base" ? change?.old_mode : change?.new_mode;
				if (change === undefined || mode === undefined || !REGULAR.has(mode)) return [];
				return [{ path, id: side === "base" ? change.old_id : change.new_id }];
			});
			const take = (size: number) => (size <= maxBytes ? ("all" as const) : ("none" as const));
			const blobs = await read(wanted.map(({ id }) => ({ id, take })));
			const answer = new Map<string, Blob>();
			wanted.forEach(({ path }, index) => {
				const blob = blobs[index];
				if (blob !== undefined) answer.set(path, { size: blob.size, bytes: blob.bytes });
			});
			return answer;
		},
	};
}
