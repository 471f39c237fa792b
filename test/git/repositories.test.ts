// Repositories of every kind: unborn, SHA-256, linked, with submodules and with strangers inside, with odd names.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { approve, drive, expectSuccess, failureOf, gate, startPrinted, status, statusWords } from "../kit/drive.ts";
import { expectPlainTrees } from "../kit/freeze.ts";
import { TestRepo } from "../kit/repo.ts";

const EMPTY_TREE = {
	sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

describe("before the first commit (FR-38)", () => {
	it.each(["sha1", "sha256"] as const)(
		"a whole review closes in a %s repository, and its gate opens",
		async (format) => {
			const repo = new TestRepo({ format, files: {} });
			repo.write("app.ts", "export const n = 1;\n");
			const fresh = await status(repo);
			expect(fresh.projection.base_tree).toBe(EMPTY_TREE[format]);
			const { last } = await drive(repo);
			expect(last.authority?.state).toBe("approved");
			expect(repo.git("for-each-ref")).toBe("");
			repo.stage();
			expectSuccess(await gate(repo));
			repo.git("commit", "--quiet", "--no-verify", "--message", "first");
			expect(repo.git("rev-parse", "HEAD^{tree}")).toBe(last.projection.current_candidate_tree);
		},
	);

	it("staged files alone can be reviewed too", async () => {
		const repo = new TestRepo({ files: {} });
		repo.write("app.ts", "export const n = 1;\n");
		repo.stage();
		repo.write("later.ts", "export const m = 1;\n");
		const staged = await status(repo, ["--projection", "staged"]);
		expect(staged.projection.paths).toEqual(["app.ts"]);
		expect(staged.projection.current_candidate_tree).toBe(repo.git("write-tree"));
	});
});

describe("a linked work tree", () => {
	it("has a candidate of its own and shares the store", async () => {
		const repo = new TestRepo();
		repo.git("worktree", "add", "--quiet", "../linked", "-b", "linked");
		const cwd = join(repo.folder, "linked");
		writeFileSync(join(cwd, "app.ts"), "export const n = 2;\n");
		const fresh = await status(repo, [], { cwd });
		expect(fresh.projection.paths).toEqual(["app.ts"]);
		expect((await status(repo)).projection.paths).toEqual([]);
		expectSuccess(await repo.runPrinted(fresh.next_transition?.execute?.command ?? "false", { cwd }));
		const inLinked = await status(repo, [], { cwd });
		expect(inLinked.authority?.state).toBe("reviewing");
		repo.write("app.ts", "export const n = 2;\n");
		expect((await status(repo)).authority?.lineage_id).toBe(inLinked.authority?.lineage_id);
	});
});

describe.each(["sha1", "sha256"] as const)("a submodule of a %s repository (FR-39)", (format) => {
	function withSubmodules(): TestRepo {
		const repo = new TestRepo({ format });
		const library = new TestRepo({ format, files: { "lib.ts": "export const l = 1;\n" } });
		for (const name of ["moved", "dirty"]) {
			repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, name);
		}
		repo.commit("submodules");
		repo.write("moved/lib.ts", "export const l = 2;\n");
		repo.gitIn(repo.path("moved"), "commit", "--quiet", "--all", "--message", "moved");
		repo.write("dirty/lib.ts", "export const l = 3;\n");
		return repo;
	}

	it("that moved is one gitlink of the manifest, never low risk; one that is dirty is nothing (A11, A.5 submodule)", async () => {
		const repo = withSubmodules();
		const start = await startPrinted(repo);
		expect(start.changed_path_manifest).toEqual([
			{
				path: "moved",
				status: "M",
				old_mode: "160000",
				new_mode: "160000",
				deleted: false,
				type_changed: false,
				mode_only: false,
				intended_untracked: false,
			},
		]);
		expect(start.risk_level).not.toBe("low");
		await expectPlainTrees(repo);
		const { last } = await drive(repo);
		expect(last.authority?.state).toBe("approved");
		repo.stage();
		expectSuccess(await gate(repo));
	});

	it("counts also when .gitmodules says to ignore it (B3)", async () => {
		const repo = withSubmodules();
		repo.git("config", "--file", ".gitmodules", "submodule.moved.ignore", "all");
		expect((await status(repo)).projection.paths).toEqual([".gitmodules", "moved"]);
		repo.git("config", "diff.ignoreSubmodules", "all");
		repo.git("config", "submodule.moved.ignore", "all");
		repo.git("add", ".gitmodules");
		repo.git("commit", "--quiet", "--no-verify", "--message", "ignore it");
		const hidden = await status(repo);
		expect(hidden.projection.paths).toEqual(["moved"]);
		repo.git("update-index", "--cacheinfo", `160000,${repo.gitIn(repo.path("moved"), "rev-parse", "HEAD")},moved`);
		repo.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", "moved");
		const range = await status(repo, ["--base-ref=HEAD~1", "--committed-only"]);
		expect(range.projection.paths).toEqual(["moved"]);
	});
});

describe("a repository inside the work tree (FR-40)", () => {
	it.each(["sha1", "sha256"] as const)(
		"is left out of a %s one, clone or linked work tree (A.5 embedded)",
		async (format) => {
			const repo = new TestRepo({ format });
			repo.write("app.ts", "export const n = 2;\n");
			const alone = await status(repo);
			repo.git("worktree", "add", "--quiet", "wt/x", "-b", "x");
			repo.git("clone", "--quiet", repo.root, repo.path("tools/y"));
			mkdirSync(repo.path("bare-minimum"));
			execFileSync("git", ["init", "--quiet", repo.path("bare-minimum/unborn")], { env: repo.env });
			const beside = await repo.run(statusWords());
			expectSuccess(beside);
			expect(beside.json()).toEqual(alone);
			const lineage = await approve(repo);
			expectSuccess(await gate(repo, "post-apply", ["--lineage", lineage]));
		},
	);
});

describe("names", () => {
	it("of every kind stay themselves, and the gate knows them after `git add` (A8, FR-28)", async () => {
		const names = [
			"guía señal.md",
			"tab\tname.ts",
			'quote".ts',
			"new\nline.ts",
			"-dash.ts",
			":(glob)x.ts",
			"\u001b[31m.ts",
		];
		const repo = new TestRepo();
		for (const name of names) repo.write(name, "export const n = 1;\n");
		for (const quote of ["true", "false"]) {
			repo.git("config", "core.quotepath", quote);
			const { projection } = await status(repo);
			expect([...projection.paths].sort()).toEqual([...names].sort());
		}
		await approve(repo);
		repo.stage();
		expectSuccess(await gate(repo));
	});

	it.each([
		["bytes that are no UTF-8", Buffer.from([0x62, 0x61, 0x64, 0xff])],
		["a backslash", Buffer.from("a\\b.ts")],
	])("with %s are refused typed, before anything is written (A8, A.6)", async (_, name) => {
		const repo = new TestRepo();
		writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/`), name]), "x\n");
		const failure = failureOf(await repo.run(statusWords()));
		expect(failure).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		expect(failure.cause).toContain("field: path");
		repo.stage();
		expect(failureOf(await repo.run(statusWords("--projection", "staged"))).code).toBe("invalid_request");
	});
});

describe("the identity of a candidate", () => {
	it("is the same in another clone, another folder and under another user's configuration", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		repo.write("new file.ts", "export const m = 2;\n");
		const here = await status(repo);
		const other = new TestRepo({ files: {} });
		other.git("fetch", "--quiet", repo.root, "main");
		other.git("reset", "--hard", "--quiet", "FETCH_HEAD");
		other.write("app.ts", "export const n = 2;\n");
		other.write("new file.ts", "export const m = 2;\n");
		other.stage();
		const config = [
			"[diff]\n\trenames = copies\n\tnoprefix = true\n\tcontext = 9\n\talgorithm = patience",
			"[color]\n\tui = always",
			"[core]\n\tquotepath = false\n\tabbrev = 5\n\tpager = false",
			"[status]\n\tshowUntrackedFiles = no\n\trelativePaths = true\n\trenames = copies",
		];
		writeFileSync(join(other.home, ".gitconfig"), `${config.join("\n")}\n`);
		const there = await status(other);
		expect({ ...there, projection: { ...there.projection } }).toEqual({
			...here,
			projection: {
				...here.projection,
				intended_untracked: [],
				intended_untracked_proof: there.projection.intended_untracked_proof,
			},
		});
	});
});
