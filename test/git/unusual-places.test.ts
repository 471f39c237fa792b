// Places where Git keeps things elsewhere or otherwise: submodules in every state, repositories in folders, clones that
// borrow, links and pipes. What plain Git writes is frozen; what it refuses is refused typed (A.2, A.5, A9, A11).
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drive, startPrinted } from "../kit/drive.ts";
import { expectLikeGit, judge, look } from "../kit/look.ts";
import { cloneOf, TestRepo } from "../kit/repo.ts";

type Format = "sha1" | "sha256";

function withSubmodules(format: Format): TestRepo {
	const repo = new TestRepo({ format });
	const library = new TestRepo({ format, files: { "lib.ts": "export const l = 1;\n" } });
	for (const name of ["one", "two"]) {
		repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, name);
	}
	repo.commit("submodules");
	return repo;
}

const pipe = (path: string) => execFileSync("sh", ["-c", 'mkfifo "$0"', path]);

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	it.each([
		["is gone", (repo: TestRepo) => repo.remove("one")],
		["is not checked out", (repo: TestRepo) => void repo.git("submodule", "--quiet", "deinit", "--force", "one")],
		[
			"became a file",
			(repo: TestRepo) => {
				repo.remove("one");
				repo.write("one", "x\n");
			},
		],
		[
			"became a folder",
			(repo: TestRepo) => {
				repo.remove("one");
				repo.write("one/x.ts", "x\n");
			},
		],
		["has another name", (repo: TestRepo) => void repo.git("mv", "one", "renamed")],
		[
			"became ordinary files",
			(repo: TestRepo) => {
				repo.git("rm", "--quiet", "--cached", "one");
				repo.remove("one/.git");
			},
		],
	])("a submodule that %s is what Git makes of it (A.5 submodule, A11)", async (_, alter) => {
		const repo = withSubmodules(format);
		alter(repo);
		await expectLikeGit(repo);
	});

	it("a submodule without a commit keeps its gitlink: there is nothing to move it to (A.5 submodule)", async () => {
		const repo = withSubmodules(format);
		repo.gitIn(repo.path("one"), "checkout", "--quiet", "--orphan", "nothing");
		expect(() => repo.git("add", "--all")).toThrow();
		repo.write("app.ts", "export const n = 2;\n");
		expect((await judge(repo)).snapshot.paths).toEqual(["app.ts"]);
		expect((await startPrinted(repo)).changed_files).toBe(1);
	});

	it("tracked files of a folder that became a repository stay in scope (A.5 embedded)", async () => {
		const repo = new TestRepo({ format, files: { "dir/c.ts": "x\n", "a.ts": "y\n" } });
		repo.gitIn(repo.path("dir"), "init", "--quiet", `--object-format=${format}`);
		repo.write("dir/c.ts", "z\n");
		repo.write("dir/d.ts", "z\n");
		await expectLikeGit(repo);
		repo.gitIn(repo.path("dir"), "add", "--all");
		repo.gitIn(repo.path("dir"), "commit", "--quiet", "--message", "inner");
		await expectLikeGit(repo);
	});

	it("a link in place of a folder that leads to the same files is a link (A4)", async () => {
		const repo = new TestRepo({ format, files: { "dir/x.ts": "x\n" } });
		renameSync(repo.path("dir"), repo.path("real"));
		symlinkSync("real", repo.path("dir"));
		await expectLikeGit(repo);
	});

	it("a Git folder elsewhere, and borrowed objects by a relative path, are followed (A.2, A11)", async () => {
		const repo = cloneOf(new TestRepo({ format }));
		renameSync(repo.path(".git/objects"), join(repo.folder, "borrowed"));
		mkdirSync(repo.path(".git/objects/info"), { recursive: true });
		writeFileSync(repo.path(".git/objects/info/alternates"), "../../../borrowed\n");
		repo.write("app.ts", "export const n = 2;\n");
		await expectLikeGit(repo);
		const elsewhere = join(repo.folder, "elsewhere.git");
		repo.git("init", "--quiet", `--separate-git-dir=${elsewhere}`);
		writeFileSync(join(elsewhere, "objects/info/alternates"), "../../borrowed\n");
		const { snapshot } = await judge(repo);
		expect((await startPrinted(repo)).candidate_tree).toBe(snapshot.candidate_tree);
		repo.stage();
		expect(repo.git("write-tree")).toBe(snapshot.candidate_tree);
	});

	it.each([
		["a shallow clone", ["--depth=1"]],
		["a partial clone", ["--filter=blob:none"]],
		["a partial clone with a sparse checkout", ["--filter=blob:none", "--no-checkout"]],
	] as const)("a review of %s closes, and plain Git has the frozen tree (A11, A5)", async (_, flags) => {
		const origin = new TestRepo({ format, files: { "a.ts": "x\n", "dir/c.ts": "y\n", "other/d.ts": "z\n" } });
		origin.git("config", "uploadpack.allowFilter", "true");
		origin.write("a.ts", "2\n");
		origin.commit("second");
		const repo = cloneOf(origin, ...flags);
		if (flags.length > 1) {
			repo.git("sparse-checkout", "set", "--no-cone", "/dir/");
			repo.git("checkout", "--quiet", "main");
		}
		// Whoever asks the origin from now on fails.
		repo.git("config", "remote.origin.url", "file:///nowhere");
		repo.write("dir/c.ts", "q\n");
		repo.write("dir/new.ts", "q\n");
		const { candidate_tree = "" } = await startPrinted(repo);
		expect(repo.git("cat-file", "blob", `${candidate_tree}:dir/new.ts`)).toBe("q");
		expect((await drive(repo)).last.authority?.state).toBe("approved");
		repo.stage("dir");
		expect(repo.git("write-tree")).toBe(candidate_tree);
	});

	it("a linked work tree on a branch without a commit is unborn, the main one is not (A.4 step 1)", async () => {
		const repo = new TestRepo({ format });
		repo.git("worktree", "add", "--quiet", "--detach", "../linked");
		const cwd = join(repo.folder, "linked");
		repo.gitIn(cwd, "checkout", "--quiet", "--orphan", "fresh");
		expect(await look(repo, undefined, cwd)).toMatchObject({
			unborn_head: true,
			snapshot: { paths: ["app.ts", "guide.md"], candidate_tree: repo.git("rev-parse", "HEAD^{tree}") },
		});
		expect(await look(repo)).toMatchObject({ unborn_head: false, snapshot: { paths: [] } });
	});
});

describe("a pipe", () => {
	it("that nobody tracks is nothing, and in place of a tracked file is refused typed (A.5 type)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		pipe(repo.path("pipe"));
		expect((await judge(repo)).snapshot.paths).toEqual(["app.ts"]);
		repo.remove("guide.md");
		pipe(repo.path("guide.md"));
		expect(() => repo.git("add", "--all")).toThrow();
		await expect(judge(repo)).rejects.toMatchObject({ code: "git_command_failed", progress: "not_started" });
	});
});

describe("an old tree", () => {
	it("with modes that Git no longer writes is compared as Git compares it (A9, A.7)", async () => {
		const repo = new TestRepo();
		const blob = Buffer.from(repo.git("rev-parse", "HEAD:app.ts"), "hex");
		const input = Buffer.concat([Buffer.from("100664 app.ts\0"), blob]);
		const write = ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"];
		const tree = repo
			.gitWith({ input }, ...write)
			.toString()
			.trim();
		repo.git("update-ref", "HEAD", repo.git("commit-tree", tree, "-m", "old"));
		repo.git("reset", "--quiet", "--hard");
		repo.write("b.ts", "x\n");
		await expectLikeGit(repo);
	});
});
