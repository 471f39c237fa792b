// The frozen candidate as reviewers see it: a port over the repository's objects, without any path of this machine.

import type { Lineage } from "../authority/index.ts";
import { LIMITS } from "../contract/vocabulary.ts";
import { readBlobs, type TreeChange } from "../git/index.ts";
import type { Blob, CandidateView } from "../reviewers/reviewer.ts";
import { type Caller, withRepository } from "./caller.ts";

const REGULAR = new Set(["100644", "100755"]);

/** Every read opens Git anew: a review may last longer than one operation's budget. */
export function candidateView(
	caller: Caller,
	root: string,
	lineage: Lineage,
	changes: readonly TreeChange[],
): CandidateView {
	const byPath = new Map(changes.map((change) => [change.path, change]));
	const { base_tree, candidate_tree } = lineage.state.initial_snapshot;
	return {
		base_tree,
		candidate_tree,
		manifest: lineage.frozen.manifest,
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
			const blobs = await withRepository(caller, root, ({ session, repository }) =>
				readBlobs(
					session,
					repository,
					wanted.map(({ id }) => ({ id, take: (size) => (size <= maxBytes ? "all" : "none") })),
					LIMITS.binarySniffBytes,
				),
			);
			const answer = new Map<string, Blob>();
			wanted.forEach(({ path }, index) => {
				const blob = blobs[index];
				if (blob !== undefined) answer.set(path, { size: blob.size, bytes: blob.bytes });
			});
			return answer;
		},
	};
}
