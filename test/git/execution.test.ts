// What a repository would have run by plain Git (each trap is first shown to work) is not run by any of our commands.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReviewRun } from "../../packages/gentle-ai/src/contract/wire/run.ts";
import { answerTo } from "../kit/answers.ts";
import {
	captureEvidence,
	captureResult,
	drive,
	executionOf,
	expectSuccess,
	failureOf,
	finalized,
	firstInput,
	gate,
	runExecute,
	startPrinted,
	startWords,
	status,
	statusWords,
} from "../kit/drive.ts";
import { expectPlainTrees } from "../kit/freeze.ts";
import { TestRepo } from "../kit/repo.ts";
import { queryStore } from "../kit/store.ts";
import { Trap } from "../kit/trap.ts";

const FILES = { "app.ts": "export const n = 1;\n", "guide.md": "# guide\n", ".gitattributes": "*.ts diff=custom\n" };
const FORMATS = ["sha1", "sha256"] as const;
type Format = (typeof FORMATS)[number];

function changed(format: Format, files: Readonly<Record<string, string>> = FILES): TestRepo {
	const repo = new TestRepo({ format, files });
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

/** Staged without any help from the configuration of the repository. */
function stageQuietly(repo: TestRepo): void {
	repo.gitWith({}, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "add", "--all");
}

/** Every operation once, from STATUS to both gates. */
async function everything(repo: TestRepo): Promise<void> {
	await status(repo, ["--projection", "staged"]);
	await status(repo, ["--base-ref", "HEAD", "--workspace-overlay"]);
	const { last } = await drive(repo);
	expect(last.authority?.state).toBe("approved");
	stageQuietly(repo);
	expectSuccess(await gate(repo));
	expectSuccess(await gate(repo, "post-apply"));
}

describe.concurrent.each(FORMATS)("in a %s repository no operation runs", (format) => {
	it("a file system monitor, of the repository or of its user (C1)", async () => {
		const repo = changed(format);
		const [ours, users] = [new Trap(repo, "local"), new Trap(repo, "user")];
		writeFileSync(join(repo.home, ".gitconfig"), `[core]\n\tfsmonitor = ${users.command}\n`);
		users.arm(() => repo.git("status"));
		repo.git("config", "core.fsmonitor", ours.command);
		ours.arm(() => repo.git("status"));
		await everything(repo);
		expect([ours.sprung, users.sprung]).toEqual([false, false]);
	});

	it("a hook, where Git keeps them or where the configuration says, not even for a private index (C2)", async () => {
		const repo = changed(format);
		const [usual, moved] = [new Trap(repo, "usual"), new Trap(repo, "moved")];
		const hooks = ["post-index-change", "reference-transaction", "pre-commit", "post-checkout"];
		for (const hook of hooks) repo.write(`.git/hooks/${hook}`, `#!/bin/sh\n${usual.command}\n`, 0o755);
		usual.arm(() => repo.git("update-index", "--force-write-index"));
		for (const hook of hooks) repo.write(`.git/moved/${hook}`, `#!/bin/sh\n${moved.command}\n`, 0o755);
		repo.git("config", "core.hooksPath", repo.path(".git", "moved"));
		moved.arm(() => repo.git("update-index", "--force-write-index"));
		rmSync(join(repo.folder, "sprung-usual"), { force: true });
		await everything(repo);
		expect([usual.sprung, moved.sprung]).toEqual([false, false]);
	});

	it("a text conversion, a diff driver or an external diff, configured or in the environment (C3)", async () => {
		const repo = changed(format);
		const names = ["textconv", "driver", "external", "environment"] as const;
		const [textconv, driver, external, environment] = names.map((name) => new Trap(repo, name)) as [
			Trap,
			Trap,
			Trap,
			Trap,
		];
		repo.git("config", "diff.custom.textconv", textconv.command);
		textconv.arm(() => repo.git("diff"));
		repo.git("config", "diff.external", external.command);
		external.arm(() => repo.git("diff"));
		repo.git("config", "diff.custom.command", driver.command);
		driver.arm(() => repo.git("diff"));
		rmSync(join(repo.folder, "sprung-textconv"), { force: true });
		const env = { GIT_EXTERNAL_DIFF: environment.command };
		repo.git("config", "--unset", "diff.custom.command");
		environment.arm(() => repo.gitWith({ env }, "diff"));
		repo.git("config", "diff.custom.command", driver.command);
		await everything(repo);
		await status(repo, [], { env });
		expectSuccess(await gate(repo, "pre-commit", [], { env }));
		expect([textconv, driver, external, environment].map(({ sprung }) => sprung)).toEqual([false, false, false, false]);
	});
});

describe.concurrent.each(FORMATS)("in a %s repository a clean filter", (format) => {
	it("runs where a commit would run it, and for nothing that reads frozen trees; smudge runs never (C4)", async () => {
		const repo = changed(format, { ...FILES, ".gitattributes": "*.ts filter=upper\n" });
		const log = join(repo.folder, "cleaned");
		const smudge = new Trap(repo, "smudge");
		const runs = () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0);
		repo.git("config", "filter.upper.clean", `sh -c 'echo ran >> "${log}"; tr a-z A-Z'`);
		repo.git("config", "filter.upper.smudge", smudge.command);
		await expectPlainTrees(repo);
		const start = await startPrinted(repo);
		const blob = repo.git("ls-tree", start.candidate_tree ?? "", "app.ts").split(/\s/)[2] ?? "";
		expect(repo.git("cat-file", "blob", blob)).toBe("EXPORT CONST N = 2;");
		const slot = firstInput(await status(repo));
		const before = runs();
		expect(before).toBeGreaterThan(0);
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		expect(runs()).toBe(before);
		await finalized(repo, start.lineage_id, "--captured-results");
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
		stageQuietly(repo);
		const staged = runs();
		await finalized(repo, start.lineage_id, "--captured-evidence");
		expectSuccess(await gate(repo));
		expect(runs()).toBe(staged);
		expect(smudge.sprung).toBe(false);
	});

	it("is named by the human run, with the changed paths that it wrote, and with no others (C4)", async () => {
		const repo = changed(format, {
			...FILES,
			"old.ts": "o();\n",
			".gitattributes": "*.ts filter=upper\n*.md filter\n",
		});
		repo.write("guide.md", "# more\n");
		const result = await repo.run(["review", "--format", "json", "--yes"]);
		const told = result.json<ReviewRun>().notes.filter((note) => note.includes("filter"));
		expect(told).toEqual(["frozen through a filter of Git: app.ts (upper)"]);
	});

	it("is named in the frozen record too (C4)", async () => {
		const repo = changed(format, { ...FILES, ".gitattributes": "*.ts filter=upper\n*.md filter\n" });
		repo.write("guide.md", "# more\n");
		await startPrinted(repo);
		const [row] = queryStore(repo, "SELECT frozen_json FROM lineages");
		const frozen: { filters?: unknown } = JSON.parse(String(row?.frozen_json));
		expect(frozen.filters).toEqual([{ path: "app.ts", filter: "upper" }]);
	});
});

describe.concurrent.each(FORMATS)(
	"in a %s repository the configuration of another one counts for nothing",
	(format) => {
		it("when a folder is shaped like a bare repository: every verb answers that no repository is there (C5)", async () => {
			const repo = changed(format);
			const trap = new Trap(repo, "bare");
			const { target_identity } = await status(repo);
			const cwd = repo.path("shaped");
			mkdirSync(cwd);
			repo.gitIn(cwd, "init", "--quiet", "--bare", `--object-format=${format}`, ".");
			repo.gitIn(cwd, "config", "core.bare", "false");
			repo.gitIn(cwd, "config", "core.worktree", "..");
			repo.gitIn(cwd, "config", "core.fsmonitor", trap.command);
			trap.arm(() => repo.gitIn(cwd, "status"));
			const verbs = [
				statusWords(),
				startWords(target_identity),
				["review", "validate", "--contract", "gentle-ai.review-integration/v2", "--gate", "post-apply"],
			];
			for (const words of verbs) {
				for (const call of [repo.run([...words, "--cwd", cwd]), repo.run(words, { cwd })]) {
					const failure = failureOf(await call);
					expect(failure).toMatchObject({ code: "git_command_failed", mutation_outcome: "not_started" });
				}
			}
			expect(trap.sprung).toBe(false);
			expect(existsSync(join(cwd, "gentle-ai"))).toBe(false);
		});

		it("when a folder's .git file points elsewhere, and when a submodule moved (C6)", async () => {
			const repo = changed(format);
			const library = new TestRepo({ format, files: { "lib.ts": "export const l = 1;\n" } });
			repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, "lib");
			repo.commit("submodule");
			repo.write("app.ts", "export const n = 3;\n");
			repo.write("lib/lib.ts", "export const l = 2;\n");
			repo.gitIn(repo.path("lib"), "commit", "--quiet", "--all", "--message", "moved");
			const alone = await status(repo);
			expect(alone.projection.paths).toEqual(["app.ts", "lib"]);
			const trap = new Trap(repo, "nested");
			const elsewhere = new TestRepo({ format, files: { "x.ts": "x();\n" } });
			repo.write("sub/.git", `gitdir: ${elsewhere.path(".git")}\n`);
			for (const folder of [repo.path("lib"), elsewhere.root])
				repo.gitIn(folder, "config", "core.fsmonitor", trap.command);
			trap.arm(() => repo.gitIn(repo.path("sub"), "status"));
			expect(await status(repo)).toEqual(alone);
			await runExecute(repo, alone);
			// The folder itself is a work tree of the repository that it names, never of the one around it.
			const inside = await status(repo, [], { cwd: repo.path("sub") });
			expect(inside.projection.base_tree).toBe(elsewhere.git("-c", "core.fsmonitor=false", "rev-parse", "HEAD^{tree}"));
			expect(inside).not.toHaveProperty("authority");
			expect(executionOf(inside).operation).toBe("review.start");
			expect(trap.sprung).toBe(false);
		});
	},
);
