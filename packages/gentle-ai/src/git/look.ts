// Looking at a candidate without touching anything: its tree id, and the paths that differ from a base. Blobs are hashed
// but not written, the tree is hashed in process, and no file of the repository changes so much as its time.

import { sortedByBytes } from "../contract/canonical.ts";
import { intendedUntrackedProof } from "../contract/identities.ts";
import type { TreeEntry } from "./change-reader.ts";
import { readIndexEntries } from "./changes.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";
import { type Entry, hashTree } from "./tree-hash.ts";
import { type PreparedIndex, prepareWorktree } from "./worktree.ts";

export type Looked = {
	readonly tree: string;
	/** What differs from the base, in canonical order. */
	readonly entries: readonly TreeEntry[];
	readonly intended_untracked: readonly string[];
	readonly intended_untracked_proof: string;
	readonly nested: readonly string[];
	/** What differs from any other tree. */
	readonly against: (tree: string) => Promise<TreeEntry[]>;
	readonly stillHolds: () => Promise<boolean>;
};

const REMOVED = "000000";

function changesOf(entries: readonly TreeEntry[]) {
	return entries.map(({ path, new_mode, new_id }) => ({
		path,
		entry: new_mode === REMOVED ? undefined : { mode: new_mode, id: new_id },
	}));
}

/** The record that `ls-tree -z` prints for a file. */
function treeRecord(path: string, entry: Entry | undefined): { path: string; record: string } {
	return { path, record: entry === undefined ? "" : `${entry.mode} blob ${entry.id}\t${path}\0` };
}

async function look(
	session: GitSession,
	repository: Repository,
	base: string,
	prepared: PreparedIndex,
): Promise<Omit<Looked, "stillHolds">> {
	const against = (tree: string) => readIndexEntries(session, repository, tree, prepared.index);
	const intended = sortedByBytes(prepared.untracked);
	const entries = await against(base);
	const { tree, watched } = await hashTree(session, repository, base, changesOf(entries), intended);
	return {
		tree,
		entries,
		intended_untracked: intended,
		intended_untracked_proof: intendedUntrackedProof(intended.map((path, index) => treeRecord(path, watched[index]))),
		nested: prepared.nested,
		against,
	};
}

export async function lookAtWorktree(session: GitSession, repository: Repository, base: string): Promise<Looked> {
	const prepared = await prepareWorktree(session, repository, "look");
	return { ...(await look(session, repository, base, prepared)), stillHolds: prepared.stillHolds };
}

/** An index file as it is; `indexPath` is the one that Git hands to a hook, or the repository's own. */
export async function lookAtIndex(
	session: GitSession,
	repository: Repository,
	base: string,
	indexPath: string = repository.indexPath,
): Promise<Looked> {
	const looked = await look(session, repository, base, { index: indexPath, untracked: [], nested: [] });
	return {
		...looked,
		// The same differences from the same base are the same tree; it need not be hashed again.
		stillHolds: async () => JSON.stringify(await looked.against(base)) === JSON.stringify(looked.entries),
	};
}
