// Which repository a folder belongs to. Asked once an operation; every later call names it explicitly (threats C5, C6).
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { PATTERNS } from "../contract/limits.ts";
import type { RepositoryLocation } from "../contract/state.ts";
import type { ChildResult } from "./process.ts";
import { type Environment, isInside, locateGit } from "./program.ts";
import { GitSession, type Head, type Places } from "./session.ts";

export type Repository = Places & {
	readonly commonDir: string;
	readonly indexPath: string;
	/** The empty tree of this object format; Git knows it without storing it. */
	readonly emptyTree: string;
	readonly location: RepositoryLocation;
};

const EMPTY_TREE = {
	sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;

const NOT_A_REPOSITORY = "Run the command inside the work tree of a Git repository, or name one with --cwd";

function canonicalFolder(cwd: string): string {
	try {
		const real = realpathSync(cwd);
		if (statSync(real).isDirectory()) return real;
	} catch {
		// Falls through to the refusal, which names the value.
	}
	throw invalidInput("--cwd", cwd, "an existing folder", NOT_A_REPOSITORY);
}

/** Opens a session for `cwd`. Closing it is the caller's duty. */
export function openSession(cwd: string, environment: Environment, budgetMs?: number): GitSession {
	const folder = canonicalFolder(cwd);
	return new GitSession(locateGit(folder, environment), folder, budgetMs);
}

const TREE = new RegExp(PATTERNS.tree);

const PLACES = [
	"rev-parse",
	"--path-format=absolute",
	"--show-toplevel",
	"--absolute-git-dir",
	"--git-common-dir",
	"--git-path",
	"index",
	"--git-path",
	"objects",
	"--show-object-format",
];
const PLACE_LINES = 6;

/** Asks for the places and HEAD at once; a HEAD that cannot be read is another question. */
async function discover(session: GitSession): Promise<ChildResult> {
	const both = await session.discover([...PLACES, "HEAD^{commit}", "HEAD^{tree}"], [0, 128]);
	return both.code === 0 ? both : session.discover(PLACES, [0, 128]);
}

export async function resolveRepository(session: GitSession): Promise<Repository> {
	const answer = await discover(session);
	const printed = answer.stdout.toString("utf8").split("\n");
	const lines = [...printed.slice(0, PLACE_LINES), ""];
	const [commit, tree, end] = printed.slice(PLACE_LINES);
	const withHead = commit !== undefined && tree !== undefined && TREE.test(commit) && TREE.test(tree) && end === "";
	if (withHead) session.headSeenAtDiscovery = { unborn: false, tree, commit };
	if (answer.code !== 0) {
		if (answer.stderr.includes("dubious ownership")) {
			throw new ReviewError("git_command_failed", {
				message: "Git refuses this repository because another user owns it",
				next: "Change its owner, or trust it with `git config --global --add safe.directory <path>`",
			});
		}
		throw new ReviewError("git_command_failed", { message: "there is no Git work tree here", next: NOT_A_REPOSITORY });
	}
	const [root, gitDir, commonDir, indexPath, objectsDir, format] = lines;
	// A path with a line feed would shift the lines; such a repository is refused, not guessed.
	const whole = withHead ? printed.length === PLACE_LINES + 3 : printed.length === PLACE_LINES + 1 && commit === "";
	if (!whole || (format !== "sha1" && format !== "sha256")) {
		throw new ReviewError("git_command_failed", {
			message: "the paths of this repository cannot be read unambiguously",
			next: "Move the repository to a path without line breaks",
		});
	}
	const places = [root, gitDir, commonDir].map((path) => realpathSync(path ?? ""));
	const [realRoot = "", realGitDir = "", realCommonDir = ""] = places;
	if (!isInside(realRoot, session.cwd)) {
		throw new ReviewError("git_command_failed", {
			message: "the work tree configured for this repository does not contain the folder asked for",
			next: "Unset core.worktree, or run the command inside the configured work tree",
		});
	}
	return {
		root: realRoot,
		gitDir: realGitDir,
		commonDir: realCommonDir,
		indexPath: indexPath ?? join(realGitDir, "index"),
		objectsDir: realpathSync(objectsDir ?? ""),
		objectFormat: format,
		emptyTree: EMPTY_TREE[format],
		location: { repository_root: realRoot, git_common_dir: realCommonDir, git_dir: realGitDir },
	};
}

function objectIds(stdout: Buffer): string[] {
	return stdout
		.toString("utf8")
		.split("\n")
		.filter((line) => TREE.test(line));
}

/**
 * The commit and tree of HEAD; the empty tree only when HEAD provably names a branch without a commit. The first answer
 * of a session was given together with the places; every later call asks again.
 */
export async function readHead(session: GitSession, repository: Repository): Promise<Head> {
	const seen = session.headSeenAtDiscovery;
	session.headSeenAtDiscovery = undefined;
	if (seen !== undefined) return seen;
	const born = await session.freeze(repository, ["rev-parse", "HEAD^{commit}", "HEAD^{tree}"], { accept: [0, 128] });
	if (born.code === 0) {
		const [commit, tree] = objectIds(born.stdout);
		if (commit !== undefined && tree !== undefined) return { unborn: false, tree, commit };
	}
	const symbolic = await session.freeze(repository, ["symbolic-ref", "--quiet", "HEAD"], { accept: [0, 1, 128] });
	const branch = symbolic.stdout.toString("utf8").trimEnd();
	if (symbolic.code === 0 && branch.startsWith("refs/heads/")) {
		const exists = await session.freeze(repository, ["show-ref", "--verify", "--quiet", "--", branch], {
			accept: [0, 1, 128],
		});
		if (exists.code === 1) return { unborn: true, tree: repository.emptyTree, commit: undefined };
	}
	throw new ReviewError("git_command_failed", {
		message: "HEAD names neither a commit nor a branch without commits",
		next: "Run `git status` in the repository and mend HEAD first",
	});
}

/** What Git says on stderr, in the C locale, about a ref that it will not take for a tree. */
const REF_RULES = [
	[/^warning: refname '.*' is ambiguous\.$/m, "a name with one meaning (write refs/heads/… or refs/tags/… in full)"],
	[/^error: short object ID [0-9a-f]+ is ambiguous$/m, "an id with enough digits to name one object"],
	[/^error: .*: expected tree type, but the object dereferences to /m, "the name of a commit or tree, not of a file"],
] as const;

/** The tree of a caller's ref. Only hex ids are passed on afterwards (threats D1, D3). */
export async function resolveTree(
	session: GitSession,
	repository: Repository,
	flag: string,
	ref: string,
): Promise<string> {
	const next = "Pass a branch, a tag, or a commit of this repository; `git branch --all` lists what there is";
	if (ref.includes("..")) throw invalidInput(flag, ref, "one revision (ranges are not accepted)", next);
	const answer = await session.freeze(
		repository,
		["-c", "core.warnAmbiguousRefs=true", "rev-parse", "--verify", "--end-of-options", `${ref}^{tree}`],
		{ accept: [0, 1, 128] },
	);
	const broken = REF_RULES.find(([said]) => said.test(answer.stderr));
	if (broken !== undefined) throw invalidInput(flag, ref, broken[1], next);
	const [tree] = objectIds(answer.stdout);
	if (answer.code !== 0 || tree === undefined) {
		throw invalidInput(flag, ref, "the name of a commit or tree in this repository", next);
	}
	return tree;
}

/** Is this tree in the repository? */
export async function hasTree(session: GitSession, repository: Repository, tree: string): Promise<boolean> {
	const answer = await session.freeze(repository, ["cat-file", "-e", `${tree}^{tree}`], { accept: [0, 1, 128] });
	return answer.code === 0;
}

/** Which of these trees belong to a commit that HEAD reaches. */
export async function treesInHistory(
	session: GitSession,
	repository: Repository,
	trees: readonly string[],
): Promise<ReadonlySet<string>> {
	const wanted = new Set(trees);
	const found = new Set<string>();
	let rest = "";
	await session.freeze(repository, ["rev-list", "--no-commit-header", "--format=%T", "HEAD", "--"], {
		accept: [0, 128],
		maxStdoutBytes: Number.MAX_SAFE_INTEGER,
		onStdout: (chunk) => {
			const lines = (rest + chunk.toString("latin1")).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) if (wanted.has(line)) found.add(line);
		},
	});
	return found;
}
