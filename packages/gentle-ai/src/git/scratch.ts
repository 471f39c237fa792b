// A throw-away repository with one commit, for the demonstration. The only place that writes through Git's porcelain.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ReviewError } from "../contract/errors.ts";
import { type Environment, locateGit } from "./program.ts";

export type ScratchFiles = Readonly<Record<string, string>>;

export type Scratch = {
	readonly root: string;
	readonly write: (files: ScratchFiles) => void;
	/** Stages everything, as `git add -A` does. */
	readonly stage: () => void;
};

/** Makes the repository in `root`, an existing empty folder, and commits `files` there. */
export function createScratch(root: string, environment: Environment, files: ScratchFiles): Scratch {
	const { spawnSync } = process.getBuiltinModule("node:child_process");
	const program = locateGit(root, environment);
	const env = {
		...program.read,
		GIT_AUTHOR_NAME: "gentle-ai",
		GIT_AUTHOR_EMAIL: "demo@gentle-ai.invalid",
		GIT_COMMITTER_NAME: "gentle-ai",
		GIT_COMMITTER_EMAIL: "demo@gentle-ai.invalid",
	};
	const git = (...args: string[]) => {
		const run = spawnSync(program.path, args, { cwd: root, env, stdio: "ignore" });
		if (run.status !== 0)
			throw new ReviewError("git_command_failed", { message: `git ${args[0]} failed in the demonstration` });
	};
	const write = (wanted: ScratchFiles) => {
		for (const [path, text] of Object.entries(wanted)) {
			mkdirSync(dirname(join(root, path)), { recursive: true });
			writeFileSync(join(root, path), text);
		}
	};
	git("init", "--quiet", "--initial-branch=main");
	write(files);
	git("add", "--all");
	git("commit", "--quiet", "--message=base");
	return { root, write, stage: () => git("add", "--all") };
}
