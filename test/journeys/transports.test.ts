// Two transports of one slot: contract v1 binds a reviewer to the candidate's patch, contract v2 to its two trees. A result
// of either fills the slot, and each is admitted again, under its own subject, on every read.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerTo, blocker, reviewerAnswer } from "../kit/answers.ts";
import type { Input, Start, Subject } from "../kit/documents.ts";
import {
	captureAll,
	captureResult,
	drive,
	expectSuccess,
	finalize,
	firstInput,
	inputsOf,
	startPrinted,
	startWords,
	status,
	tokensOf,
	transitionOf,
	V1,
	V2,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { CheckedRepo } from "../kit/schemas.ts";
import { alterStore } from "../kit/store.ts";

const UNDER_V1 = ["--contract", V1];

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

function high(): TestRepo {
	const repo = new TestRepo();
	repo.write("scripts/deploy.sh", "echo deploy\n");
	return repo;
}

/** The copies of captured results beside the store. */
function kept(repo: TestRepo, lineage: string): { schema: string; subject: Subject & { schema: string } }[] {
	const folder = repo.path(".git", "gentle-ai", "results", lineage);
	return readdirSync(folder)
		.sort()
		.map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")));
}

function subjectOf(input: Input): Subject {
	if (input.artifact_subject === undefined) throw new Error("no subject");
	return input.artifact_subject;
}

const manifestOf = (input: Input) => input.changed_path_manifest ?? [];

describe("a slot of contract v1", () => {
	it("names no subject hash in its arguments; the answer's own hash selects the transport", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo, UNDER_V1);
		const slot = firstInput(await status(repo, UNDER_V1));
		expect(slot.arguments.map(({ name }) => name)).toEqual([
			"lineage",
			"expected-revision",
			"target",
			"repository-context",
			"lens",
			"order",
		]);
		const captured = await captureResult(repo, slot, answerTo(slot));
		expectSuccess(captured);
		expect(captured.json<{ subject_hash: string }>().subject_hash).toBe(subjectOf(slot).subject_hash);
		expect(kept(repo, lineage_id)).toMatchObject([
			{ schema: "gentle-ai.review-admitted-result/v1", subject: subjectOf(slot) },
		]);
		const closed = await finalize(repo, lineage_id, "--captured-results", "--next-transition", ...UNDER_V1);
		expectSuccess(closed);
		expect((await drive(repo, { flags: UNDER_V1 })).last.authority?.state).toBe("approved");
	});

	it("takes the same answer again, and no other one", async () => {
		const repo = medium();
		await startPrinted(repo, UNDER_V1);
		const slot = firstInput(await status(repo, UNDER_V1));
		const first = await captureResult(repo, slot, answerTo(slot));
		expect((await captureResult(repo, slot, answerTo(slot))).stdout).toBe(first.stdout);
		const refused = await captureResult(repo, slot, answerTo(slot, [blocker("app.ts:1")]));
		expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("reviewer_result_slot_occupied")]);
	});

	it("is preflighted under the transport of the given hash", async () => {
		const repo = medium();
		await startPrinted(repo, UNDER_V1);
		const [first, second] = await Promise.all([status(repo, UNDER_V1), status(repo)]);
		for (const slot of [firstInput(first), firstInput(second)]) {
			const words = tokensOf(slot).filter((token) => !token.startsWith("--subject-hash"));
			const hash = `--subject-hash=${subjectOf(slot).subject_hash}`;
			const checked = await repo.run(["review", "capture-result", ...words, hash, "--preflight"]);
			expectSuccess(checked);
			expect(checked.json()).toMatchObject({
				artifact_subject: subjectOf(slot),
				base_tree: subjectOf(firstInput(second)).base_tree,
				candidate_tree: subjectOf(firstInput(second)).candidate_tree,
			});
		}
	});
});

describe("a dry run of a capture", () => {
	it("judges the answer under the transport that it names, and keeps nothing", async () => {
		const repo = new CheckedRepo();
		repo.write("app.ts", "export const n = 2;\n");
		await startPrinted(repo);
		for (const slot of [firstInput(await status(repo, UNDER_V1)), firstInput(await status(repo))]) {
			const words = ["review", "capture-result", ...tokensOf(slot), "--preflight", "--input=-"];
			const accepted = await repo.run(words, { stdin: answerTo(slot) });
			expectSuccess(accepted);
			expect(accepted.json()).toEqual({
				schema: "gentle-ai.review-capture-result-dry-run/v1",
				operation: "review/capture-result",
				validation: "accepted",
				lineage_id: subjectOf(slot).lineage_id,
				lens: subjectOf(slot).lens,
				selected_order: 0,
				subject_hash: subjectOf(slot).subject_hash,
				admission_decision: "completed",
			});
			const refused = await repo.run(words, { stdin: answerTo(slot, [blocker("elsewhere.ts:1")]) });
			expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, "", expect.stringContaining("out_of_scope")]);
		}
		expect(transitionOf(await status(repo)).reason_code).toBe("reviewer_results_required");
		expect(repo.problems).toEqual([]);
	});
});

describe("one review under both contracts", () => {
	it("closes with results of both transports side by side", async () => {
		const repo = high();
		const { lineage_id } = await startPrinted(repo);
		const first = inputsOf(await status(repo, UNDER_V1));
		const second = inputsOf(await status(repo));
		for (const [order, slot] of first.entries()) {
			const chosen = order % 2 === 0 ? slot : second[order];
			if (chosen === undefined) throw new Error("the contracts print different slots");
			expectSuccess(await captureResult(repo, chosen, answerTo(chosen)));
		}
		expect(kept(repo, lineage_id).map(({ schema }) => schema)).toEqual([
			"gentle-ai.review-admitted-result/v1",
			"gentle-ai.review-admitted-result/v2",
			"gentle-ai.review-admitted-result/v1",
			"gentle-ai.review-admitted-result/v2",
		]);
		for (const flags of [[], UNDER_V1]) {
			const ready = transitionOf(await status(repo, flags));
			expect(ready.reason_code).toBe("captured_results_ready");
			expect(ready.execute).toMatchObject({
				artifacts: first.map((slot, order) => ({
					subject_hash: subjectOf(order % 2 === 0 ? slot : (second[order] ?? slot)).subject_hash,
				})),
			});
		}
		expect((await drive(repo)).last.authority?.state).toBe("approved");
	});

	it("refuses an answer under a transport that the caller did not select, and one that is about neither", async () => {
		const repo = medium();
		await startPrinted(repo);
		const [one, two] = [firstInput(await status(repo, UNDER_V1)), firstInput(await status(repo))];
		const wrong = [
			[[...tokensOf(one), `--subject-hash=${subjectOf(one).subject_hash}`], answerTo(two)],
			[tokensOf(two), answerTo(one)],
			[tokensOf(one), reviewerAnswer({ subject_hash: `sha256:${"0".repeat(64)}` }, manifestOf(one))],
		] as const;
		for (const [words, stdin] of wrong) {
			const refused = await repo.run(["review", "capture-result", ...words, "--input=-"], { stdin });
			expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("subject_hash_mismatch")]);
		}
		const foreign = await repo.run(
			["review", "capture-result", ...tokensOf(one), `--subject-hash=sha256:${"0".repeat(64)}`, "--input=-"],
			{ stdin: answerTo(one) },
		);
		expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining("--subject-hash")]);
		expect(transitionOf(await status(repo)).reason_code).toBe("reviewer_results_required");
	});

	it("trusts no stored result of either transport: a changed subject no longer verifies", async () => {
		for (const flags of [UNDER_V1, []]) {
			const repo = medium();
			await startPrinted(repo, flags);
			const slot = firstInput(await status(repo, flags));
			expectSuccess(await captureResult(repo, slot, answerTo(slot)));
			expect(transitionOf(await status(repo)).reason_code).toBe("captured_results_ready");
			const hash = subjectOf(slot).subject_hash;
			alterStore(repo, `UPDATE results SET envelope = replace(envelope, '${hash}', 'sha256:${"0".repeat(64)}')`);
			expect(transitionOf(await status(repo)).reason_code).toBe("captured_artifacts_unverifiable");
		}
	});

	it("shows contract v1 the frozen patch, not the corrected one, when START is repeated during a correction", async () => {
		const repo = new TestRepo();
		const rest = "export const m = 1;\nexport const k = 1;\n";
		repo.write("app.ts", `export const n = 2;\n${rest}`);
		const created = await startPrinted(repo, UNDER_V1);
		await captureAll(repo, () => [blocker("app.ts:1")]);
		expectSuccess(await finalize(repo, created.lineage_id, "--captured-results"));
		expectSuccess(await finalize(repo, created.lineage_id, "--correction-lines", "2"));
		repo.write("app.ts", `export const n = 3;\n${rest}`);
		const { target_identity } = await status(repo);
		const words = startWords(target_identity).map((word) => (word === V2 ? V1 : word));
		const again = (await repo.run(words)).json<Start>();
		expect(again).toMatchObject({ action: "resumed", lineage_id: created.lineage_id, artifact_subjects: [] });
		expect(again.candidate_diff).toEqual(created.candidate_diff);
	});
});
