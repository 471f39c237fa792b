// The same request twice: START resumes or hands back the receipt, captures and FINALIZE converge, nothing is lost.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import type { Start } from "../kit/documents.ts";
import {
	approve,
	captureEvidence,
	captureResult,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	startWords,
	status,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { receiptPath } from "../kit/store.ts";
import { contentsOf, worldOf } from "../kit/tree.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

async function start(repo: TestRepo): Promise<Start> {
	const { target_identity } = await status(repo);
	const result = await repo.run(startWords(target_identity));
	expectSuccess(result);
	return result.json<Start>();
}

describe("START again", () => {
	it("resumes its review, and the second and third answers are the same bytes", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const words = startWords(target_identity);
		const created = (await repo.run(words)).json<Start>();
		const resumed = await repo.run(words);
		expect(resumed.json<Start>()).toEqual({ ...created, action: "resumed" });
		expect((await repo.run(words)).stdout).toBe(resumed.stdout);
	});

	it("leaves no new file and no other bytes when there is nothing new", async () => {
		const repo = medium();
		await start(repo);
		const before = contentsOf(repo);
		await start(repo);
		expect(contentsOf(repo)).toEqual(before);
	});

	it("hands back the receipt of a candidate that was approved before", async () => {
		const repo = medium();
		const lineage = await approve(repo);
		expect(await start(repo)).toMatchObject({
			action: "reuse-receipt",
			lineage_id: lineage,
			state: "approved",
			artifact_subjects: [],
		});
	});

	it("keeps the candidate of its review when files that were untracked are staged", async () => {
		const repo = medium();
		repo.write("new.ts", "export const fresh = true;\n");
		const created = await start(repo);
		repo.stage();
		expect(await start(repo)).toMatchObject({ action: "resumed", lineage_id: created.lineage_id });
		expect((await status(repo)).authority?.lineage_id).toBe(created.lineage_id);
	});

	it("opens a review of its own for other bytes, and leaves the first alone", async () => {
		const repo = medium();
		const first = await start(repo);
		repo.write("app.ts", "export const n = 3;\n");
		const second = await start(repo);
		expect(second).toMatchObject({ action: "created" });
		expect(second.lineage_id).not.toBe(first.lineage_id);
		repo.write("app.ts", "export const n = 2;\n");
		expect((await status(repo)).authority).toMatchObject({ lineage_id: first.lineage_id, state: "reviewing" });
	});
});

describe("captures again", () => {
	it("answer the same manifest for the same bytes, and refuse others without a change", async () => {
		const repo = medium();
		await start(repo);
		const slot = firstInput(await status(repo));
		const first = await captureResult(repo, slot, answerTo(slot));
		expectSuccess(first);
		const before = worldOf(repo);
		expect((await captureResult(repo, slot, answerTo(slot))).stdout).toBe(first.stdout);
		const other = await captureResult(repo, slot, `${answerTo(slot)} `);
		expect(other.code).toBe(1);
		expect(other.stdout).toBe("");
		expect(other.stderr).toContain("reviewer_result_slot_occupied");
		expect(worldOf(repo)).toEqual(before);
	});

	it("answer the same record for the same evidence, and refuse other bytes or another outcome", async () => {
		const repo = medium();
		const { lineage_id } = await start(repo);
		const slot = firstInput(await status(repo));
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		await finalized(repo, lineage_id, "--captured-results");
		const evidence = firstInput(await status(repo));
		const first = await captureEvidence(repo, evidence, "passed");
		expectSuccess(first);
		const before = worldOf(repo);
		expect((await captureEvidence(repo, evidence, "passed")).stdout).toBe(first.stdout);
		expect((await captureEvidence(repo, evidence, "verification_failed")).code).toBe(1);
		expect((await captureEvidence(repo, evidence, "passed", "other bytes\n")).code).toBe(1);
		expect(worldOf(repo)).toEqual(before);
	});
});

describe("FINALIZE again", () => {
	it("answers a closed review with the same bytes as often as it is asked", async () => {
		const repo = medium();
		const lineage = await approve(repo);
		const receipt = readFileSync(receiptPath(repo, lineage));
		const first = await finalize(repo, lineage);
		expectSuccess(first);
		const before = worldOf(repo);
		expect((await finalize(repo, lineage)).stdout).toBe(first.stdout);
		expect(worldOf(repo)).toEqual(before);
		expect(readFileSync(receiptPath(repo, lineage))).toEqual(receipt);
	});

	it("takes no input for a closed review", async () => {
		const repo = medium();
		const lineage = await approve(repo);
		for (const flags of [["--captured-results"], ["--captured-evidence"], ["--correction-lines", "3"], ["--failed"]]) {
			const refused = failureOf(await finalize(repo, lineage, ...flags));
			expect(refused).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started", lineage_id: lineage });
		}
	});

	it("needs no lineage while only one review is open, and asks for it otherwise", async () => {
		const repo = medium();
		const first = await start(repo);
		const slot = firstInput(await status(repo));
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		const words = ["review", "finalize", "--contract", "gentle-ai.review-integration/v2", "--captured-results"];
		repo.write("app.ts", "export const n = 3;\n");
		await start(repo);
		const ambiguous = failureOf(await repo.run(words));
		expect(ambiguous).toMatchObject({ code: "invalid_request", required_inputs: ["lineage_id"] });
		expect(ambiguous.cause).toContain("--lineage");
		expect((await finalized(repo, first.lineage_id, "--captured-results")).state).toBe("validating");
	});
});
