// Two, four and eight processes do the same thing at once: one of them makes the revision, the others converge or are
// refused in our words, nobody takes longer than ten seconds, and what was acknowledged is there afterwards.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import type { Failure, Start } from "../kit/documents.ts";
import {
	captureAll,
	captureEvidence,
	captureResult,
	expectSuccess,
	finalize,
	finalized,
	firstInput,
	inputsOf,
	startPrinted,
	startWords,
	status,
	transitionOf,
} from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";
import { queryStore } from "../kit/store.ts";

const BUDGET_MS = 10_000;
const REFUSALS = /\[(authority_lock_timeout|authority_revision_conflict)\]/;

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

/** Starts them all together; every one ends within its budget, with success or a typed refusal. */
async function race(count: number, run: (at: number) => Promise<RunResult>, also?: RegExp): Promise<RunResult[]> {
	const began = performance.now();
	const timed = async (at: number) => ({ result: await run(at), ms: performance.now() - began });
	const ended = await Promise.all(Array.from({ length: count }, (_, at) => timed(at)));
	for (const { result, ms } of ended) {
		expect(ms).toBeLessThan(BUDGET_MS);
		if (result.code === 0) continue;
		expect(result.code).toBe(1);
		expect(REFUSALS.test(result.stderr) || also?.test(result.stderr), result.stderr).toBe(true);
		if (result.stdout !== "") expect(result.json<Failure>().mutation_outcome).toBe("not_started");
	}
	const winners = ended.map(({ result }) => result).filter(({ code }) => code === 0);
	expect(winners.length).toBeGreaterThan(0);
	return winners;
}

/** Every revision was made once, and the positions have no gap. */
function expectOneWinnerEach(repo: TestRepo, operations: readonly string[]): void {
	const rows = queryStore(repo, "SELECT position, operation, revision FROM transitions ORDER BY position");
	expect(rows.map(({ operation }) => operation)).toEqual(operations);
	expect(rows.map(({ position }) => position)).toEqual(operations.map((_, at) => at + 1));
	expect(new Set(rows.map(({ revision }) => revision)).size).toBe(rows.length);
}

describe.each([2, 4, 8])("%i processes at once", (count) => {
	it("with the same START open one review", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const starts = (await race(count, () => repo.run(startWords(target_identity)))).map((each) => each.json<Start>());
		expect(starts.filter(({ action }) => action === "created")).toHaveLength(1);
		expect(new Set(starts.map(({ lineage_id }) => lineage_id)).size).toBe(1);
		expectOneWinnerEach(repo, ["review/start"]);
	});

	it("with the same capture fill one slot, and answer the same bytes", async () => {
		const repo = medium();
		await startPrinted(repo);
		const slot = firstInput(await status(repo));
		const answers = await race(count, () => captureResult(repo, slot, answerTo(slot)));
		expect(new Set(answers.map(({ stdout }) => stdout)).size).toBe(1);
		expect(queryStore(repo, "SELECT selected_order FROM results")).toEqual([{ selected_order: 0 }]);
		expect(transitionOf(await status(repo)).reason_code).toBe("captured_results_ready");
	});

	it("with the same FINALIZE make one step, and then one receipt", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo);
		// A process that read after the winner's commit finds a review that takes this input no more.
		const late = /\[invalid_request\]/;
		await race(count, () => finalize(repo, lineage_id, "--captured-results"), late);
		expectOneWinnerEach(repo, ["review/start", "review/complete-review"]);
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
		await race(count, () => finalize(repo, lineage_id, "--captured-evidence"), late);
		expectOneWinnerEach(repo, ["review/start", "review/complete-review", "review/complete-verification"]);
		expect(await status(repo)).toMatchObject({ authority: { state: "approved" }, receipt: { status: "present" } });
	});

	it("with the results of a high tier, several for each slot, lose none that was acknowledged", async () => {
		const repo = new TestRepo();
		repo.write("scripts/deploy.sh", "echo deploy\n");
		const { lineage_id } = await startPrinted(repo);
		const slots = inputsOf(await status(repo));
		const first = firstInput(await status(repo));
		expect(slots).toHaveLength(4);
		const run = (at: number) => {
			const slot = slots[at % slots.length] ?? first;
			return captureResult(repo, slot, answerTo(slot));
		};
		const acknowledged = await race(count, run);
		const kept = queryStore(repo, "SELECT selected_order FROM results ORDER BY selected_order");
		const orders = new Set(acknowledged.map((each) => each.json<{ selected_order: number }>().selected_order));
		expect(kept.map((row) => row.selected_order)).toEqual([...orders].sort());
		if (transitionOf(await status(repo)).reason_code !== "captured_results_ready") await captureAll(repo);
		expect((await finalized(repo, lineage_id, "--captured-results")).state).toBe("validating");
	});
});
