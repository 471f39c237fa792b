// The one freezer. STATUS and START freeze the same way: one walk over the work tree, the differences hashed into a
// private copy of the index, every new object into a private quarantine. The tree equals what `git add -A` would write.

import { sortedByBytes } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { intendedUntrackedProof } from "../contract/identities.ts";
import { PATTERNS } from "../contract/limits.ts";
import type { Projection } from "../contract/vocabulary.ts";
import type { TreeChange } from "./change-reader.ts";
import { readChanges, readIndexChanges } from "./changes.ts";
import { splitNul } from "./paths.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";
import { copyIndex, prepareWorktree, quarantine } from "./worktree.ts";

export type FrozenTree = {
	readonly tree: string;
	/** What differs from the base. */
	readonly changes: readonly TreeChange[];
	/** The object directory that holds what only the candidate has; it borrows the repository's. */
	readonly objects: string;
	/** Untracked files that became part of the tree, in canonical order, and the proof of their bytes. */
	readonly intended_untracked: readonly string[];
	readonly intended_untracked_proof: string;
	/** Repositories inside the work tree; reported, never part of the tree. */
	readonly nested: readonly string[];
	/** Asks once more: does the work tree still hold exactly this tree on the same HEAD? */
	readonly stillHolds: () => Promise<boolean>;
};

const TREE = new RegExp(PATTERNS.tree);

/** What `ls-tree -z` prints for each path, in the same order; empty for a path that the tree does not hold. */
export async function treeRecords(
	session: GitSession,
	repository: Repository,
	tree: string,
	objects: string | undefined,
	paths: readonly string[],
): Promise<{ path: string; record: string }[]> {
	if (paths.length === 0) return [];
	// The whole tree in one child: a list of paths in argv would have to be cut into several.
	const wanted = new Set(paths);
	const records = new Map<string, string>();
	let rest = Buffer.alloc(0);
	await session.read(repository, ["ls-tree", "-r", "-z", "--full-tree", tree], {
		...(objects !== undefined && { objects }),
		maxStdoutBytes: Number.MAX_SAFE_INTEGER,
		onStdout: (chunk) => {
			const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
			for (const field of splitNul(bytes)) {
				const path = field.subarray(field.indexOf(0x09) + 1).toString("utf8");
				if (wanted.has(path)) records.set(path, `${field.toString("utf8")}\0`);
			}
			rest = Buffer.from(bytes.subarray(bytes.lastIndexOf(0) + 1));
		},
	});
	return paths.map((path) => ({ path, record: records.get(path) ?? "" }));
}

async function writeTree(session: GitSession, repository: Repository, index: string, objects: string): Promise<string> {
	const answer = await session.freeze(repository, ["write-tree"], {
		env: { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects },
	});
	const tree = answer.stdout.toString("utf8").trim();
	if (TREE.test(tree)) return tree;
	throw new ReviewError("git_command_failed", { message: "git write-tree answered no tree" });
}

/**
 * Writes the tree and reads what differs from the base, both from the private index and side by side. An index that
 * leans on its repository cannot be read without it; then the trees are compared.
 */
async function writeCompared(
	session: GitSession,
	repository: Repository,
	base: string,
	index: string,
	objects: string,
): Promise<Pick<FrozenTree, "tree" | "changes">> {
	const writing = writeTree(session, repository, index, objects);
	const reading = readIndexChanges(session, repository, base, index, objects);
	// An index that is no tree is told as such, whichever child says it first.
	reading.catch(() => {});
	const tree = await writing;
	return { tree, changes: (await reading) ?? (await readChanges(session, repository, base, tree, objects)) };
}

async function freezeStaged(session: GitSession, repository: Repository, base: string): Promise<FrozenTree> {
	const { index, objects } = quarantine(session, repository);
	copyIndex(repository, index);
	const { tree, changes } = await writeCompared(session, repository, base, index, objects);
	return {
		tree,
		changes,
		objects,
		intended_untracked: [],
		intended_untracked_proof: intendedUntrackedProof([]),
		nested: [],
		stillHolds: async () => {
			copyIndex(repository, index);
			return (await writeTree(session, repository, index, objects)) === tree;
		},
	};
}

async function freezeWorkspace(session: GitSession, repository: Repository, base: string): Promise<FrozenTree> {
	const { index, objects, untracked, nested, stillHolds } = await prepareWorktree(session, repository, "keep");
	const { tree, changes } = await writeCompared(session, repository, base, index, objects);
	const intended = sortedByBytes(untracked);
	return {
		tree,
		changes,
		objects,
		intended_untracked: intended,
		intended_untracked_proof: intendedUntrackedProof(await treeRecords(session, repository, tree, objects, intended)),
		nested,
		stillHolds,
	};
}

/** Freezes the work tree (with every unignored untracked file) or the index. Index, work tree and refs stay as they are. */
export function freezeCandidate(
	session: GitSession,
	repository: Repository,
	projection: Projection,
	base: string,
): Promise<FrozenTree> {
	return projection === "staged" ? freezeStaged(session, repository, base) : freezeWorkspace(session, repository, base);
}
