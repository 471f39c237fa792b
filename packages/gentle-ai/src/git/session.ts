// One operation's use of Git: one deadline, one count of children, one private folder that goes away with it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { type ChildRequest, type ChildResult, runChild } from "./process.ts";
import type { GitProgram } from "./program.ts";

/** Always overridden, whatever any configuration says: nothing of the repository's may run or listen. */
const ALWAYS = [
	"-c",
	"core.fsmonitor=false",
	"-c",
	"core.hooksPath=/dev/null",
	"-c",
	"safe.bareRepository=explicit",
	"-c",
	"protocol.ext.allow=never",
	"-c",
	"core.untrackedCache=false",
	// An order file decides nothing here, and one that cannot be read would end every look (B4).
	"-c",
	"diff.orderFile=/dev/null",
	// A split index would write its shared part into the real git folder.
	"-c",
	"core.splitIndex=false",
];
const READ_ONLY = [
	"-c",
	"core.attributesFile=/dev/null",
	"-c",
	"diff.external=",
	"-c",
	"core.bigFileThreshold=512m",
	"-c",
	"core.quotePath=true",
];

export type Places = {
	readonly root: string;
	readonly gitDir: string;
	readonly objectsDir: string;
	readonly objectFormat: "sha1" | "sha256";
};

/** Where HEAD is; `commit` is undefined exactly when no commit exists yet. */
export type Head = { readonly unborn: boolean; readonly tree: string; readonly commit: string | undefined };

type RunOptions = Pick<ChildRequest, "stdin" | "onStdout"> & {
	readonly env?: Readonly<Record<string, string>>;
	readonly maxStdoutBytes?: number;
	/** Exit codes that are answers. */
	readonly accept?: readonly number[];
};

/** Milliseconds on a clock that nobody can set. `performance` would load a module for it. */
function elapsedMs(): number {
	return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

export class GitSession {
	readonly program: GitProgram;
	/** Canonical folder from which the repository was asked for. */
	readonly cwd: string;
	private readonly controller = new AbortController();
	private readonly timer: NodeJS.Timeout;
	private readonly deadline: number;
	private privateFolder: string | undefined;
	private readDir: string | undefined;
	private children = 0;
	private readonly running = new Set<Promise<ChildResult>>();
	/** HEAD as discovery saw it, until somebody asks for it. */
	headSeenAtDiscovery: Head | undefined;

	constructor(program: GitProgram, cwd: string, budgetMs: number = LIMITS.operationMs) {
		this.program = program;
		this.cwd = cwd;
		this.deadline = elapsedMs() + budgetMs;
		this.timer = setTimeout(() => this.controller.abort(this.expired()), budgetMs);
		this.timer.unref();
	}

	private expired(): ReviewError {
		return new ReviewError("operation_timeout", {
			message: "the operation did not finish within its time budget",
			next: "Find out what slows git down in this repository, then run the command again",
		});
	}

	/** How many Git children this operation started. */
	get childCount(): number {
		return this.children;
	}

	/** A private folder (mode 0700) of this operation, outside the repository; none any more once the operation is over. */
	folder(): string {
		if (this.controller.signal.aborted) throw this.expired();
		this.privateFolder ??= mkdtempSync(join(tmpdir(), "gentle-ai-"));
		return this.privateFolder;
	}

	/** Asks about the folder itself: the only place where Git may discover a repository. */
	discover(args: readonly string[], accept: readonly number[] = [0]): Promise<ChildResult> {
		return this.run([...ALWAYS, ...args], this.cwd, this.program.freeze, { accept });
	}

	/** Runs with the user's configuration on the resolved repository: the profile that equals `git commit`. */
	freeze(places: Places, args: readonly string[], options: RunOptions = {}): Promise<ChildResult> {
		const env = { ...this.program.freeze, GIT_DIR: places.gitDir, GIT_WORK_TREE: places.root, ...options.env };
		// Objects go to the quarantine, which is thrown away or packed; syncing each one would buy nothing.
		return this.run([...ALWAYS, "-c", "core.fsync=none", ...args], places.root, env, options);
	}

	/** Runs on trees and blobs alone, in an empty repository that only borrows the objects. */
	read(places: Places, args: readonly string[], options: RunOptions & { objects?: string } = {}): Promise<ChildResult> {
		const gitDir = this.prepareRead(places);
		const env = {
			...this.program.read,
			GIT_DIR: gitDir,
			GIT_WORK_TREE: join(gitDir, "worktree"),
			GIT_INDEX_FILE: join(gitDir, "no-index"),
			GIT_OBJECT_DIRECTORY: options.objects ?? places.objectsDir,
			...options.env,
		};
		return this.run([...ALWAYS, ...READ_ONLY, ...args], gitDir, env, options);
	}

	/** Makes the empty repository that borrows the objects; for whoever waits for something else anyway. */
	prepareRead({ objectFormat }: Places): string {
		if (this.readDir !== undefined) return this.readDir;
		const gitDir = join(this.folder(), "read");
		for (const name of ["objects", "refs", "worktree"]) mkdirSync(join(gitDir, name), { recursive: true, mode: 0o700 });
		writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
		const version = objectFormat === "sha256" ? 1 : 0;
		const extensions = objectFormat === "sha256" ? "[extensions]\n\tobjectFormat = sha256\n" : "";
		writeFileSync(
			join(gitDir, "config"),
			`[core]\n\trepositoryFormatVersion = ${version}\n\tbare = true\n${extensions}`,
		);
		this.readDir = gitDir;
		return gitDir;
	}

	private async run(
		args: readonly string[],
		cwd: string,
		env: Readonly<Record<string, string>>,
		options: RunOptions,
	): Promise<ChildResult> {
		const remaining = this.deadline - elapsedMs();
		if (remaining <= 0 || this.controller.signal.aborted) throw this.expired();
		this.children += 1;
		const child = runChild({
			program: this.program.path,
			args: ["--no-replace-objects", "--no-pager", ...args],
			cwd,
			env,
			timeoutMs: LIMITS.gitChildMs,
			signal: this.controller.signal,
			maxStdoutBytes: options.maxStdoutBytes ?? LIMITS.gitStdoutBytes,
			...(options.stdin !== undefined && { stdin: options.stdin }),
			...(options.onStdout !== undefined && { onStdout: options.onStdout }),
		});
		this.running.add(child);
		const result = await child.finally(() => this.running.delete(child));
		if (!(options.accept ?? [0]).includes(result.code)) throw gitFailed(args, result);
		return result;
	}

	/** Ends whatever still runs, waits until it has ended, and removes the private folder. */
	async close(): Promise<void> {
		clearTimeout(this.timer);
		this.controller.abort(this.expired());
		if (this.running.size > 0) await Promise.allSettled(this.running);
		if (this.privateFolder !== undefined) rmSync(this.privateFolder, { recursive: true, force: true });
		this.privateFolder = undefined;
		this.readDir = undefined;
	}
}

/** Git's own words stay out of the message: they carry paths and whatever the repository put into them. */
function gitFailed(args: readonly string[], result: ChildResult): ReviewError {
	const verb = args.find((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c") ?? "git";
	return new ReviewError(
		"git_command_failed",
		{
			message: `git ${verb} ended with exit code ${result.code}`,
			next: "Run `git status` in the repository; what git reports there must be mended first",
		},
		{ cause: new Error(result.stderr.slice(0, 2_000)) },
	);
}
