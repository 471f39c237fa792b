// What differs between two trees: one Git child gives the raw entries and the hunks of every path. Counting comes from
// hunks, because numstat believes attributes (threats B1, B2).
import { LIMITS } from "../contract/limits.ts";
import { ChangeReader, type TreeChange, type TreeEntry } from "./change-reader.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

const RAW_OPTIONS = ["--raw", "--full-index", "--no-renames", "--ignore-submodules=none"];
const TREE_OPTIONS = ["-r", "--no-commit-id"];
const PATCH_OPTIONS = [
	"--patch",
	"--unified=0",
	"--text",
	"--no-color",
	"--no-ext-diff",
	"--no-textconv",
	"--diff-algorithm=myers",
	"--no-indent-heuristic",
	"--src-prefix=a/",
	"--dst-prefix=b/",
];

async function readInto(
	reader: ChangeReader,
	options: readonly string[],
	session: GitSession,
	repository: Repository,
	trees: readonly [base: string, candidate: string],
	objects: string | undefined,
): Promise<void> {
	await session.read(repository, ["diff-tree", ...TREE_OPTIONS, ...options, ...trees, "--"], {
		onStdout: (chunk) => reader.push(chunk),
		maxStdoutBytes: LIMITS.patchStreamBytes,
		...(objects !== undefined && { objects }),
	});
}

/** Which paths differ between two trees, in canonical order. Looks at no blob. */
export async function readEntries(
	session: GitSession,
	repository: Repository,
	base: string,
	candidate: string,
	objects?: string,
): Promise<TreeEntry[]> {
	if (base === candidate) return [];
	const reader = new ChangeReader();
	await readInto(reader, RAW_OPTIONS, session, repository, [base, candidate], objects);
	return reader.finishEntries();
}

/** Which paths of an index file differ from a tree. Looks at no blob and not at the work tree. */
export async function readIndexEntries(
	session: GitSession,
	repository: Repository,
	tree: string,
	index: string,
): Promise<TreeEntry[]> {
	const reader = new ChangeReader();
	const options = [...RAW_OPTIONS, "--cached", "--ita-invisible-in-index"];
	await session.freeze(repository, ["-c", "core.quotePath=true", "diff-index", ...options, tree, "--"], {
		env: { GIT_INDEX_FILE: index },
		onStdout: (chunk) => reader.push(chunk),
		maxStdoutBytes: LIMITS.patchStreamBytes,
	});
	return reader.finishEntries();
}

/** Every change between two trees, in canonical path order. `objects` is where the candidate's own objects are. */
export async function readChanges(
	session: GitSession,
	repository: Repository,
	base: string,
	candidate: string,
	objects?: string,
): Promise<TreeChange[]> {
	if (base === candidate) return [];
	const reader = new ChangeReader();
	await readInto(reader, [...RAW_OPTIONS, ...PATCH_OPTIONS], session, repository, [base, candidate], objects);
	return reader.finish();
}

/** Git's exit code when it cannot read what it was given. */
const UNREADABLE = 128;

/**
 * The same between a tree and a private index; undefined when the index cannot be read away from its repository, as a
 * split one. Attributes in the index change nothing here: the options take every file
 * as text, and no driver is configured where only objects are borrowed.
 */
export async function readIndexChanges(
	session: GitSession,
	repository: Repository,
	base: string,
	index: string,
	objects: string,
): Promise<TreeChange[] | undefined> {
	const reader = new ChangeReader();
	const options = [...RAW_OPTIONS, ...PATCH_OPTIONS, "--cached", "--ita-invisible-in-index"];
	const { code } = await session.read(repository, ["diff-index", ...options, base, "--"], {
		env: { GIT_INDEX_FILE: index },
		accept: [0, UNREADABLE],
		onStdout: (chunk) => reader.push(chunk),
		maxStdoutBytes: LIMITS.patchStreamBytes,
		objects,
	});
	return code === UNREADABLE ? undefined : reader.finish();
}
