// A repository and a home on read-only mounts, in a private mount namespace: reading operations answer the same bytes
// as on the writable ones. Where this machine permits no mount the tests are skipped, and say so.
import { beforeAll, describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import type { Failure } from "../kit/documents.ts";
import {
	captureAll,
	captureResult,
	drive,
	expectSuccess,
	finalized,
	firstInput,
	startPrinted,
	startWords,
	status,
	statusWords,
	tokensOf,
	V2,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { runSealed, sealingPermitted } from "../kit/seal.ts";
import { askedRetry, closedBy, retryCommand, retryWords } from "../kit/spoiled.ts";
import { killInTransaction } from "../kit/store.ts";
import { contentsOf, listing } from "../kit/tree.ts";

const permitted = sealingPermitted();

describe.skipIf(!permitted)("on a read-only mount", { concurrent: true }, () => {
	const reading = [
		["STATUS", statusWords()],
		["STATUS of the staged candidate", statusWords("--projection", "staged")],
		["the pre-commit gate", ["review", "validate", "--contract", V2, "--gate", "pre-commit"]],
		["the post-apply gate", ["review", "validate", "--contract", V2, "--gate", "post-apply"]],
		["capabilities", ["review", "capabilities", "--contract", V2]],
		["the mode", ["review", "mode", "status", "--json"]],
		["the inspection of the authority", ["review", "inspect-authority"]],
		["a dry run of pruning", ["review", "prune"]],
	] as const;

	async function expectSameBytes(repo: TestRepo, words: readonly string[]): Promise<void> {
		const before = listing(repo.root);
		const writable = await repo.run(words);
		expect(await runSealed(repo, words)).toEqual(writable);
		expect(listing(repo.root)).toEqual(before);
	}

	describe.each(["without a store", "while reviewing", "after approval", "after a kill in a transaction"])(
		"%s",
		(state) => {
			const repo = new TestRepo();
			beforeAll(async () => {
				repo.write("app.ts", "export const n = 2;\n");
				if (state === "without a store") return;
				await startPrinted(repo);
				if (state === "after approval") await drive(repo);
				if (state === "after a kill in a transaction") await killInTransaction(repo);
			}, 60_000);

			it.each(reading)("%s answers the same bytes as on a writable one", async (_, words) => {
				await expectSameBytes(repo, words);
			});
		},
	);

	it("the preflight of a capture answers the same bytes", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		await startPrinted(repo);
		const slot = firstInput(await status(repo));
		await expectSameBytes(repo, ["review", "capture-result", ...tokensOf(slot), "--preflight"]);
	});

	it("a mutation is refused in our words, claims no commit, and STATUS tells the same as before (FR-48)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const fresh = await status(repo);
		const refusals = [await runSealed(repo, startWords(fresh.target_identity))];
		await startPrinted(repo);
		const reviewing = await status(repo);
		const slot = firstInput(reviewing);
		const before = contentsOf(repo);
		const words = ["review", "capture-result", ...tokensOf(slot), "--input=-"];
		const captured = await runSealed(repo, words, answerTo(slot));
		expect(captured.code).toBe(1);
		expect(captured.stderr).toMatch(/^Error: .*\[\w+\]\n$/);
		expect(contentsOf(repo)).toEqual(before);
		expect(await status(repo)).toEqual(reviewing);
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		const ready = await status(repo);
		const finalize = ["review", "finalize", "--contract", V2, "--captured-results"];
		refusals.push(await runSealed(repo, finalize));
		expect(await status(repo)).toEqual(ready);
		for (const refusal of refusals) {
			expect(refusal.code).toBe(1);
			expect(refusal.stderr).toMatch(/^Error: .*\[\w+\]\n$/);
			expect(refusal.json<Failure>().mutation_outcome).not.toBe("committed");
		}
	});

	it("what only a maintainer does is refused as well, and possible again on a writable one", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		const { authority, target_identity } = await status(repo);
		const revision = authority?.revision ?? "";
		const bound = ["--lineage", lineage_id, "--expected-revision", revision, "--reason", "no use"];
		const word = [
			"gentle-ai.review-abandon-authorization/v1",
			`lineage=${lineage_id}`,
			`revision=${revision}`,
			`snapshot_identity=${target_identity}`,
			"actor=A",
			"reason=no use",
		].join("\n");
		const commands = [
			["review", "invalidate", ...bound],
			["review", "abandon", ...bound, "--actor", "A", "--maintainer-authorization", word],
		];
		const before = contentsOf(repo);
		for (const command of commands) {
			const result = await runSealed(repo, command);
			expect([result.code, result.stdout]).toEqual([1, ""]);
			expect(result.stderr).toMatch(/^Error: .*\[\w+\]\n$/);
		}
		expect(contentsOf(repo)).toEqual(before);
		expectSuccess(await repo.run(commands[1] ?? []));
	});

	it("a spoiled verification is not retried, results are only prepared, and both are possible again afterwards", async () => {
		const { repo } = await closedBy("procedural_tooling_failed");
		const words = retryWords(await askedRetry(repo));
		const before = contentsOf(repo);
		const sealedRetry = await runSealed(repo, retryCommand(words), words.incident);
		expect(sealedRetry.code).toBe(1);
		expect(sealedRetry.json<Failure>().mutation_outcome).toBe("not_started");
		expect(contentsOf(repo)).toEqual(before);
		expectSuccess(await repo.run(retryCommand(words), { stdin: words.incident }));
		const other = new TestRepo();
		other.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(other);
		await captureAll(other);
		await finalized(other, lineage_id, "--captured-results");
		const { authority, target_identity } = await status(other);
		const reopen = [
			...["review", "reopen-results", "--lineage", lineage_id, "--expected-revision", authority?.revision ?? ""],
			...["--target", target_identity, "--actor", "A", "--reason", "r", "--quarantine-lens", "review-reliability"],
		];
		await expectSameBytes(other, [...reopen, "--prepare"]);
		const prepared = (await other.run([...reopen, "--prepare"])).json<{
			plan: { required_maintainer_authorization: string };
		}>();
		const apply = [...reopen, "--maintainer-authorization", prepared.plan.required_maintainer_authorization];
		const refused = await runSealed(other, apply);
		expect([refused.code, refused.stdout]).toEqual([1, ""]);
		expectSuccess(await other.run(apply));
	});
});
