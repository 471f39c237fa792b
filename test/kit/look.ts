// The Git room in this process: the same look and the same freeze that the program does, without its start-up time.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Snapshot } from "../../packages/gentle-ai/src/contract/state.ts";
import { assessTarget } from "../../packages/gentle-ai/src/provider/assess.ts";
import { type Caller, type Workplace, withRepository } from "../../packages/gentle-ai/src/provider/caller.ts";
import {
	type FrozenTarget,
	freezeTarget,
	type LiveTarget,
	lookAtTarget,
	type Selector,
} from "../../packages/gentle-ai/src/provider/target.ts";
import { correctionBudget } from "../../packages/gentle-ai/src/review/index.ts";
import { indexAndRefs, plainTrees, type Trees } from "./freeze.ts";
import type { TestRepo } from "./repo.ts";

export const WORKSPACE: Selector = { kind: "current-changes", projection: "workspace" };
export const STAGED: Selector = { kind: "current-changes", projection: "staged" };

export function overlay(base: string, flag: "--base-ref" | "--base-tree" = "--base-ref"): Selector {
	return { kind: "base-workspace-overlay", base, flag, projection: "workspace" };
}

export function committed(base: string): Selector {
	return { kind: "base-diff", base, flag: "--base-ref" };
}

export function callerOf(repo: TestRepo): Caller {
	return { environment: repo.env, home: repo.home, now: () => new Date("2026-01-02T03:04:05Z") };
}

export function within<Result>(repo: TestRepo, work: (place: Workplace) => Promise<Result>, cwd = repo.root) {
	return withRepository(callerOf(repo), cwd, work);
}

export function look(repo: TestRepo, selector: Selector = WORKSPACE, cwd?: string): Promise<LiveTarget> {
	return within(repo, (place) => lookAtTarget(place, selector), cwd);
}

export type Judged = {
	readonly snapshot: Snapshot;
	readonly manifest: FrozenTarget["manifest"];
	readonly changes: FrozenTarget["changes"];
	readonly tier: string;
	readonly lines: number;
	readonly budget: number;
};

/** Freezes and assesses as START does. Looking must have seen exactly the same target. */
export async function judge(repo: TestRepo, selector: Selector = WORKSPACE, cwd?: string): Promise<Judged> {
	const seen = await look(repo, selector, cwd);
	return within(
		repo,
		async (place) => {
			const target = await freezeTarget(place, selector);
			const { snapshot, manifest, changes } = target;
			expect({ snapshot, manifest }).toEqual({ snapshot: seen.snapshot, manifest: seen.manifest });
			const { tier, changed_lines: lines } = await assessTarget(place, target);
			return { snapshot, manifest, changes, tier, lines, budget: correctionBudget(lines) };
		},
		cwd,
	);
}

/** Looked at and frozen, both projections are what plain git writes; the real index and refs are untouched. */
export async function expectLikeGit(repo: TestRepo): Promise<Trees> {
	const before = indexAndRefs(repo);
	const plain = plainTrees(repo);
	const [workspace, staged] = [await judge(repo), await judge(repo, STAGED)];
	expect({ workspace: workspace.snapshot.candidate_tree, staged: staged.snapshot.candidate_tree }).toEqual(plain);
	expect(indexAndRefs(repo)).toBe(before);
	return plain;
}

let copies = 0;

/** The tree of a real `git commit -a` in a copy, after the untracked files that are no repositories were intended. */
export function committedTree(repo: TestRepo): string {
	copies += 1;
	const copy = join(repo.folder, `committed-${copies}`);
	execFileSync("cp", ["-a", repo.root, copy]);
	const env = { GIT_LITERAL_PATHSPECS: "1" };
	const untracked = repo.gitWith({ cwd: copy }, "ls-files", "--others", "--exclude-standard", "-z").toString();
	const files = untracked.split("\0").filter((path) => path !== "" && !path.endsWith("/"));
	const list = ["--pathspec-from-file=-", "--pathspec-file-nul"];
	if (files.length > 0) repo.gitWith({ cwd: copy, env, input: files.join("\0") }, "add", "--intent-to-add", ...list);
	repo.gitIn(copy, "commit", "--quiet", "--all", "--allow-empty", "--no-verify", "--message", "all");
	const tree = repo.gitIn(copy, "rev-parse", "HEAD^{tree}");
	execFileSync("rm", ["-rf", copy]);
	return tree;
}

/** The same work tree in a fresh clone elsewhere: other inodes, other times, another index. */
export function secondClone(repo: TestRepo, other: TestRepo): TestRepo {
	other.git("fetch", "--quiet", repo.root, "main");
	other.git("reset", "--hard", "--quiet", "FETCH_HEAD");
	for (const name of readdirSync(other.root)) if (name !== ".git") other.remove(name);
	for (const name of readdirSync(repo.root)) {
		if (name !== ".git") execFileSync("cp", ["-R", "-P", "--preserve=mode", "--", repo.path(name), other.root]);
	}
	return other;
}
