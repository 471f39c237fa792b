// Repositories that try to run something, or to blind the count: nothing runs, and every number is right.
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Start } from "../kit/documents.ts";
import {
	approveLow,
	drive,
	expectSuccess,
	failureOf,
	gate,
	startPrinted,
	startWords,
	status,
	statusWords,
} from "../kit/drive.ts";
import { plainTrees } from "../kit/freeze.ts";
import { TestRepo } from "../kit/repo.ts";

const FILES = { "app.ts": "export const n = 1;\n", "guide.md": "# guide\n" };
const LINES = 30;

function changed(format: "sha1" | "sha256" = "sha1"): TestRepo {
	const repo = new TestRepo({ files: FILES, format });
	repo.write("app.ts", "export const n = 2;\n".repeat(LINES));
	return repo;
}

/** One old line goes, thirty come. */
async function expectFullCount(repo: TestRepo): Promise<Start> {
	const start = await startPrinted(repo);
	expect(start).toMatchObject({ risk_level: "medium", changed_lines: LINES + 1, changed_files: 1 });
	return start;
}

/** A command that leaves a mark when anything runs it. */
function trap(repo: TestRepo): { command: string; sprung: () => boolean } {
	const mark = join(repo.folder, "sprung");
	const command = repo.outside("trap.sh", `#!/bin/sh\ntouch '${mark}'\ncat 2>/dev/null\nexit 0\n`);
	return { command: `sh ${command}`, sprung: () => existsSync(mark) };
}

/** Every operation once, on a candidate that a whole review can close. */
async function everything(repo: TestRepo): Promise<void> {
	await status(repo, ["--projection", "staged"]);
	const { last } = await drive(repo);
	expect(last.authority?.state).toBe("approved");
	repo.gitWith({}, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "add", "--all");
	expectSuccess(await gate(repo));
	expectSuccess(await gate(repo, "post-apply"));
}

describe("counting", () => {
	it.each(["*.ts -diff\n", "*.ts binary\n", "*.ts diff=custom -text\n"])(
		"is not blinded by the attribute %j (B1)",
		async (line) => {
			const repo = changed();
			repo.write(".git/info/attributes", line);
			await expectFullCount(repo);
		},
	);

	it("is not blinded by attributes of the repository itself (B1)", async () => {
		const repo = new TestRepo({ files: { ...FILES, ".gitattributes": "*.ts -diff\n" } });
		repo.write("app.ts", "export const n = 2;\n".repeat(LINES));
		await expectFullCount(repo);
	});

	it("is not blinded by a threshold of one byte, nor by a NUL in the source (B2)", async () => {
		const repo = changed();
		repo.git("config", "core.bigFileThreshold", "1");
		await expectFullCount(repo);
		const binary = new TestRepo({ files: FILES });
		binary.write("app.ts", `export const n = "\0";\n${"x();\n".repeat(20)}`);
		const start = await startPrinted(binary);
		// One old line goes, twenty-one come: a NUL makes no source file weightless.
		expect(start).toMatchObject({ risk_level: "medium", changed_lines: 22 });
		expect(start.changed_path_manifest?.map(({ path }) => path)).toEqual(["app.ts"]);
	});

	it("reads no configured format of a diff (B4)", async () => {
		const repo = changed();
		for (const [key, value] of [
			["diff.context", "40"],
			["diff.interHunkContext", "40"],
			["diff.noprefix", "true"],
			["diff.mnemonicPrefix", "true"],
			["color.ui", "always"],
			["diff.renames", "copies"],
			["diff.algorithm", "patience"],
			["core.quotePath", "false"],
			["diff.orderFile", "/dev/null"],
		] as const) {
			repo.git("config", key, value);
		}
		await expectFullCount(repo);
	});
});

describe("nothing runs", () => {
	it("of a file system monitor (C1), a hook (C2), a text conversion or a diff program (C3)", async () => {
		const repo = new TestRepo({ files: { ...FILES, ".gitattributes": "*.md diff=custom\n" } });
		const { command, sprung } = trap(repo);
		const hooks = ["post-index-change", "pre-commit", "reference-transaction", "post-checkout"];
		for (const hook of hooks) repo.write(`.git/hooks/${hook}`, `#!/bin/sh\n${command}\n`, 0o755);
		repo.git("config", "core.fsmonitor", command);
		repo.git("config", "diff.custom.textconv", command);
		repo.git("config", "diff.custom.command", command);
		repo.git("config", "diff.external", command);
		repo.git("config", "core.pager", command);
		repo.git("config", "core.editor", command);
		repo.git("config", "alias.status", `!${command}`);
		repo.write("guide.md", "# guide\n\nMore.\n");
		await everything(repo);
		expect(sprung()).toBe(false);
	});

	it("that the environment names as a diff program or a git folder", async () => {
		const repo = changed();
		const { command, sprung } = trap(repo);
		const env = {
			GIT_EXTERNAL_DIFF: command,
			GIT_PAGER: command,
			GIT_SSH_COMMAND: command,
			GIT_EXEC_PATH: repo.home,
			GIT_DIR: repo.home,
			GIT_WORK_TREE: repo.home,
			GIT_OBJECT_DIRECTORY: repo.home,
			GIT_CONFIG_COUNT: "1",
			GIT_CONFIG_KEY_0: "core.fsmonitor",
			GIT_CONFIG_VALUE_0: command,
		};
		expect(await status(repo, [], { env })).toEqual(await status(repo));
		expect(sprung()).toBe(false);
	});

	it("of the configuration of a folder that looks like a bare repository (C5)", async () => {
		const repo = changed();
		const { command, sprung } = trap(repo);
		const shaped = repo.path("shaped");
		mkdirSync(shaped);
		repo.gitIn(shaped, "init", "--quiet", "--bare", ".");
		repo.gitIn(shaped, "config", "core.fsmonitor", command);
		const failure = failureOf(await repo.run(statusWords("--cwd", shaped)));
		expect(failure).toMatchObject({ code: "git_command_failed", mutation_outcome: "not_started" });
		expect(sprung()).toBe(false);
	});

	it("named git in the repository or in a relative folder of PATH (C8)", async () => {
		const repo = changed();
		const { command, sprung } = trap(repo);
		const fake = `#!/bin/sh\n${command}\n`;
		repo.write("tools/git", fake, 0o755);
		repo.write("git", fake, 0o755);
		symlinkSync(repo.path("tools"), join(repo.folder, "innocent"));
		const PATH = [repo.path("tools"), ".", "", "tools", join(repo.folder, "innocent"), repo.env.PATH].join(delimiter);
		const seen = await status(repo, [], { env: { PATH } });
		expect(seen.projection.paths).toEqual(["app.ts", "git", "tools/git"]);
		expect(sprung()).toBe(false);
	});

	it("and no file is written by a base ref that is an option (D1)", async () => {
		const repo = changed();
		const file = join(repo.folder, "written");
		const nobody = `sha256:${"0".repeat(64)}`;
		for (const ref of [
			`--output=${file}`,
			"--help",
			"-p",
			"HEAD..main",
			"HEAD:app.ts",
			"main@{upstream}",
			"nobody",
			"",
		]) {
			const asked = await repo.run(statusWords(`--base-ref=${ref}`));
			expect(failureOf(asked)).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
			const started = await repo.run(startWords(nobody, `--base-ref=${ref}`, "--committed-only"));
			expect(failureOf(started).code).toBe("invalid_request");
		}
		expect(existsSync(file)).toBe(false);
		expect(readdirSync(repo.root).sort()).toEqual([".git", "app.ts", "guide.md"]);
	});
});

describe("the repository that answers", () => {
	it("is not one whose work tree is configured to be elsewhere (C6)", async () => {
		const repo = changed();
		const elsewhere = join(repo.folder, "elsewhere");
		mkdirSync(elsewhere);
		repo.git("config", "core.worktree", elsewhere);
		const failure = failureOf(await repo.run(statusWords()));
		expect(failure).toMatchObject({ code: "git_command_failed", mutation_outcome: "not_started" });
	});

	it.each(["sha1", "sha256"] as const)(
		"shows its real %s trees: replacements and grafts do nothing (D4, A.5)",
		async (format) => {
			const repo = changed(format);
			const honest = await status(repo);
			const base = repo.git("rev-parse", "HEAD^{tree}");
			const { workspace } = plainTrees(repo);
			repo.stage();
			repo.git("write-tree");
			repo.git("reset", "--quiet");
			repo.git("replace", base, workspace);
			const commit = repo.git("--no-replace-objects", "rev-parse", "HEAD");
			repo.write(".git/info/grafts", `${commit}\n`);
			const blob = repo.gitWith({ input: "export const n = 1;\n" }, "hash-object", "--stdin").toString().trim();
			const other = repo.gitWith({ input: "nothing\n" }, "hash-object", "-w", "--stdin").toString().trim();
			repo.git("replace", blob, other);
			expect(await status(repo)).toEqual(honest);
			await expectFullCount(repo);
		},
	);

	it("freezes filtered bytes as a commit would, and runs no filter afterwards (C4)", async () => {
		const repo = new TestRepo({ files: { ...FILES, ".gitattributes": "*.md filter=upper\n" } });
		const log = join(repo.folder, "filtered");
		repo.git("config", "filter.upper.clean", `sh -c 'echo ran >> "${log}"; tr a-z A-Z'`);
		repo.write("guide.md", "# guide\n\nmore\n");
		const { workspace } = plainTrees(repo);
		expect((await status(repo)).projection.current_candidate_tree).toBe(workspace);
		await approveLow(repo);
		repo.remove("../filtered");
		repo.git("config", "filter.upper.clean", `sh -c 'touch "${log}"; cat'`);
		const { last } = await drive(repo, { flags: ["--projection", "staged"] });
		expect(last.next_transition?.reason_code).toBe("empty_candidate_base_ref_required");
		expect(existsSync(log)).toBe(false);
	});
});
