// Git children: few whatever the size of the change; and whatever they do, the failure is typed and nothing stays.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import { COLUMNS } from "../kit/columns.ts";
import type { Failure } from "../kit/documents.ts";
import {
	captureEvidence,
	captureResult,
	expectSuccess,
	failureOf,
	finalize,
	firstInput,
	gate,
	inputsOf,
	startPrinted,
	startWords,
	status,
	statusWords,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { contentsOf } from "../kit/tree.ts";

const REAL =
	(process.env.PATH ?? "")
		.split(delimiter)
		.map((folder) => join(folder, "git"))
		.find(existsSync) ?? "git";

/** Puts a git of ours first in PATH; every call leaves its process id in a file. */
class WatchedRepo extends TestRepo {
	private readonly log = join(this.folder, "calls");

	constructor(files: Readonly<Record<string, string>>) {
		super({ files });
		this.behave("");
	}

	/** `special` is shell that may run before the real git; "$@" are the words of the call. */
	behave(special: string, interpreter = "/bin/sh"): void {
		const script = `#!${interpreter}\necho "$$" >> '${this.log}'\n${special}\nexec '${REAL}' "$@"\n`;
		const file = join(this.bin, "git");
		rmSync(file, { force: true });
		writeFileSync(file, script, { mode: 0o755 });
	}

	calls(): number[] {
		if (!existsSync(this.log)) return [];
		const pids = readFileSync(this.log, "utf8").trim().split("\n").map(Number);
		rmSync(this.log);
		return pids;
	}

	/** How many children one operation took. */
	async counted(work: () => Promise<unknown>): Promise<number> {
		this.calls();
		await work();
		return this.calls().length;
	}
}

const on = (verb: string, action: string) => `for word in "$@"; do case "$word" in ${verb}) ${action};; esac; done`;

function many(count: number): WatchedRepo {
	const repo = new WatchedRepo({ "guide.md": "# guide\n" });
	for (let index = 0; index < count; index += 1) repo.write(`src/file-${index}.ts`, `export const n = ${index};\n`);
	return repo;
}

async function childrenPerOperation(repo: WatchedRepo): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	counts.status = await repo.counted(() => status(repo));
	const { target_identity } = await status(repo);
	counts.start = await repo.counted(async () =>
		expectSuccess(await repo.run(startWords(target_identity, "--focus", "risk"))),
	);
	for (const input of inputsOf(await status(repo))) {
		counts.capture = await repo.counted(async () => expectSuccess(await captureResult(repo, input, answerTo(input))));
	}
	counts.bound = await repo.counted(() => status(repo));
	const lineage = (await status(repo)).authority?.lineage_id ?? "";
	counts.finalize = await repo.counted(async () => expectSuccess(await finalize(repo, lineage, "--captured-results")));
	expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
	counts.close = await repo.counted(async () => expectSuccess(await finalize(repo, lineage, "--captured-evidence")));
	repo.stage();
	counts["pre-commit"] = await repo.counted(async () => expectSuccess(await gate(repo)));
	counts["post-apply"] = await repo.counted(async () => expectSuccess(await gate(repo, "post-apply")));
	return counts;
}

describe("the number of Git children", () => {
	it("is at most twelve an operation, and the same for one path, 300 and 2,000", async () => {
		const [one, some, lots] = await Promise.all([1, 300, 2_000].map((count) => childrenPerOperation(many(count))));
		for (const [operation, count] of Object.entries(lots ?? {})) {
			expect(count, operation).toBeGreaterThan(0);
			expect(count, operation).toBeLessThanOrEqual(12);
		}
		expect(some).toEqual(one);
		expect(lots).toEqual(one);
	}, 180_000);

	it("does not grow with the number of closed reviews", async () => {
		const repo = many(1);
		const { lineage_id } = await startPrinted(repo);
		const first = await repo.counted(() => status(repo));
		repo.write("src/file-0.ts", "export const other = 1;\n");
		await startPrinted(repo);
		expect(await repo.counted(() => status(repo))).toBe(first);
		expect(lineage_id).not.toBe("");
	});
});

function low(): WatchedRepo {
	const repo = new WatchedRepo({ "guide.md": "# guide\n" });
	appendFileSync(repo.path("guide.md"), "One more sentence.\n");
	return repo;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
	} catch {
		return false;
	}
}

/** START with a git that misbehaves: refused typed, no process left, no file left. */
async function misbehaved(special: string, interpreter?: string): Promise<Failure> {
	const repo = low();
	const { target_identity } = await status(repo);
	repo.behave(special, interpreter);
	repo.calls();
	const { "./calls": _before, "./bin/git": _git, ...before } = contentsOf(repo);
	const result = await repo.run(startWords(target_identity));
	const failure = failureOf(result);
	for (const pid of repo.calls()) expect(isRunning(pid), `git ${pid} still runs`).toBe(false);
	const { "./calls": _after, "./bin/git": _same, ...after } = contentsOf(repo);
	expect(after).toEqual(before);
	expect(readdirSync(repo.tmp)).toEqual([]);
	return failure;
}

describe("a git that misbehaves while START freezes", () => {
	it("by hanging, deaf to the termination signal or not, or by never ceasing to print, is ended after its time", async () => {
		const [hangs, ignores, floods, slow] = await Promise.all([
			misbehaved(on("write-tree", "sleep 300; exit 0")),
			misbehaved(on("pack-objects", "trap '' TERM; while :; do sleep 1; done")),
			// What is streamed is not held; its end is the limit of bytes or of time, whichever comes first.
			misbehaved(on("diff-index", "yes")),
			// No child is too slow, all of them together are.
			misbehaved(on("status|update-index", "sleep 13")),
		]);
		expect(slow).toMatchObject({ code: "operation_timeout", ...COLUMNS.git_command_timeout });
		for (const failure of [hangs, ignores]) {
			expect(failure).toMatchObject({ code: "git_command_timeout", ...COLUMNS.git_command_timeout });
		}
		expect(floods).toMatchObject({
			code: expect.stringMatching(/^git_command_(timeout|failed)$/),
			...COLUMNS.git_command_timeout,
		});
	}, 60_000);

	it.each([
		["by flooding stdout", on("write-tree", "yes")],
		["by flooding stderr and failing", on("write-tree", "yes | head -c 3000000 >&2; exit 1")],
		["by dying of a signal", on("write-tree", "kill -9 $$")],
		["by dying while it packs", on("pack-objects", "kill -9 $$")],
		["by failing", on("update-index", "exit 128")],
		["by answering nonsense", on("write-tree", "echo nonsense; exit 0")],
		["by saying nothing", on("rev-parse", "exit 0")],
		["by stopping in the middle", on("diff-index", "printf ':100644 100644 '; exit 0")],
	])("%s is a typed failure that left nothing", async (_, special) => {
		expect(await misbehaved(special)).toMatchObject({ code: "git_command_failed", ...COLUMNS.git_command_failed });
	});

	it("by not starting at all is a typed failure too", async () => {
		const failure = await misbehaved("", "/nonexistent/interpreter");
		expect(failure).toMatchObject({ code: "git_command_failed", ...COLUMNS.git_command_failed });
	});
});

describe("a git that misbehaves for the other operations", () => {
	it("leaves STATUS, captures and gates refused typed, and the review as it was", async () => {
		const repo = new WatchedRepo({ "app.ts": "export const n = 1;\n" });
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		const before = await status(repo);
		const slot = firstInput(before);
		repo.behave(on("diff-tree", "kill -9 $$"));
		expect(failureOf(await repo.run(statusWords())).code).toBe("git_command_failed");
		expect((await captureResult(repo, slot, answerTo(slot))).stderr).toContain("[git_command_failed]");
		const closing = failureOf(await finalize(repo, lineage_id, "--captured-results"));
		expect(closing).toMatchObject({ code: "git_command_failed", ...COLUMNS.git_command_failed });
		// Without a receipt the gate compares no trees.
		repo.behave(on("diff-index", "kill -9 $$"));
		expect(failureOf(await gate(repo, "post-apply")).code).toBe("git_command_failed");
		repo.behave("");
		expect(await status(repo)).toEqual(before);
	});
});
