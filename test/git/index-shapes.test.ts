// Indexes of every shape freeze to the tree that a commit would have; hidden paths stay hidden, as for a commit.
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startPrinted, status } from "../kit/drive.ts";
import { expectPlainTrees, frozenTrees, indexAndRefs } from "../kit/freeze.ts";
import { TestRepo } from "../kit/repo.ts";

const FILES = { "a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n", "dir/c.ts": "export const c = 1;\n" };

function edited(repo: TestRepo): TestRepo {
	repo.write("a.ts", "export const a = 2;\n");
	repo.remove("b.ts");
	repo.write("dir/new.ts", "export const d = 1;\n");
	return repo;
}

describe("an index", () => {
	it.each(["--skip-worktree", "--assume-unchanged"])(
		"with a path under %s keeps it as a commit would (A2)",
		async (flag) => {
			const repo = new TestRepo({ files: FILES });
			repo.git("update-index", flag, "a.ts");
			repo.write("a.ts", "export const a = 'nobody looks';\n");
			repo.write("b.ts", "export const b = 2;\n");
			await expectPlainTrees(repo);
			expect((await status(repo)).projection.paths).toEqual(["b.ts"]);
		},
	);

	it("with hidden paths has them told by the human run, also when nothing else changed (A2)", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.git("update-index", "--skip-worktree", "a.ts");
		repo.git("update-index", "--assume-unchanged", "dir/c.ts");
		repo.write("a.ts", "export const a = 'nobody looks';\n");
		const noted = async () => {
			const { notes } = (await repo.run(["review", "--format=json", "--yes"])).json<{ notes: string[] }>();
			return notes.filter((note) => note.includes("a.ts") && note.includes("dir/c.ts")).length;
		};
		expect(await noted()).toBe(1);
		repo.write("b.ts", "export const b = 2;\n");
		expect(await noted()).toBe(1);
	});

	it("with an intended file holds it in the work tree's candidate, and not in the staged one (A3)", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.write("new.ts", "export const fresh = 1;\n");
		repo.git("add", "--intent-to-add", "new.ts");
		await expectPlainTrees(repo);
		expect((await status(repo)).projection.paths).toEqual(["new.ts"]);
		expect((await status(repo, ["--projection", "staged"])).projection.paths).toEqual([]);
	});

	it("in version 4 freezes the same (A11)", async () => {
		const repo = edited(new TestRepo({ files: FILES }));
		const plain = await frozenTrees(repo);
		repo.git("update-index", "--index-version", "4");
		expect(await frozenTrees(repo)).toEqual(plain);
		await expectPlainTrees(repo);
	});

	it("that is split freezes the same, and no shared part is written into the real git folder (A11)", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.git("config", "core.splitIndex", "true");
		repo.git("update-index", "--split-index");
		repo.write("a.ts", "export const a = 1.5;\n");
		repo.git("add", "a.ts");
		edited(repo);
		const shared = () => readdirSync(repo.path(".git")).filter((name) => name.startsWith("sharedindex."));
		const before = shared();
		expect(before.length).toBeGreaterThan(0);
		await expectPlainTrees(repo);
		expect(shared()).toEqual(before);
	});

	it("of a sparse checkout leaves what is not checked out as it is (A11, A.5 sparse)", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.git("sparse-checkout", "set", "--cone", "dir");
		repo.git("sparse-checkout", "set", "--no-cone", "/dir/");
		expect(existsSync(repo.path("a.ts"))).toBe(false);
		repo.write("dir/c.ts", "export const c = 2;\n");
		await expectPlainTrees(repo);
		expect((await status(repo)).projection.paths).toEqual(["dir/c.ts"]);
	});

	it("that is sparse itself freezes the same (A11)", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir");
		repo.write("dir/c.ts", "export const c = 2;\n");
		await expectPlainTrees(repo);
	});

	it("with line endings that Git converts gives one identity before and after `git add` (FR-12 b)", async () => {
		const repo = new TestRepo({ files: { ".gitattributes": "* text=auto\n", "a.ts": "one();\n" } });
		repo.git("config", "core.autocrlf", "true");
		repo.write("a.ts", "one();\r\ntwo();\r\n");
		const { lineage_id } = await startPrinted(repo);
		const first = await status(repo);
		expect(first.authority?.lineage_id).toBe(lineage_id);
		expect(await status(repo, ["--lineage", lineage_id])).toEqual(first);
		await expectPlainTrees(repo);
		repo.gitWith({}, "-c", "core.safecrlf=false", "add", "a.ts");
		const staged = await status(repo);
		expect(staged.target_identity).toBe(first.target_identity);
		expect(staged.authority?.lineage_id).toBe(lineage_id);
	});

	it("with conflicts freezes the work tree, and as staged is refused typed (A.2 unmerged)", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.git("checkout", "--quiet", "-b", "other");
		repo.write("a.ts", "export const a = 'theirs';\n");
		repo.commit("theirs");
		repo.git("checkout", "--quiet", "main");
		repo.write("a.ts", "export const a = 'ours';\n");
		repo.commit("ours");
		expect(() => repo.git("merge", "--quiet", "other")).toThrow();
		expect((await status(repo)).projection.paths).toEqual(["a.ts"]);
		const result = await repo.run([
			"review",
			"status",
			"--contract",
			"gentle-ai.review-integration/v2",
			"--projection",
			"staged",
		]);
		expect(result.json()).toMatchObject({ code: "git_command_failed", mutation_outcome: "not_started" });
	});

	it("stays byte for byte the same through a whole START (A12)", async () => {
		const repo = edited(new TestRepo({ files: FILES }));
		repo.git("add", "a.ts");
		repo.write("a.ts", "export const a = 3;\n");
		const before = indexAndRefs(repo);
		await startPrinted(repo);
		await startPrinted(repo, ["--projection", "staged"]);
		expect(indexAndRefs(repo)).toBe(before);
		expect(existsSync(repo.path(".git", "index.lock"))).toBe(false);
	});
});
