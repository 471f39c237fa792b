// Frozen objects live as long as their review: through every collection, and not a moment longer (threat A5).
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Start } from "../kit/documents.ts";
import { approve, captureAll, drive, expectSuccess, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

const packs = (repo: TestRepo, ending: string) =>
	readdirSync(repo.path(".git", "objects", "pack")).filter((name) => name.endsWith(ending));

function collect(repo: TestRepo): void {
	repo.git("reflog", "expire", "--expire=now", "--all");
	repo.git("gc", "--quiet", "--prune=now");
}

type Format = "sha1" | "sha256";

async function frozen(format: Format = "sha1"): Promise<{ repo: TestRepo; start: Start; tree: string }> {
	const repo = new TestRepo({ format });
	repo.write("app.ts", "export const n = 2;\n");
	repo.write("new.ts", "export const fresh = 'only in the candidate';\n");
	const start = await startPrinted(repo);
	return { repo, start, tree: start.candidate_tree ?? "" };
}

async function end(repo: TestRepo): Promise<void> {
	const { authority } = await status(repo);
	const words = ["--lineage", authority?.lineage_id ?? "", "--expected-revision", authority?.revision ?? ""];
	expectSuccess(await repo.run(["review", "end", ...words, "--reason", "not needed any more"]));
}

describe("the frozen tree", () => {
	it.each(["sha1", "sha256"] as const)(
		"of %s ids is there after unstaging and a pruning collection (A5)",
		async (format) => {
			const { repo, tree } = await frozen(format);
			repo.stage();
			repo.git("reset", "--quiet");
			repo.git("stash", "--quiet", "--include-untracked");
			repo.git("stash", "drop", "--quiet");
			collect(repo);
			expect(repo.git("ls-tree", "-r", "--name-only", tree)).toBe("app.ts\nguide.md\nnew.ts");
			expect(repo.git("cat-file", "blob", `${tree}:new.ts`)).toContain("only in the candidate");
			expect(repo.git("fsck", "--no-dangling")).toBe("");
			expect(repo.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
		},
	);

	it("carries a review through to its receipt after the collection (A5)", async () => {
		const { repo } = await frozen();
		collect(repo);
		await captureAll(repo);
		expect((await drive(repo)).last.authority?.state).toBe("approved");
	});

	it("is kept in one pack that names its lineage (A5)", async () => {
		const { repo, start } = await frozen();
		const keeps = packs(repo, ".keep");
		expect(keeps).toHaveLength(1);
		expect(readFileSync(repo.path(".git", "objects", "pack", keeps[0] ?? ""), "utf8")).toContain(start.lineage_id);
		expect(readdirSync(repo.path(".git", "objects", "pack")).filter((name) => name.startsWith("tmp_"))).toEqual([]);
	});

	it("goes away with its review, and nobody else's does (A5)", async () => {
		const { repo, tree } = await frozen("sha256");
		repo.write("app.ts", "export const n = 3;\n");
		const second = await startPrinted(repo);
		expect(packs(repo, ".keep")).toHaveLength(2);
		repo.write("app.ts", "export const n = 2;\n");
		await end(repo);
		expect(packs(repo, ".keep")).toHaveLength(1);
		collect(repo);
		expect(() => repo.git("cat-file", "-e", tree)).toThrow();
		repo.git("cat-file", "-e", second.candidate_tree ?? "");
	});

	it("is not taken from what was staged from it when its review ends (A5)", async () => {
		const { repo, tree } = await frozen();
		repo.stage();
		await end(repo);
		collect(repo);
		expect(repo.git("cat-file", "blob", ":new.ts")).toContain("only in the candidate");
		expect(repo.git("write-tree")).toBe(tree);
		expect(repo.git("fsck", "--no-dangling")).toBe("");
	});

	it("of a committed range is the committed tree itself (A5)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		repo.commit("second");
		const start = await startPrinted(repo, ["--base-ref", "HEAD~1"]);
		expect(start.candidate_tree).toBe(repo.git("rev-parse", "HEAD^{tree}"));
		repo.git("cat-file", "-e", start.candidate_tree ?? "");
		expect(repo.git("fsck", "--no-dangling")).toBe("");
	});

	it("of an approved review outlives the collection too (A5)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		await approve(repo);
		const tree = (await status(repo)).projection.current_candidate_tree;
		repo.git("checkout", "--quiet", "--", ".");
		collect(repo);
		repo.git("cat-file", "-e", tree);
		repo.write("app.ts", "export const n = 2;\n");
		expect((await status(repo)).authority?.state).toBe("approved");
	});
});
