// What a killed process leaves, and what becomes of a receipt that was deleted or replaced.
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
	approveLow,
	captureAll,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	gate,
	runExecute,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { killInTransaction, queryStore, receiptPath, storePath } from "../kit/store.ts";
import { listing } from "../kit/tree.ts";

function low(): TestRepo {
	const repo = new TestRepo();
	appendFileSync(repo.path("guide.md"), "One more sentence.\n");
	return repo;
}

const kept = (repo: TestRepo) => listing(repo.path(".git", "gentle-ai"));

describe("a process killed in the middle of a transaction", () => {
	it("leaves the truth: STATUS tells it and changes nothing, the next mutation goes on from there", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		await startPrinted(repo);
		const truth = await status(repo);
		await killInTransaction(repo);
		const before = kept(repo);
		expect(await status(repo)).toEqual(truth);
		expect(failureOf(await gate(repo, "post-apply")).code).toBe("receipt_missing");
		expect(kept(repo)).toEqual(before);
		await captureAll(repo);
		expect(existsSync(`${storePath(repo)}-journal`)).toBe(false);
		expect(queryStore(repo, "SELECT operation FROM transitions")).toEqual([{ operation: "review/start" }]);
		expect(transitionOf(await status(repo)).reason_code).toBe("captured_results_ready");
	});
});

describe("a published receipt", () => {
	it("that was deleted is pending, denies the gate, and comes back byte for byte by the printed replay", async () => {
		const repo = low();
		const lineage = await approveLow(repo);
		const bytes = readFileSync(receiptPath(repo, lineage));
		rmSync(receiptPath(repo, lineage));
		const pending = await status(repo);
		expect(pending.receipt).toEqual({ status: "publication_pending" });
		expect(failureOf(await gate(repo, "post-apply")).mutation_outcome).toBe("not_started");
		await runExecute(repo, pending);
		expect(readFileSync(receiptPath(repo, lineage))).toEqual(bytes);
		expectSuccess(await gate(repo, "post-apply"));
	});

	it("that was replaced stops STATUS, conflicts at FINALIZE, opens no gate, and is not overwritten", async () => {
		const repo = low();
		const lineage = await approveLow(repo);
		const forged = readFileSync(receiptPath(repo, lineage), "utf8").replace('"approved"', '"approved" ');
		writeFileSync(receiptPath(repo, lineage), forged);
		expect(transitionOf(await status(repo))).toEqual({
			kind: "stop",
			reason_code: "corrupted_or_unverifiable_authority",
		});
		expect(failureOf(await finalize(repo, lineage))).toMatchObject({
			code: "receipt_publication_conflict",
			phase: "native_committed",
			mutation_outcome: "committed",
			authority_applicability: "current_target",
			retry_safe: false,
			replayability: "manual_action_required",
			required_inputs: [],
			next_action: "explicit-maintainer-action",
			lineage_id: lineage,
			request_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
		});
		expect(failureOf(await gate(repo, "post-apply")).code).toBe("authority_corrupted");
		expect(readFileSync(receiptPath(repo, lineage), "utf8")).toBe(forged);
		rmSync(receiptPath(repo, lineage));
		expect((await finalized(repo, lineage)).state).toBe("approved");
	});
});
