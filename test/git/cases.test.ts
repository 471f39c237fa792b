// What becomes of each special case (A.5), as facts of the manifest and as plain git's own tree.
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectLikeGit, judge, look, STAGED } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";

const FILES = { ".gitignore": "*.log\n", "a.ts": "one();\n", "b.ts": "two();\n", "dir/c.ts": "three();\n" };

type Row = readonly [path: string, status: string, from: string, to: string];

async function expectRows(repo: TestRepo, rows: readonly Row[]): Promise<void> {
	await expectLikeGit(repo);
	const { manifest } = await judge(repo);
	expect(manifest.map(({ path, status, old_mode, new_mode }) => [path, status, old_mode, new_mode])).toEqual(rows);
	for (const entry of manifest) {
		expect(entry.deleted).toBe(entry.status === "D");
		expect(entry.type_changed).toBe(entry.status === "T");
	}
}

const upper = "sh -c 'tr a-z A-Z'";
/** What a pointer filter does, without the program: the bytes go, a short text comes. */
const pointer = `sh -c 'printf "version https://git-lfs.github.com/spec/v1\\nsize %s\\n" "$(wc -c | tr -d " ")"'`;

function stored(repo: TestRepo, tree: string, path: string): string {
	repo.stage();
	expect(repo.git("write-tree")).toBe(tree);
	return repo.gitWith({}, "cat-file", "blob", `${tree}:${path}`).toString("latin1");
}

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	const fresh = (files: Readonly<Record<string, string>> = FILES) => new TestRepo({ format, files });

	it("the work tree wins over what is staged; the staged candidate keeps it (A.5 staged then edited)", async () => {
		const repo = fresh();
		repo.write("new.ts", "staged();\n");
		repo.stage();
		repo.write("new.ts", "working();\n");
		const { workspace, staged } = await expectLikeGit(repo);
		expect(workspace).not.toBe(staged);
		expect((await look(repo, STAGED)).manifest[0]).toMatchObject({ path: "new.ts", intended_untracked: false });
	});

	it("an intended file counts with its content, and is not staged (A.5 intent-to-add)", async () => {
		const repo = fresh();
		repo.write("new.ts", "x();\n");
		repo.git("add", "--intent-to-add", "new.ts");
		await expectRows(repo, [["new.ts", "A", "000000", "100644"]]);
		expect((await look(repo, STAGED)).manifest).toEqual([]);
	});

	it("a file that is gone is a removal, a folder that is gone one for each file (A.5 deleted)", async () => {
		const repo = fresh();
		repo.remove("b.ts");
		repo.remove("dir");
		await expectRows(repo, [
			["b.ts", "D", "100644", "000000"],
			["dir/c.ts", "D", "100644", "000000"],
		]);
	});

	it("a rename is a removal and an addition, whatever the user configured (A.5 rename)", async () => {
		const repo = fresh();
		for (const value of ["false", "true", "copies"]) repo.git("config", "diff.renames", value);
		repo.git("mv", "a.ts", "z.ts");
		await expectRows(repo, [
			["a.ts", "D", "100644", "000000"],
			["z.ts", "A", "000000", "100644"],
		]);
	});

	it("a file that became a link changed its type, and back (A.5 file to symlink)", async () => {
		const repo = fresh();
		repo.remove("a.ts");
		symlinkSync("/etc/passwd", repo.path("a.ts"));
		await expectRows(repo, [["a.ts", "T", "100644", "120000"]]);
		const { snapshot } = await judge(repo);
		expect(stored(repo, snapshot.candidate_tree, "a.ts")).toBe("/etc/passwd");
		repo.commit("link");
		rmSync(repo.path("a.ts"));
		repo.write("a.ts", "one();\n");
		await expectRows(repo, [["a.ts", "T", "120000", "100644"]]);
	});

	it("a mode alone is a change of mode, and none where modes are not trusted (A.5 chmod)", async () => {
		const repo = fresh();
		chmodSync(repo.path("a.ts"), 0o755);
		await expectRows(repo, [["a.ts", "M", "100644", "100755"]]);
		const judged = await judge(repo);
		expect(judged).toMatchObject({ lines: 0, tier: "high", manifest: [{ mode_only: true }] });
		repo.git("config", "core.fileMode", "false");
		await expectRows(repo, []);
	});

	it("a file in place of a folder, and a folder in place of a file, are both sides of the change", async () => {
		const repo = fresh();
		repo.remove("dir");
		repo.write("dir", "now a file\n");
		repo.remove("a.ts");
		repo.write("a.ts/inner.ts", "now a folder();\n");
		await expectRows(repo, [
			["a.ts", "D", "100644", "000000"],
			["a.ts/inner.ts", "A", "000000", "100644"],
			["dir", "A", "000000", "100644"],
			["dir/c.ts", "D", "100644", "000000"],
		]);
	});

	it("an ignored file is never in scope; a tracked one that became ignored stays (A.5 ignored)", async () => {
		const repo = fresh();
		repo.write("debug.log", "noise\n");
		repo.write("dir/.gitignore", "c.ts\nother.ts\n");
		repo.write("dir/other.ts", "x\n");
		repo.write("dir/c.ts", "changed();\n");
		await expectRows(repo, [
			["dir/.gitignore", "A", "000000", "100644"],
			["dir/c.ts", "M", "100644", "100644"],
		]);
	});

	it.each(["--skip-worktree", "--assume-unchanged"])("a path under %s is invisible (A.5)", async (flag) => {
		const repo = fresh();
		repo.git("update-index", flag, "a.ts", "b.ts");
		repo.write("a.ts", "hidden();\n");
		repo.remove("b.ts");
		await expectRows(repo, []);
	});

	it.each([
		["core.autocrlf", [["core.autocrlf", "true"]], "", "one();\r\ntwo();\r\n", "one();\ntwo();\n"],
		["eol", [], "*.ts text eol=crlf\n", "one();\r\ntwo();\r\n", "one();\ntwo();\n"],
		["encodings", [], "a.ts working-tree-encoding=UTF-16LE\n", "o\0k\0\n\0", "ok\n"],
		["ident", [], "*.ts ident\n", "// $Id: 1234 $\n", "// $Id$\n"],
		["filters", [["filter.up.clean", upper]], "*.ts filter=up\n", "one();\n\n", "ONE();\n\n"],
		[
			"pointers",
			[["filter.lfs.clean", pointer]],
			"*.ts filter=lfs -text\n",
			"x".repeat(5_000),
			"version https://git-lfs.github.com/spec/v1\nsize 5000\n",
		],
	] as const)("with %s the candidate holds the cleaned bytes (A.5 filters)", async (_, config, line, raw, clean) => {
		const repo = fresh();
		for (const [key, value] of config) repo.git("config", key, value);
		repo.write(".git/info/attributes", line);
		repo.write("a.ts", raw);
		await expectLikeGit(repo);
		const { snapshot } = await judge(repo);
		expect(snapshot.paths).toContain("a.ts");
		expect(stored(repo, snapshot.candidate_tree, "a.ts")).toBe(clean);
	});

	it("a required filter that is missing or fails is a typed failure (A.5 required filter)", async () => {
		const repo = fresh();
		repo.write(".git/info/attributes", "*.ts filter=gone\n");
		repo.write("a.ts", "changed();\n");
		await expectLikeGit(repo);
		repo.git("config", "filter.gone.required", "true");
		await expect(look(repo)).rejects.toMatchObject({ code: "git_command_failed" });
		repo.git("config", "filter.gone.clean", "false");
		await expect(look(repo)).rejects.toMatchObject({ code: "git_command_failed" });
	});

	it("line endings that Git cannot keep are refused only where Git refuses them (A.5 autocrlf)", async () => {
		const repo = fresh();
		repo.git("config", "core.autocrlf", "true");
		repo.git("config", "core.safecrlf", "warn");
		repo.write("a.ts", "one();\ntwo();\n");
		await expectLikeGit(repo);
		repo.git("config", "core.safecrlf", "true");
		expect(() => repo.git("add", "a.ts")).toThrow();
		await expect(judge(repo)).rejects.toMatchObject({ code: "git_command_failed" });
	});

	it("links that the file system cannot hold stay links (A.5 symlink, core.symlinks)", async () => {
		const repo = fresh();
		symlinkSync("a.ts", repo.path("link"));
		repo.commit("link");
		repo.git("config", "core.symlinks", "false");
		rmSync(repo.path("link"));
		repo.write("link", "a.ts");
		await expectRows(repo, []);
		repo.write("link", "b.ts");
		await expectRows(repo, [["link", "M", "120000", "120000"]]);
	});

	it("a candidate that equals its base has no path at all (A.5 empty candidate)", async () => {
		const repo = fresh();
		mkdirSync(repo.path("empty/folders/only"), { recursive: true });
		const { snapshot, manifest } = await judge(repo);
		expect(manifest).toEqual([]);
		expect(snapshot.paths).toEqual([]);
		expect(snapshot.candidate_tree).toBe(snapshot.base_tree);
	});

	it("names that differ in case alone are two paths (A.5 case)", async () => {
		const repo = fresh();
		repo.write("A.ts", "upper();\n");
		await expectRows(repo, [["A.ts", "A", "000000", "100644"]]);
	});
});
