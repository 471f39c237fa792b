// Several processes at once: one of them wins, nothing that was acknowledged is lost, and nobody sees the database.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import { COLUMNS } from "../kit/columns.ts";
import type { Failure, Start } from "../kit/documents.ts";
import {
	captureEvidence,
	captureResult,
	executionOf,
	expectSuccess,
	failureOf,
	finalize,
	firstInput,
	inputsOf,
	runExecute,
	startPrinted,
	startWords,
	status,
	statusWords,
	transitionOf,
} from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";
import { holdStore, queryStore } from "../kit/store.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

function times<Value>(count: number, make: (index: number) => Promise<Value>): Promise<Value[]> {
	return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

/** Refusals are ours: never SQLite's words, never a stack trace. */
function expectOurWords(results: readonly RunResult[]): void {
	for (const { stdout, stderr } of results) {
		expect(stdout + stderr).not.toMatch(/sqlite|database is|SQLITE|errcode|\n {4}at /i);
	}
}

const RACE_CODES = new Set(["authority_lock_timeout", "authority_revision_conflict", "invalid_request"]);

function expectTypedLosers(results: readonly RunResult[]): void {
	for (const result of results.filter(({ code }) => code !== 0)) {
		const failure = result.json<Failure>();
		expect(RACE_CODES).toContain(failure.code);
		expect(failure.mutation_outcome).toBe("not_started");
	}
}

describe("processes at once", () => {
	it("open one review when six START the same candidate of a fresh store", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const results = await times(6, () => repo.run(startWords(target_identity)));
		expectOurWords(results);
		for (const result of results) expectSuccess(result);
		const starts = results.map((result) => result.json<Start>());
		expect(starts.filter(({ action }) => action === "created")).toHaveLength(1);
		expect(new Set(starts.map(({ lineage_id }) => lineage_id)).size).toBe(1);
		expect(queryStore(repo, "SELECT operation FROM transitions")).toEqual([{ operation: "review/start" }]);
		expect((await status(repo)).authority?.state).toBe("reviewing");
	});

	it("open one review each when they START different candidates", async () => {
		const repo = medium();
		repo.stage();
		repo.write("app.ts", "export const n = 3;\n");
		const commands = await Promise.all(
			[[], ["--projection", "staged"]].map(async (flags) => executionOf(await status(repo, flags)).command),
		);
		const results = await Promise.all(commands.map((command) => repo.runPrinted(command)));
		for (const result of results) expectSuccess(result);
		expect(new Set(results.map((result) => result.json<Start>().lineage_id)).size).toBe(2);
	});

	it("keep all four results that arrive together", async () => {
		const repo = new TestRepo();
		repo.write("scripts/deploy.sh", "echo deploy\n");
		await startPrinted(repo);
		const inputs = inputsOf(await status(repo));
		const results = await Promise.all(inputs.map((input) => captureResult(repo, input, answerTo(input))));
		expectOurWords(results);
		for (const result of results) expectSuccess(result);
		expect(transitionOf(await status(repo)).reason_code).toBe("captured_results_ready");
	});

	it("fill one slot once when four different answers arrive for it", async () => {
		const repo = medium();
		await startPrinted(repo);
		const slot = firstInput(await status(repo));
		const results = await times(4, (index) => captureResult(repo, slot, answerTo(slot) + " ".repeat(index)));
		expectOurWords(results);
		expect(results.filter(({ code }) => code === 0)).toHaveLength(1);
		for (const { stderr } of results.filter(({ code }) => code !== 0)) {
			expect(stderr).toMatch(/reviewer_result_slot_occupied|authority_lock_timeout/);
		}
		const ready = await status(repo);
		expect(transitionOf(ready).reason_code).toBe("captured_results_ready");
		await runExecute(repo, ready);
	});

	it("close a review once when five FINALIZE it, at either of its steps", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		const slot = firstInput(await status(repo));
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		const first = await times(5, () => finalize(repo, lineage_id, "--captured-results"));
		expectOurWords(first);
		expectTypedLosers(first);
		expect((await status(repo)).authority?.state).toBe("validating");
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
		const second = await times(5, () => finalize(repo, lineage_id, "--captured-evidence"));
		expectOurWords(second);
		expectTypedLosers(second);
		expect(await status(repo)).toMatchObject({ authority: { state: "approved" }, receipt: { status: "present" } });
		expect(queryStore(repo, "SELECT operation FROM transitions ORDER BY position").map((row) => row.operation)).toEqual(
			["review/start", "review/complete-review", "review/complete-verification"],
		);
	});
});

describe("a lock that another process holds (FR-36)", () => {
	it("makes START wait two seconds and then say so, while STATUS answers at once; released, START goes on", async () => {
		const repo = medium();
		await startPrinted(repo);
		repo.write("app.ts", "export const n = 3;\n");
		const before = await status(repo);
		const holder = await holdStore(repo, "BEGIN IMMEDIATE");
		try {
			const began = performance.now();
			const [waited, answered] = await Promise.all([
				repo.run(startWords(before.target_identity)).then((result) => ({ result, after: performance.now() - began })),
				repo.run(statusWords()),
			]);
			expectOurWords([waited.result, answered]);
			const failure = failureOf(waited.result);
			expect(failure).toMatchObject({ code: "authority_lock_timeout", ...COLUMNS.authority_lock_timeout });
			expect(waited.after).toBeGreaterThan(1_500);
			expect(waited.after).toBeLessThan(6_000);
			expect(answered.json()).toEqual(before);
		} finally {
			await holder.release();
		}
		expectSuccess(await repo.run(startWords(before.target_identity)));
	});

	it("that shuts out readers makes STATUS and gates say so in the same words", async () => {
		const repo = medium();
		await startPrinted(repo);
		const holder = await holdStore(repo, "BEGIN EXCLUSIVE");
		try {
			const result = await repo.run(statusWords());
			expectOurWords([result]);
			expect(failureOf(result)).toMatchObject({ code: "authority_lock_timeout", ...COLUMNS.authority_lock_timeout });
		} finally {
			await holder.release();
		}
		expect((await status(repo)).authority?.state).toBe("reviewing");
	});
});
