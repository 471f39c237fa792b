// A repository and a home on read-only mounts, in a private mount namespace: a write fails there even for root.
import { spawnSync } from "node:child_process";
import { execute, PROGRAM, type RunResult } from "./program.ts";
import { TestRepo } from "./repo.ts";

const SEAL =
	'for f in "$1" "$2"; do mount --bind "$f" "$f" && mount -o remount,bind,ro "$f" || exit 97; done; ' +
	'cd "$1" && shift 2 && exec "$@"';

function sealed(repo: TestRepo, argv: readonly string[]): string[] {
	return ["unshare", "--mount", "sh", "-c", SEAL, "sh", repo.root, repo.home, ...argv];
}

export function runSealed(repo: TestRepo, words: readonly string[], stdin = ""): Promise<RunResult> {
	return execute(sealed(repo, [...PROGRAM, ...words]), { cwd: repo.root, env: repo.env, stdin });
}

/** A write must fail for its mount, and a read must succeed: nothing else proves that the seal holds. */
function canSeal(): boolean {
	const repo = new TestRepo();
	const [file = "", ...args] = sealed(repo, ["sh", "-c", "cat app.ts && ! touch app.ts && ! touch .git/x"]);
	return spawnSync(file, args, { env: repo.env }).status === 0;
}

/** Where this machine permits no private mount, what needs one is skipped, and says so. */
export function sealingPermitted(): boolean {
	const permitted = process.platform === "linux" && canSeal();
	if (!permitted) console.warn("No private mounts are permitted here: the tests of read-only mounts are skipped.");
	return permitted;
}
