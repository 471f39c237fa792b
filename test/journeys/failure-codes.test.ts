// Failures that need a broken place rather than a wrong word, each column by column and under both contracts.
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import {
	captureAll,
	captureEvidence,
	expectSuccess,
	failureOf,
	finalized,
	firstInput,
	gate,
	startPrinted,
	startWords,
	status,
	statusWords,
	V1,
	V2,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { receiptPath, storePath } from "../kit/store.ts";
import { contentsOf } from "../kit/tree.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

const under = (contract: string, words: readonly string[]) => words.map((word) => (word === V2 ? contract : word));

describe.each([V1, V2])("under %s", (contract) => {
	const generation = contract.at(-1);

	it("a receipt that cannot be published yet is committed, and the printed command publishes it later", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo);
		await finalized(repo, lineage_id, "--captured-results");
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
		rmSync(repo.path(".git/gentle-ai/staging"), { recursive: true, force: true });
		repo.write(".git/gentle-ai/staging", "in the way\n");
		const words = ["review", "finalize", "--contract", contract, "--lineage", lineage_id, "--captured-evidence"];
		const failure = failureOf(await repo.run(words));
		expect(failure).toMatchObject({
			schema: `gentle-ai.review-integration.failure/v${generation}`,
			operation: "review.finalize",
			code: "receipt_publication_pending",
			phase: "native_committed",
			mutation_outcome: "committed",
			authority_applicability: "current_target",
			retry_safe: false,
			replayability: "exact_replay_safe",
			required_inputs: ["lineage_id"],
			next_action: "review.finalize",
			lineage_id,
		});
		expect((await gate(repo, "post-apply")).code).toBe(1);
		rmSync(repo.path(".git/gentle-ai/staging"));
		expectSuccess(await repo.run(words.slice(0, -1)));
		expect(receiptPath(repo, lineage_id)).toMatch(/\.json$/);
		expectSuccess(await gate(repo, "post-apply"));
	});

	it("a store of a newer version is left as it is, and never taken for damage", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		await startPrinted(repo);
		const database = new DatabaseSync(storePath(repo));
		database.exec("PRAGMA user_version = 99");
		database.close();
		const before = contentsOf(repo);
		for (const words of [statusWords(), startWords(target_identity)]) {
			expect(failureOf(await repo.run(under(contract, words)))).toMatchObject({
				code: "store_lock_unavailable",
				phase: "pre_native",
				mutation_outcome: "not_started",
				authority_applicability: "not_evaluated",
				retry_safe: true,
				replayability: "manual_action_required",
				required_inputs: [],
				next_action: "retry_with_bounded_backoff",
			});
		}
		expect(contentsOf(repo)).toEqual(before);
	});

	it("a file in the place of our folder is a failure in our words, and START did not happen", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		repo.write(".git/gentle-ai", "in the way\n");
		const before = contentsOf(repo);
		const refused = await repo.run(under(contract, startWords(target_identity)));
		expect(failureOf(refused)).toMatchObject({ code: "store_lock_unavailable", mutation_outcome: "not_started" });
		expect(refused.stderr).not.toContain("unexpected failure");
		expect(contentsOf(repo)).toEqual(before);
	});
});
