// The gate as Git calls it: inside a real pre-commit hook, with the temporary index that Git hands it (threat H1).
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { approveLow, gate, V2 } from "../kit/drive.ts";
import { execute } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";

const HOOK = `#!/bin/sh
printf '%s' "$GIT_INDEX_FILE" > "$HOME/index-file"
exec gentle-ai review validate --contract ${V2} --gate pre-commit
`;

const FILES = { "a.md": "# a\n", "b.md": "# b\n" };

function hooked(): TestRepo {
	const repo = new TestRepo({ files: FILES });
	repo.write(".git/hooks/pre-commit", HOOK, 0o755);
	return repo;
}

function commit(repo: TestRepo, ...args: string[]) {
	return execute(["git", "commit", "--quiet", "--message", "reviewed", ...args], { cwd: repo.root, env: repo.env });
}

const handed = (repo: TestRepo) => readFileSync(`${repo.home}/index-file`, "utf8");

describe("a pre-commit hook", () => {
	it("lets `git commit -a` through when the work tree was approved", async () => {
		const repo = hooked();
		repo.write("a.md", "# a two\n");
		repo.write("b.md", "# b two\n");
		await approveLow(repo);
		const result = await commit(repo, "--all");
		expect(result.code).toBe(0);
		expect(handed(repo)).toContain("index.lock");
		expect(repo.git("status", "--porcelain")).toBe("");
	});

	it("stops `git commit FILE` when only the whole was approved, although the index holds the whole", async () => {
		const repo = hooked();
		repo.write("a.md", "# a two\n");
		repo.write("b.md", "# b two\n");
		await approveLow(repo);
		repo.stage();
		const head = repo.git("rev-parse", "HEAD");
		const result = await commit(repo, "a.md");
		expect(result.code).not.toBe(0);
		expect(handed(repo)).toContain("next-index");
		expect(result.stderr + result.stdout).toContain("b.md");
		expect(repo.git("rev-parse", "HEAD")).toBe(head);
	});

	it("lets `git commit FILE` through when exactly that was approved, although the index holds more", async () => {
		const repo = hooked();
		repo.write("a.md", "# a two\n");
		await approveLow(repo);
		repo.write("b.md", "# b two\n");
		repo.git("add", "b.md");
		expect((await commit(repo, "a.md")).code).toBe(0);
		expect(repo.git("show", "--name-only", "--format=", "HEAD")).toBe("a.md");
	});

	it("judges the index of its own linked work tree", async () => {
		const repo = hooked();
		repo.git("worktree", "add", "--quiet", "../linked", "-b", "linked");
		const linked = `${repo.folder}/linked`;
		repo.write("a.md", "# a two\n");
		await approveLow(repo);
		const unreviewed = await execute(["git", "commit", "--quiet", "--allow-empty", "--message", "x"], {
			cwd: linked,
			env: repo.env,
		});
		expect(unreviewed.code).not.toBe(0);
		expect((await commit(repo, "--all")).code).toBe(0);
	});

	it("judges the index that git hands it and will commit, wherever that lies (decision 41)", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.write("a.md", "# a two\n");
		await approveLow(repo);
		repo.stage();
		const handed = repo.outside("placeholder", "").replace("placeholder", "other-index");
		repo.write("a.md", "# never reviewed\n");
		repo.gitWith({ env: { GIT_INDEX_FILE: handed } }, "add", "--all");
		repo.write("a.md", "# a two\n");
		expect((await gate(repo, "pre-commit")).code).toBe(0);
		expect((await gate(repo, "pre-commit", [], { env: { GIT_INDEX_FILE: handed } })).code).toBe(1);
	});

	it("refuses a handed index that is not there", async () => {
		const repo = new TestRepo({ files: FILES });
		repo.write("a.md", "# a two\n");
		await approveLow(repo);
		repo.stage();
		const result = await gate(repo, "pre-commit", [], { env: { GIT_INDEX_FILE: repo.path("absent-index") } });
		expect(result.code).toBe(1);
		expect(result.stderr + result.stdout).toContain("GIT_INDEX_FILE");
	});
});
