// A throw-away repository with a home of its own: fixed people and dates, no configuration from this machine.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll } from "vitest";
import { execute, PROGRAM, type RunOptions, type RunResult } from "./program.ts";

const folders = new Set<string>();

afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	folders.clear();
});

/** A private folder that goes away when the test file has run. */
export function temporaryFolder(): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "gentle-ai-test-")));
	folders.add(folder);
	return folder;
}

/** The program's compile cache: shared by all, and outside of everything that must stay as it is. */
const cache = temporaryFolder();

export type RepoOptions = {
	readonly format?: "sha1" | "sha256";
	/** Files of the first commit; none leaves the branch unborn. */
	readonly files?: Readonly<Record<string, string>>;
	/** Starts as a copy of this repository; much faster than making one. */
	readonly like?: TestRepo;
};

export type CallOptions = Partial<Pick<RunOptions, "cwd" | "stdin" | "onSpawn">> & {
	readonly env?: NodeJS.ProcessEnv;
};

const IDENTITY = {
	GIT_AUTHOR_NAME: "Test",
	GIT_AUTHOR_EMAIL: "test@example.invalid",
	GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
	GIT_COMMITTER_NAME: "Test",
	GIT_COMMITTER_EMAIL: "test@example.invalid",
	GIT_COMMITTER_DATE: "2026-01-02T03:04:05Z",
};

/** The fields of R0, the base fixture of the field reports. */
export const R0 = { "app.ts": "export const n = 1;\n", "guide.md": "# guide\n" } as const;

export class TestRepo {
	/** Everything of this repository and its user lies below here. */
	readonly folder: string;
	readonly root: string;
	readonly home: string;
	readonly bin: string;
	readonly tmp: string;

	constructor(options: RepoOptions = {}) {
		this.folder = temporaryFolder();
		this.root = join(this.folder, "repo");
		this.home = join(this.folder, "home");
		this.bin = join(this.folder, "bin");
		this.tmp = join(this.folder, "tmp");
		for (const folder of [this.root, this.home, this.bin, this.tmp]) mkdirSync(folder);
		const words = PROGRAM.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
		writeFileSync(join(this.bin, "gentle-ai"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
		if (options.like !== undefined) {
			cpSync(options.like.root, this.root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
			return;
		}
		this.git("init", "--quiet", "--initial-branch=main", `--object-format=${options.format ?? "sha1"}`);
		const files = Object.entries(options.files ?? R0);
		for (const [path, text] of files) this.write(path, text);
		if (files.length > 0) this.commit("base");
	}

	get env(): NodeJS.ProcessEnv {
		return {
			PATH: [this.bin, process.env.PATH].join(delimiter),
			HOME: this.home,
			TMPDIR: this.tmp,
			XDG_CACHE_HOME: cache,
			GIT_CONFIG_NOSYSTEM: "1",
			LC_ALL: "C",
			...IDENTITY,
		};
	}

	path(...parts: string[]): string {
		return join(this.root, ...parts);
	}

	/** Plain git in this repository; its stdout without the last line feed. */
	git(...args: string[]): string {
		return this.gitIn(this.root, ...args);
	}

	gitIn(cwd: string, ...args: string[]): string {
		return this.gitWith({ cwd }, ...args)
			.toString("utf8")
			.replace(/\n$/, "");
	}

	gitWith(options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string | Uint8Array }, ...args: string[]): Buffer {
		const run = spawnSync("git", args, {
			cwd: options.cwd ?? this.root,
			env: { ...this.env, ...options.env },
			input: options.input ?? "",
			maxBuffer: 64 * 1024 * 1024,
		});
		if (run.status !== 0) throw new Error(`git ${args.join(" ")} ended with ${run.status}: ${run.stderr}`);
		return run.stdout;
	}

	write(path: string, text: string | Uint8Array, mode?: number): void {
		const file = this.path(path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		if (mode !== undefined) chmodSync(file, mode);
	}

	/** A file beside the repository; its path. */
	outside(name: string, text: string | Uint8Array): string {
		const file = join(this.folder, name);
		writeFileSync(file, text);
		return file;
	}

	remove(path: string): void {
		rmSync(this.path(path), { recursive: true, force: true });
	}

	stage(...paths: string[]): void {
		this.git("add", "--all", "--", ...paths);
	}

	/** Stages everything and commits it. */
	commit(message: string): void {
		this.git("add", "--all");
		this.git("commit", "--quiet", "--no-verify", "--message", message);
	}

	/** The program with these words; `review` is the area, so it is not repeated by every test. */
	run(args: readonly string[], options: CallOptions = {}): Promise<RunResult> {
		return execute([...PROGRAM, ...args], {
			...this.callOptions(options),
			...(options.stdin !== undefined && { stdin: options.stdin }),
		});
	}

	/** A printed command line, exactly as printed, through a POSIX shell. */
	runPrinted(command: string, options: CallOptions = {}): Promise<RunResult> {
		return execute(["/bin/sh", "-c", command], this.callOptions(options));
	}

	private callOptions(options: CallOptions): RunOptions {
		return {
			cwd: options.cwd ?? this.root,
			env: { ...this.env, ...options.env },
			...(options.stdin !== undefined && { stdin: options.stdin }),
			...(options.onSpawn !== undefined && { onSpawn: options.onSpawn }),
		};
	}
}

/** The repository, cloned as over a network into a test repository of its own, with a user of its own. */
export function cloneOf(origin: TestRepo, ...flags: string[]): TestRepo {
	const repo = new TestRepo({ files: {} });
	repo.remove(".git");
	repo.gitIn(repo.folder, "clone", "--quiet", ...flags, `file://${origin.root}`, repo.root);
	return repo;
}
