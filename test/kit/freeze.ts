// What Git itself would freeze, asked of a copy: plain `git add -A` and `git write-tree`, nothing of ours.
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { status } from "./drive.ts";
import type { TestRepo } from "./repo.ts";

export type Trees = { readonly workspace: string; readonly staged: string };

let copies = 0;

/** Every inode of the copy is new, so plain git reads every file again: no cached time can mislead it. */
export function plainTrees(repo: TestRepo): Trees {
	copies += 1;
	const copy = join(repo.folder, `copy-${copies}`);
	execFileSync("cp", ["-a", repo.root, copy]);
	const staged = repo.gitIn(copy, "write-tree");
	repo.gitIn(copy, "add", "--all");
	const workspace = repo.gitIn(copy, "write-tree");
	execFileSync("rm", ["-rf", copy]);
	return { workspace, staged };
}

export async function frozenTrees(repo: TestRepo): Promise<Trees> {
	const [workspace, staged] = await Promise.all([status(repo), status(repo, ["--projection", "staged"])]);
	return {
		workspace: workspace.projection.current_candidate_tree,
		staged: staged.projection.current_candidate_tree,
	};
}

/** The index as bytes and time, and every ref. */
export function indexAndRefs(repo: TestRepo): string {
	const index = repo.path(".git", "index");
	const stat = lstatSync(index, { bigint: true });
	return [
		`${stat.mtimeNs} ${stat.ino} ${stat.mode}`,
		readFileSync(index).toString("base64"),
		readFileSync(repo.path(".git", "HEAD"), "utf8"),
		repo.git("for-each-ref"),
	].join("\n");
}

/** Both projections are what plain git writes, and the real index and refs are untouched. */
export async function expectPlainTrees(repo: TestRepo): Promise<Trees> {
	const before = indexAndRefs(repo);
	const plain = plainTrees(repo);
	expect(await frozenTrees(repo)).toEqual(plain);
	expect(indexAndRefs(repo)).toBe(before);
	return plain;
}
