// What each selector compares (A.3), and how the work tree and the index become trees (A.4).
import { readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Start } from "../kit/documents.ts";
import {
	argument,
	executionOf,
	expectSuccess,
	failureOf,
	runExecute,
	startPrinted,
	startWords,
	status,
	statusWords,
	transitionOf,
} from "../kit/drive.ts";
import { plainTrees } from "../kit/freeze.ts";
import { committed, judge, look, overlay, STAGED } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";

const EMPTY = {
	sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};
const NOBODY = `sha256:${"0".repeat(64)}`;

/** A branch that is one commit ahead, with something staged, something edited and something untracked on top. */
function branched(format: "sha1" | "sha256" = "sha1"): TestRepo {
	const repo = new TestRepo({ format });
	repo.git("branch", "start");
	repo.write("committed.ts", "export const c = 1;\n");
	repo.commit("second");
	repo.write("staged.ts", "export const s = 1;\n");
	repo.stage();
	repo.write("staged.ts", "export const s = 2;\n");
	repo.write("app.ts", "export const n = 2;\n");
	repo.write("untracked.ts", "export const u = 1;\n");
	return repo;
}

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	it("current changes go from HEAD to the work tree, or to the index (A.3 current-changes)", async () => {
		const repo = branched(format);
		const head = repo.git("rev-parse", "HEAD^{tree}");
		const plain = plainTrees(repo);
		const workspace = (await judge(repo)).snapshot;
		expect(workspace).toMatchObject({ kind: "current-changes", base_tree: head, candidate_tree: plain.workspace });
		expect(workspace.paths).toEqual(["app.ts", "staged.ts", "untracked.ts"]);
		expect(workspace.intended_untracked).toEqual(["untracked.ts"]);
		const staged = (await judge(repo, STAGED)).snapshot;
		expect(staged).toMatchObject({ base_tree: head, candidate_tree: plain.staged, projection: "staged" });
		expect(staged.paths).toEqual(["staged.ts"]);
	});

	it("a base diff goes from the ref to HEAD, whatever the work tree holds (A.3 base-diff)", async () => {
		const repo = branched(format);
		const { snapshot } = await judge(repo, committed("start"));
		expect(snapshot).toMatchObject({
			kind: "base-diff",
			base_tree: repo.git("rev-parse", "start^{tree}"),
			candidate_tree: repo.git("rev-parse", "HEAD^{tree}"),
			paths: ["committed.ts"],
			intended_untracked: [],
		});
	});

	it("an overlay goes from the ref to the work tree, by ref or by tree the same (A.3 overlay)", async () => {
		const repo = branched(format);
		const tree = repo.git("rev-parse", "start^{tree}");
		const byRef = await judge(repo, overlay("start"));
		expect(byRef.snapshot).toMatchObject({
			kind: "base-workspace-overlay",
			base_tree: tree,
			candidate_tree: plainTrees(repo).workspace,
			paths: ["app.ts", "committed.ts", "staged.ts", "untracked.ts"],
		});
		expect(await judge(repo, overlay(tree, "--base-tree"))).toEqual(byRef);
	});

	it("one candidate under three selectors has three identities (A.3, A.9)", async () => {
		const repo = new TestRepo({ format });
		repo.git("branch", "start");
		repo.write("app.ts", "export const n = 2;\n");
		const tree = (await look(repo)).snapshot.candidate_tree;
		const seen = [await look(repo), await look(repo, overlay("start"))];
		repo.stage();
		seen.push(await look(repo, STAGED));
		expect(new Set(seen.map(({ snapshot }) => snapshot.candidate_tree))).toEqual(new Set([tree]));
		expect(new Set(seen.map(({ snapshot }) => snapshot.identity)).size).toBe(3);
	});

	it("an unborn HEAD has the empty tree as its base (A.4 step 1)", async () => {
		const repo = new TestRepo({ format, files: {} });
		repo.write("app.ts", "x\n");
		const seen = await look(repo);
		expect(seen).toMatchObject({ unborn_head: true, snapshot: { base_tree: EMPTY[format], paths: ["app.ts"] } });
		repo.stage();
		repo.write("later.ts", "x\n");
		expect((await look(repo, STAGED)).snapshot.paths).toEqual(["app.ts"]);
	});

	it("a HEAD that is broken is not an unborn one (A.4 step 1)", async () => {
		const repo = new TestRepo({ format });
		writeFileSync(repo.path(".git/refs/heads/main"), `${"1".repeat(format === "sha1" ? 40 : 64)}\n`);
		await expect(look(repo)).rejects.toMatchObject({ code: "git_command_failed" });
		writeFileSync(repo.path(".git/refs/heads/main"), "no id\n");
		await expect(look(repo)).rejects.toMatchObject({ code: "git_command_failed" });
	});
});

describe("the overlay of a work tree", () => {
	it("is started as printed, reviewed, and found again by --base-tree (A.3 restart)", async () => {
		const repo = branched();
		const flags = ["--base-ref", "start", "--workspace-overlay"];
		const start: Start = await startPrinted(repo, flags);
		const tree = start.base_tree ?? "";
		const again = await status(repo, ["--base-tree", tree, "--workspace-overlay"]);
		expect(again.authority?.lineage_id).toBe(start.lineage_id);
		expect(again).toEqual(await status(repo, flags));
		const restarted = await repo.run(startWords(again.target_identity, "--base-ref", tree, "--workspace-overlay"));
		expectSuccess(restarted);
		expect(restarted.json<Start>().lineage_id).toBe(start.lineage_id);
	});

	it("keeps its base when the ref moves on (A.3 restart)", async () => {
		const repo = branched();
		const start = await startPrinted(repo, ["--base-ref", "start", "--workspace-overlay"]);
		repo.git("branch", "--force", "start", "HEAD");
		const again = await status(repo, ["--base-tree", start.base_tree ?? "", "--workspace-overlay"]);
		expect(again.authority?.lineage_id).toBe(start.lineage_id);
		const moved = await status(repo, ["--base-ref", "start", "--workspace-overlay"]);
		expect(moved.target_identity).not.toBe(again.target_identity);
		expect(argument(executionOf(moved), "base-ref")).toBe(repo.git("rev-parse", "HEAD^{tree}"));
	});

	it("is started from the tree of its base, after its ref is gone (A.3 restart)", async () => {
		const repo = branched();
		const tree = repo.git("rev-parse", "start^{tree}");
		repo.git("branch", "--quiet", "-D", "start");
		const fresh = await status(repo, ["--base-tree", tree, "--workspace-overlay"]);
		expect(argument(executionOf(fresh), "base-ref")).toBe(tree);
		const opened = await runExecute<{ lineage_id: string; base_tree: string }>(repo, fresh);
		expect(opened.base_tree).toBe(tree);
		const again = await status(repo, ["--base-tree", tree, "--workspace-overlay"]);
		expect(again.authority?.lineage_id).toBe(opened.lineage_id);
	});

	it("of the index alone is stopped (A.3 overlay)", async () => {
		const repo = branched();
		const seen = await status(repo, ["--base-ref", "start", "--workspace-overlay", "--projection", "staged"]);
		expect(transitionOf(seen)).toMatchObject({
			kind: "stop",
			reason_code: "staged_workspace_overlay_recovery_unavailable",
		});
	});
});

describe("selectors that contradict each other", () => {
	it.each([
		["--base-ref=start..HEAD", "--committed-only"],
		["--base-ref=start...HEAD", "--committed-only"],
		["--base-ref=start", "--committed-only", "--workspace-overlay"],
		["--base-ref=start", "--base-tree=start", "--workspace-overlay"],
		["--base-tree=start", "--workspace-overlay"],
		["--base-tree=start"],
		["--committed-only"],
		["--workspace-overlay"],
		["--base-ref=start", "--projection=staged", "--committed-only"],
	])("%s %s %s are refused by STATUS and START before anything is written (A.3 rules)", async (...flags) => {
		const repo = branched();
		for (const words of [statusWords(...flags), startWords(NOBODY, ...flags)]) {
			const failure = failureOf(await repo.run(words));
			expect(failure).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		}
		expect(readdirSync(repo.path(".git"))).not.toContain("gentle-ai");
	});

	it("a ref without its partner is refused by START while files are dirty (A.3 rules)", async () => {
		const repo = branched();
		const failure = failureOf(await repo.run(startWords(NOBODY, "--base-ref=start")));
		expect(failure).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
	});
});
