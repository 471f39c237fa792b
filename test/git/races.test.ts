// Somebody writes while the candidate is taken: one consistent version or a typed failure, never a mixture (A7, A12).
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freezeTarget } from "../../packages/gentle-ai/src/provider/target.ts";
import { failureOf, startPrinted, startWords, status } from "../kit/drive.ts";
import { indexAndRefs } from "../kit/freeze.ts";
import { judge, look, STAGED, WORKSPACE, within } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";
import { listing } from "../kit/tree.ts";

const TEXTS = ["a".repeat(200_000), "b".repeat(200_000)];

/** Another process that replaces a file as fast as it can, whole each time. */
function writer(repo: TestRepo, path: string): { readonly stop: () => Promise<void> } {
	const script = `
		const { writeFileSync, renameSync } = require("node:fs");
		const [file, ...texts] = process.argv.slice(1);
		for (let at = 0; ; at += 1) {
			writeFileSync(file + ".log", texts[at % 2].repeat(200000));
			renameSync(file + ".log", file);
		}`;
	const child = spawn(process.execPath, ["-e", script, repo.path(path), "a", "b"], { stdio: "ignore" });
	const ended = new Promise<void>((done) => child.on("close", () => done()));
	return {
		stop: () => {
			child.kill("SIGKILL");
			return ended;
		},
	};
}

describe("a file that changes all the time", () => {
	it("is one of its versions, or a typed failure that wrote nothing (A7)", async () => {
		const repo = new TestRepo({ files: { ".gitignore": "*.log\n", "app.ts": "start\n" } });
		const versions = TEXTS.map((input) => repo.gitWith({ input }, "hash-object", "--stdin").toString().trim());
		repo.write("app.ts", TEXTS[0] ?? "");
		const { stop } = writer(repo, "app.ts");
		try {
			for (let round = 0; round < 8; round += 1) {
				const seen = await within(repo, async (place) => freezeTarget(place, WORKSPACE)).then(
					({ changes }) => changes.find(({ path }) => path === "app.ts")?.new_id,
					(error: { code?: string }) => error.code,
				);
				expect([...versions, "git_command_failed", "stale_target_identity"]).toContain(seen);
			}
			const { target_identity } = await status(repo);
			const started = await repo.run(startWords(target_identity, "--focus=risk"));
			if (started.code !== 0) {
				expect(failureOf(started)).toMatchObject({ mutation_outcome: "not_started" });
				expect(existsSync(repo.path(".git/gentle-ai/authority.sqlite3"))).toBe(false);
			}
		} finally {
			await stop();
		}
	});

	it("after the freeze is noticed by the second look (A7)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		for (const [selector, alter] of [
			[WORKSPACE, () => repo.write("app.ts", "export const n = 3;\n")],
			[WORKSPACE, () => repo.write("fresh.ts", "x\n")],
			[WORKSPACE, () => repo.remove("guide.md")],
			[STAGED, () => repo.stage("app.ts")],
			[STAGED, () => repo.git("commit", "--quiet", "--message", "moved")],
		] as const) {
			await within(repo, async (place) => {
				const target = await freezeTarget(place, selector);
				expect(await target.stillHolds()).toBe(true);
				alter();
				expect(await target.stillHolds()).toBe(false);
			});
		}
	});

	it("of the same size, in the same second, put back in time, is noticed too (A1, A7)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		await within(repo, async (place) => {
			const target = await freezeTarget(place, WORKSPACE);
			repo.write("app.ts", "export const n = 3;\n");
			expect(await target.stillHolds()).toBe(false);
		});
	});
});

/** From now on, Git as the program finds it does this in the work tree right after it wrote the candidate's tree. */
function onceFrozen(repo: TestRepo, action: string): void {
	const real = execFileSync("sh", ["-c", "command -v git"]).toString().trim();
	const script = `#!/bin/sh
case " $* " in
*" write-tree "*)
	${real} "$@" || exit
	cd '${repo.root}' && unset GIT_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_WORK_TREE
	{ ${action.replaceAll("git ", `${real} `)}; } >/dev/null 2>&1 </dev/null
	exit 0
	;;
*) exec ${real} "$@" ;;
esac
`;
	writeFileSync(join(repo.bin, "git"), script, { mode: 0o755 });
}

describe("a START during which somebody writes", () => {
	const identity = "-c user.name=x -c user.email=x@example.invalid";
	it.each([
		["edits a file", "workspace", "echo other >app.ts"],
		["adds a file", "workspace", "echo other >other.ts"],
		["removes a file", "workspace", "rm guide.md"],
		["commits", "workspace", `git ${identity} commit -q --allow-empty -m moved`],
		["stages", "staged", "echo other >app.ts; git add app.ts"],
		["commits what is staged", "staged", `git ${identity} commit -q -m moved`],
	])("%s is refused as stale, and leaves neither store nor pack (A7)", async (_, projection, action) => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		repo.stage();
		const { target_identity } = await status(repo, ["--projection", projection]);
		onceFrozen(repo, action);
		const failure = failureOf(await repo.run(startWords(target_identity, "--projection", projection)));
		expect(failure).toMatchObject({ code: "stale_target_identity", mutation_outcome: "not_started" });
		expect(existsSync(repo.path(".git/gentle-ai/authority.sqlite3"))).toBe(false);
		expect(existsSync(repo.path(".git/objects/pack")) ? readdirSync(repo.path(".git/objects/pack")) : []).toEqual([]);
	});
});

describe("the repository", () => {
	it("is byte for byte as before, with every time, after looking and after freezing (A12)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		repo.git("add", "app.ts");
		repo.write("app.ts", "export const n = 3;\n");
		repo.write("new.ts", "x\n");
		const before = listing(repo.root);
		for (const selector of [WORKSPACE, STAGED]) await judge(repo, selector);
		expect(listing(repo.root)).toEqual(before);
	});

	it("is looked at and started while another git holds the lock of its index (A12, FR-36)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		writeFileSync(repo.path(".git/index.lock"), "");
		const before = indexAndRefs(repo);
		expect((await startPrinted(repo)).changed_files).toBe(1);
		expect((await look(repo, STAGED)).snapshot.paths).toEqual([]);
		expect(readFileSync(repo.path(".git/index.lock"), "utf8")).toBe("");
		expect(indexAndRefs(repo)).toBe(before);
	});

	it("whose index is written all the time is taken whole, or refused typed (A7, A.4 step 2)", async () => {
		const repo = new TestRepo();
		const blobs = ["a\n", "b\n"].map((input) =>
			repo.gitWith({ input }, "hash-object", "-w", "--stdin").toString().trim(),
		);
		const script = `
			const { execFileSync } = require("node:child_process");
			const [root, ...ids] = process.argv.slice(1);
			for (let at = 0; ; at += 1) {
				const entry = "100644," + ids[at % 2] + ",app.ts";
				execFileSync("git", ["-C", root, "update-index", "--cacheinfo", entry], { stdio: "ignore" });
			}`;
		const child = spawn(process.execPath, ["-e", script, repo.root, ...blobs], { stdio: "ignore", env: repo.env });
		const ended = new Promise<void>((done) => child.on("close", () => done()));
		try {
			for (let round = 0; round < 12; round += 1) {
				const seen = await within(repo, async (place) => freezeTarget(place, STAGED)).then(
					({ changes }) => changes.map(({ path, new_id }) => `${path} ${new_id}`).join(),
					(error: { code?: string }) => error.code,
				);
				expect(["", ...blobs.map((id) => `app.ts ${id}`), "git_command_failed"]).toContain(seen);
			}
		} finally {
			child.kill("SIGKILL");
			await ended;
		}
	});

	it("whose index vanishes or is damaged is taken for what git takes it, or refused typed (A7)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		renameSync(repo.path(".git/index"), repo.path(".git/old-index"));
		expect((await look(repo)).snapshot.paths).toEqual(["app.ts"]);
		expect((await look(repo, STAGED)).snapshot.paths).toEqual(["app.ts", "guide.md"]);
		for (const bytes of ["", "DIRC", readFileSync(repo.path(".git/old-index")).subarray(0, 60)]) {
			writeFileSync(repo.path(".git/index"), bytes);
			for (const selector of [WORKSPACE, STAGED]) {
				await expect(look(repo, selector)).rejects.toMatchObject({ code: "git_command_failed" });
			}
		}
	});
});
