// Which repository a folder belongs to, and in which states of it a candidate can be taken (A.2).
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ReviewError } from "../../packages/gentle-ai/src/index.ts";
import { failureOf, status, statusWords } from "../kit/drive.ts";
import { expectLikeGit, judge, look, STAGED, within } from "../kit/look.ts";
import { type RepoOptions, TestRepo, temporaryFolder } from "../kit/repo.ts";

function changed(options: RepoOptions = {}): TestRepo {
	const repo = new TestRepo(options);
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

async function refusedAs(code: string, work: Promise<unknown>): Promise<ReviewError> {
	const error = await work.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof ReviewError)) throw new Error(`not a typed refusal: ${String(error)}`);
	expect(error).toMatchObject({ code, progress: "not_started" });
	return error;
}

describe("a folder of a work tree", () => {
	it("at any depth, and through a symbolic link, is the work tree itself (A.2 inside)", async () => {
		const repo = changed();
		mkdirSync(repo.path("deep/er"), { recursive: true });
		const link = join(repo.folder, "link");
		symlinkSync(repo.path("deep"), link);
		const { snapshot } = await look(repo);
		for (const cwd of [repo.path("deep/er"), link, join(link, "er"), `${repo.root}/deep/../.`]) {
			expect((await look(repo, undefined, cwd)).snapshot, cwd).toEqual(snapshot);
		}
	});

	it("has its repository named once, by canonical paths (A.2 canonical)", async () => {
		const repo = changed();
		const link = join(repo.folder, "link");
		symlinkSync(repo.root, link);
		const { location } = await within(repo, async ({ repository }) => repository, link);
		const git_dir = repo.path(".git");
		expect(location).toEqual({ repository_root: repo.root, git_common_dir: git_dir, git_dir });
	});

	it("whose path holds a line break is refused, not guessed (A.2 rev-parse output)", async () => {
		const repo = changed();
		const odd = join(repo.folder, "odd\nfolder");
		repo.git("clone", "--quiet", repo.root, odd);
		await refusedAs("git_command_failed", look(repo, undefined, odd));
	});

	it.each([
		["a bare repository", (folder: string, repo: TestRepo) => repo.gitIn(folder, "init", "--quiet", "--bare", ".")],
		["no repository at all", () => ""],
	])("that is %s is refused typed (A.2 bare)", async (_, make) => {
		const repo = changed();
		const folder = temporaryFolder();
		make(folder, repo);
		const error = await refusedAs("git_command_failed", look(repo, undefined, folder));
		expect(error.message).toMatch(/work tree/);
		await refusedAs("git_command_failed", look(repo, undefined, repo.path(".git")));
	});

	it.runIf(process.getuid?.() === 0)(
		"that belongs to another user is Git's refusal, never damage (A.2 safe.directory)",
		async () => {
			const repo = changed();
			for (const path of [repo.root, repo.path(".git")]) chownSync(path, 12_345, 12_345);
			const failure = failureOf(await repo.run(statusWords()));
			expect(failure).toMatchObject({ code: "git_command_failed", mutation_outcome: "not_started" });
			writeFileSync(join(repo.home, ".gitconfig"), `[safe]\n\tdirectory = ${repo.root}\n`);
			expect((await status(repo)).projection.paths).toEqual(["app.ts"]);
		},
	);
});

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	it("ids have the length of its format and none is all zero (A.2 object format, A10)", async () => {
		const { snapshot } = await judge(changed({ format }));
		const digits = format === "sha1" ? 40 : 64;
		for (const id of [snapshot.base_tree, snapshot.candidate_tree]) {
			expect(id).toMatch(new RegExp(`^[0-9a-f]{${digits}}$`));
			expect(id).not.toMatch(/^0+$/);
		}
		expect(snapshot.identity).toMatch(/^sha256:[0-9a-f]{64}$/);
	});

	it("a detached HEAD changes nothing (A.2 detached)", async () => {
		const repo = changed({ format });
		const attached = await judge(repo);
		repo.git("checkout", "--quiet", "--detach");
		expect(await judge(repo)).toEqual(attached);
	});

	it.each([
		["merge", ["merge", "--no-commit", "--no-ff", "other"]],
		["cherry-pick", ["cherry-pick", "--no-commit", "other"]],
		["revert", ["revert", "--no-commit", "HEAD"]],
	])("a %s in progress is no obstacle; the base is HEAD of the moment (A.2 in progress)", async (_, words) => {
		const repo = new TestRepo({ format });
		repo.git("checkout", "--quiet", "-b", "other");
		repo.write("theirs.ts", "export const t = 1;\n");
		repo.commit("theirs");
		repo.git("checkout", "--quiet", "main");
		repo.write("ours.ts", "export const o = 1;\n");
		repo.commit("ours");
		repo.git(...words);
		repo.write("app.ts", "export const n = 2;\n");
		await expectLikeGit(repo);
		expect((await look(repo)).snapshot.base_tree).toBe(repo.git("rev-parse", "HEAD^{tree}"));
	});

	it("a stopped rebase is no obstacle either (A.2 in progress)", async () => {
		const repo = new TestRepo({ format });
		for (const text of ["2", "3"]) {
			repo.write("app.ts", `export const n = ${text};\n`);
			repo.commit(text);
		}
		expect(() => repo.git("rebase", "--quiet", "--exec", "false", "HEAD~1")).toThrow();
		repo.write("guide.md", "# guide\n\nMore.\n");
		await expectLikeGit(repo);
	});

	it("a path with conflicts is its file in the work tree, and no staged tree (A.2 unmerged)", async () => {
		const repo = new TestRepo({ format });
		repo.git("checkout", "--quiet", "-b", "other");
		repo.write("app.ts", "export const n = 'theirs';\n");
		repo.commit("theirs");
		repo.git("checkout", "--quiet", "main");
		repo.write("app.ts", "export const n = 'ours';\n");
		repo.commit("ours");
		expect(() => repo.git("merge", "--quiet", "other")).toThrow();
		const { snapshot } = await look(repo);
		expect(snapshot.paths).toEqual(["app.ts"]);
		await refusedAs("git_command_failed", look(repo, STAGED));
		repo.stage();
		expect(repo.git("write-tree")).toBe(snapshot.candidate_tree);
	});

	it("linked work trees have their own index and share one store and its excludes (A.2 linked, A11)", async () => {
		const repo = new TestRepo({ format });
		repo.git("worktree", "add", "--quiet", "../linked", "-b", "linked");
		const cwd = join(repo.folder, "linked");
		repo.write(".git/info/exclude", "*.tmp\n");
		repo.git("config", "extensions.worktreeConfig", "true");
		const ours = repo.outside("excludes", "*.own\n");
		repo.gitIn(cwd, "config", "--worktree", "core.excludesFile", ours);
		for (const name of ["a.tmp", "a.own", "a.ts"]) {
			writeFileSync(join(cwd, name), "x\n");
			repo.write(name, "x\n");
		}
		expect((await look(repo, undefined, cwd)).snapshot.paths).toEqual(["a.ts"]);
		expect((await look(repo)).snapshot.paths).toEqual(["a.own", "a.ts"]);
		repo.gitIn(cwd, "add", "a.ts");
		expect((await look(repo, STAGED, cwd)).snapshot.paths).toEqual(["a.ts"]);
		expect((await look(repo, STAGED)).snapshot.paths).toEqual([]);
		const { snapshot } = await judge(repo, undefined, cwd);
		repo.gitIn(cwd, "add", "--all");
		expect(snapshot.candidate_tree).toBe(repo.gitIn(cwd, "write-tree"));
		const places = await within(repo, async ({ repository }) => repository, cwd);
		expect(places.commonDir).toBe(repo.path(".git"));
		expect(places.gitDir).not.toBe(places.commonDir);
	});
});
