// Clones and indexes that hold less than everything freeze like any other, and nothing is ever fetched (A11, C7).
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { committed, expectLikeGit, judge, look, overlay } from "../kit/look.ts";
import { cloneOf, TestRepo } from "../kit/repo.ts";

const FILES = {
	"a.ts": "export const a = 1;\n",
	"b.ts": "export const b = 1;\n",
	"dir/c.ts": "export const c = 1;\n",
	"other/d.ts": "export const d = 1;\n",
};

type Format = "sha1" | "sha256";

function twoCommits(format: Format): TestRepo {
	const repo = new TestRepo({ format, files: FILES });
	repo.write("a.ts", "export const a = 1.5;\n");
	repo.commit("second");
	repo.git("config", "uploadpack.allowFilter", "true");
	return repo;
}

function edited(repo: TestRepo): TestRepo {
	repo.write("a.ts", "export const a = 2;\n");
	repo.remove("b.ts");
	repo.write("dir/new.ts", "export const n = 1;\n");
	return repo;
}

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	it("a shallow clone freezes the same, and a base beyond its depth is refused typed (A11, A.5 shallow)", async () => {
		const origin = twoCommits(format);
		const repo = edited(cloneOf(origin, "--depth=1"));
		await expectLikeGit(repo);
		const whole = edited(cloneOf(origin));
		expect((await judge(repo)).snapshot).toEqual((await judge(whole)).snapshot);
		await expect(look(repo, committed("HEAD~1"))).rejects.toMatchObject({ code: "invalid_request" });
	});

	it("a partial clone freezes what it has, and what it lacks is typed and not fetched (A11)", async () => {
		const origin = twoCommits(format);
		const repo = edited(cloneOf(origin, "--filter=blob:none"));
		const missing = () => repo.git("rev-list", "--objects", "--all", "--missing=print").match(/^\?/gm)?.length;
		const before = missing();
		expect(before).toBeGreaterThan(0);
		await expectLikeGit(repo);
		expect((await look(repo, committed("HEAD~1"))).snapshot.paths).toEqual(["a.ts"]);
		await expect(judge(repo, committed("HEAD~1"))).rejects.toMatchObject({ code: "git_command_failed" });
		await expect(judge(repo, overlay("HEAD~1"))).rejects.toMatchObject({ code: "git_command_failed" });
		expect(missing()).toBe(before);
	});

	it("a promisor remote that runs a program is never asked (A11, C7)", async () => {
		const repo = edited(cloneOf(twoCommits(format), "--filter=blob:none"));
		const mark = join(repo.folder, "sprung");
		const trap = repo.outside("trap.sh", `#!/bin/sh\ntouch '${mark}'\n`);
		repo.git("config", "remote.origin.url", `ext::sh ${trap}`);
		repo.git("config", "protocol.ext.allow", "always");
		repo.git("config", "remote.origin.uploadpack", `sh ${trap}`);
		repo.git("config", "core.sshCommand", `sh ${trap}`);
		repo.git("config", "credential.helper", `!sh ${trap}`);
		await judge(repo);
		await expect(judge(repo, committed("HEAD~1"))).rejects.toMatchObject({ code: "git_command_failed" });
		repo.git("config", "remote.origin.url", "ssh://nobody@localhost/x");
		await expect(judge(repo, committed("HEAD~1"))).rejects.toMatchObject({ code: "git_command_failed" });
		expect(existsSync(mark)).toBe(false);
	});

	it("a clone without trees cannot be looked at, typed and not fetched (A11)", async () => {
		const origin = twoCommits(format);
		const repo = cloneOf(origin, "--filter=tree:0");
		await expect(look(repo, committed("HEAD~1"))).rejects.toThrow(/./);
		await expectLikeGit(edited(repo));
	});

	it("a clone that borrows its objects freezes the same (A11 alternates)", async () => {
		const repo = edited(cloneOf(twoCommits(format), "--shared"));
		await expectLikeGit(repo);
	});

	it.each([
		["version 2", (repo: TestRepo) => repo.git("update-index", "--index-version", "2")],
		["version 4", (repo: TestRepo) => repo.git("update-index", "--index-version", "4")],
		["a split index", (repo: TestRepo) => repo.git("update-index", "--split-index")],
		["an untracked cache", (repo: TestRepo) => repo.git("update-index", "--force-untracked-cache")],
		["a sparse checkout", (repo: TestRepo) => repo.git("sparse-checkout", "set", "--no-cone", "/dir/", "/*.ts")],
		["a sparse index", (repo: TestRepo) => repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")],
		["preloading off", (repo: TestRepo) => repo.git("config", "core.preloadIndex", "false")],
		["no trusted times", (repo: TestRepo) => repo.git("config", "core.trustctime", "false")],
		["few stat fields", (repo: TestRepo) => repo.git("config", "core.checkStat", "minimal")],
		["one thread", (repo: TestRepo) => repo.git("config", "index.threads", "1")],
		["no checksum", (repo: TestRepo) => repo.git("config", "index.skipHash", "true")],
	])("an index with %s freezes the same (A11)", async (_, shape) => {
		const repo = new TestRepo({ format, files: FILES });
		shape(repo);
		repo.git("status");
		edited(repo);
		repo.git("add", "--sparse", "a.ts");
		repo.write("a.ts", "export const a = 3;\n");
		await expectLikeGit(repo);
	});

	it.each(["cone", "no-cone"])(
		"a file that is there in the excluded part of a sparse checkout (%s) stays out, as it does for `git add -A` (A11)",
		async (kind) => {
			const repo = new TestRepo({ format, files: { ...FILES, "out/kept.ts": "export const o = 1;\n" } });
			repo.git("sparse-checkout", "set", `--${kind}`, kind === "cone" ? "dir" : "/dir/");
			repo.write("dir/inside.ts", "export const i = 1;\n");
			repo.write("out/kept.ts", "export const o = 2;\n");
			repo.write("out/new.ts", "export const n = 1;\n");
			const { snapshot } = await judge(repo);
			expect(snapshot.paths).toEqual(["dir/inside.ts"]);
			// Git adds the same, and only says with its exit code that it left something out.
			expect(() => repo.git("add", "--all")).toThrow("sparse-checkout");
			expect(snapshot.candidate_tree).toBe(repo.git("write-tree"));
		},
	);
});
