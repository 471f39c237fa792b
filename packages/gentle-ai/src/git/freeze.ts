// The one freezer. STATUS and START freeze the same way: one walk over the work tree, the differences hashed into a
// private copy of the index, every new object into a private quarantine. The tree equals what `git add -A` would write.
import {
	constants,
	copyFileSync,
	existsSync,
	lstatSync,
	mkdirSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { intendedUntrackedProof, sortedByBytes } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { PATTERNS, type Projection } from "../contract/vocabulary.ts";
import { readChanges, readIndexChanges, type TreeChange } from "./changes.ts";
import { pathFromBytes, splitNul } from "./paths.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

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

type Walk = {
	/** The commit of HEAD, or `(initial)`. */
	readonly head: string;
	readonly changed: readonly string[];
	readonly removed: readonly string[];
	readonly untracked: readonly string[];
	readonly nested: readonly string[];
};

function changedRuling(): ReviewError {
	return new ReviewError("git_command_failed", {
		message: "the index changed while it was read",
		next: "Wait until the other Git command has ended, then run the command again",
	});
}

/** A private copy with the real index's time, rounded down: a newer time would hide edits of the same second (A1). */
function copyIndex(repository: Repository, to: string): void {
	if (!existsSync(repository.indexPath)) return;
	const before = statSync(repository.indexPath);
	copyFileSync(repository.indexPath, to, constants.COPYFILE_FICLONE);
	const after = statSync(repository.indexPath);
	if (before.size !== after.size || before.mtimeMs !== after.mtimeMs || before.ino !== after.ino) throw changedRuling();
	const seconds = Math.max(1, Math.floor(before.mtimeMs / 1_000));
	utimesSync(to, seconds, seconds);
}

function quarantine(session: GitSession, repository: Repository): { index: string; objects: string } {
	const folder = session.folder();
	const objects = join(folder, "objects");
	const index = join(folder, "index");
	mkdirSync(join(objects, "info"), { recursive: true, mode: 0o700 });
	writeFileSync(join(objects, "info", "alternates"), `${repository.objectsDir}\n`);
	return { index, objects };
}

/** The path of a porcelain v2 record: everything after its fixed number of space-separated fields. */
function recordPath(record: Buffer, fields: number): Buffer {
	let at = -1;
	for (let field = 0; field < fields; field += 1) at = record.indexOf(0x20, at + 1);
	return record.subarray(at + 1);
}

type Draft = {
	head: string;
	readonly changed: string[];
	readonly removed: string[];
	readonly untracked: string[];
	readonly nested: string[];
};

/** What one record says about the work tree; the index column plays no part here. */
const RECORDS: Readonly<Record<string, (record: Buffer, into: Draft) => void>> = {
	"# ": (record, into) => {
		const line = record.toString("utf8");
		if (line.startsWith("# branch.oid ")) into.head = line.slice("# branch.oid ".length);
	},
	"1 ": (record, into) => {
		const inWorktree = String.fromCharCode(record[3] ?? 0);
		if (inWorktree === ".") return;
		(inWorktree === "D" ? into.removed : into.changed).push(pathFromBytes(recordPath(record, 8)));
	},
	"u ": (record, into) => {
		const worktreeMode = record.toString("latin1").split(" ")[6];
		(worktreeMode === "000000" ? into.removed : into.changed).push(pathFromBytes(recordPath(record, 10)));
	},
	"? ": (record, into) => {
		const path = record.subarray(2);
		if (path.at(-1) === 0x2f) into.nested.push(pathFromBytes(path.subarray(0, -1)));
		else into.untracked.push(pathFromBytes(path));
	},
};

function parseWalk(output: Buffer): Walk {
	const draft: Draft = { head: "", changed: [], removed: [], untracked: [], nested: [] };
	for (const record of splitNul(output)) RECORDS[record.subarray(0, 2).toString("latin1")]?.(record, draft);
	return draft;
}

async function walk(session: GitSession, repository: Repository, index: string, objects: string): Promise<Walk> {
	const answer = await session.freeze(
		repository,
		[
			"status",
			"--porcelain=v2",
			"-z",
			"--branch",
			"--no-ahead-behind",
			"--untracked-files=all",
			"--no-renames",
			"--ignore-submodules=dirty",
		],
		{ env: { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects } },
	);
	return parseWalk(answer.stdout);
}

function nulList(paths: readonly string[]): Buffer {
	return Buffer.from(paths.map((path) => `${path}\0`).join(""));
}

function isRepositoryFolder(repository: Repository, path: string): boolean {
	try {
		return lstatSync(join(repository.root, path)).isDirectory();
	} catch {
		return false;
	}
}

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

/** A private index that holds the work tree. */
export type PreparedIndex = {
	readonly index: string;
	readonly untracked: readonly string[];
	readonly nested: readonly string[];
};

/** `look`: every blob is hashed and none is written. `keep`: what is new goes into the quarantine. */
export type Purpose = "look" | "keep";

export async function prepareWorktree(
	session: GitSession,
	repository: Repository,
	purpose: Purpose,
): Promise<PreparedIndex & Pick<FrozenTree, "objects" | "stillHolds">> {
	const { index, objects } = quarantine(session, repository);
	copyIndex(repository, index);
	const walking = walk(session, repository, index, objects);
	if (purpose === "keep") session.prepareRead(repository);
	const seen = await walking;
	const env = { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects };
	if (seen.removed.length > 0) {
		// --force-remove, because --remove refuses a path whose folder became a symbolic link.
		await session.freeze(repository, ["update-index", "--force-remove", "-z", "--stdin"], {
			env,
			stdin: nulList(seen.removed),
		});
	}
	const added = [...seen.changed, ...seen.untracked];
	if (added.length > 0) {
		const hashOnly = purpose === "look" ? ["--info-only"] : [];
		await session.freeze(repository, ["update-index", ...hashOnly, "--add", "--replace", "-z", "--stdin"], {
			env,
			stdin: nulList(added),
		});
	}
	return {
		index,
		objects,
		untracked: seen.untracked,
		nested: seen.nested.filter((path) => isRepositoryFolder(repository, path)),
		// The private index now describes the frozen tree, so any difference that a second walk sees is a later edit.
		stillHolds: async () => {
			const again = await walk(session, repository, index, objects);
			return (
				again.head === seen.head &&
				again.changed.length === 0 &&
				again.removed.length === 0 &&
				again.untracked.length === 0
			);
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

/**
 * Tracked files that Git was told not to look at (skip-worktree, assume-unchanged) and that are there: what is in them is
 * not in the candidate, although everything that runs in the work tree sees it.
 */
export async function hiddenPaths(session: GitSession, repository: Repository): Promise<string[]> {
	const answer = await session.freeze(repository, ["ls-files", "-v", "-z"], {
		maxStdoutBytes: Number.MAX_SAFE_INTEGER,
	});
	return splitNul(answer.stdout)
		.filter((record) => /^[a-zS] /.test(record.toString("latin1", 0, 2)))
		.map((record) => pathFromBytes(record.subarray(2)))
		.filter((path) => existsSync(join(repository.root, path)));
}
