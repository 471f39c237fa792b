// The work tree in a private index: one walk over it, and what differs from the real index added to a copy of that.
import {
	constants,
	copyFileSync,
	existsSync,
	lstatSync,
	mkdirSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ReviewError } from "../contract/errors.ts";
import { pathFromBytes, splitNul } from "./paths.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

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
export function copyIndex(repository: Repository, to: string): void {
	if (!existsSync(repository.indexPath)) {
		// Nor may one be left of an earlier look in the same operation: it names blobs that nobody has written.
		rmSync(to, { force: true });
		return;
	}
	const before = statSync(repository.indexPath);
	copyFileSync(repository.indexPath, to, constants.COPYFILE_FICLONE);
	const after = statSync(repository.indexPath);
	if (before.size !== after.size || before.mtimeMs !== after.mtimeMs || before.ino !== after.ino) throw changedRuling();
	const seconds = Math.max(1, Math.floor(before.mtimeMs / 1_000));
	utimesSync(to, seconds, seconds);
}

export function quarantine(session: GitSession, repository: Repository): { index: string; objects: string } {
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

/** A private index that holds the work tree. */
export type PreparedIndex = {
	readonly index: string;
	readonly untracked: readonly string[];
	readonly nested: readonly string[];
};

export type Quarantined = {
	/** The object directory that holds what only the work tree has; it borrows the repository's. */
	readonly objects: string;
	/** Asks once more: does the work tree still hold exactly this on the same HEAD? */
	readonly stillHolds: () => Promise<boolean>;
};

/** `look`: every blob is hashed and none is written. `keep`: what is new goes into the quarantine. */
export type Purpose = "look" | "keep";

type Environment = Readonly<Record<string, string>>;

function addAll(
	session: GitSession,
	repository: Repository,
	env: Environment,
	paths: readonly string[],
	purpose: Purpose,
): Promise<unknown> {
	const hashOnly = purpose === "look" ? ["--info-only"] : [];
	const words = ["update-index", ...hashOnly, "--add", "--replace", "-z", "--stdin"];
	return session.freeze(repository, words, { env, stdin: nulList(paths) });
}

function isSparse({ gitDir }: Repository): boolean {
	return existsSync(join(gitDir, "info", "sparse-checkout"));
}

/** Only `git add` knows which paths a sparse checkout excludes: it leaves them out and says so with exit code 1. */
function addSparse(
	session: GitSession,
	repository: Repository,
	env: Environment,
	paths: readonly string[],
): Promise<unknown> {
	const words = ["add", "--pathspec-from-file=-", "--pathspec-file-nul"];
	return session.freeze(repository, words, { env, stdin: nulList(paths), accept: [0, 1] });
}

const NOTHING_LEFT: Pick<Walk, "changed" | "untracked"> = { changed: [], untracked: [] };

function samePaths(some: readonly string[], others: readonly string[]): boolean {
	return some.length === others.length && some.every((path, at) => path === others[at]);
}

export async function prepareWorktree(
	session: GitSession,
	repository: Repository,
	purpose: Purpose,
): Promise<PreparedIndex & Quarantined> {
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
	if (added.length > 0) await (isSparse(repository) ? addSparse : addAll)(session, repository, env, added, purpose);
	// Only a sparse checkout leaves out what the walk has seen; elsewhere there is nothing to ask about.
	const left = isSparse(repository) ? await walk(session, repository, index, objects) : NOTHING_LEFT;
	const leftOut = new Set(left.untracked);
	return {
		index,
		objects,
		untracked: seen.untracked.filter((path) => !leftOut.has(path)),
		nested: seen.nested.filter((path) => isRepositoryFolder(repository, path)),
		// The private index now describes the frozen tree, so any difference that a second walk sees is a later edit.
		stillHolds: async () => {
			const again = await walk(session, repository, index, objects);
			return (
				again.head === seen.head &&
				again.removed.length === 0 &&
				samePaths(again.changed, left.changed) &&
				samePaths(again.untracked, left.untracked)
			);
		},
	};
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
