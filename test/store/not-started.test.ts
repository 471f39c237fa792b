// Field report FR-48: "not started" is a measurement. In every state of a review, everything that is refused there
// leaves repository, index, refs, store and home as they were, byte for byte.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import type { Failure } from "../kit/documents.ts";
import {
	captureAll,
	drive,
	finalized,
	firstInput,
	inputsOf,
	startPrinted,
	startWords,
	status,
	tokensOf,
	V2,
} from "../kit/drive.ts";
import { refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";

type Call = readonly [words: readonly string[], stdin?: string];

const NOBODY = `sha256:${"0".repeat(64)}`;

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

/** Refused: whatever has an envelope says so, and nothing moved, which `refused` proves. */
async function expectNothingMoved(repo: TestRepo, calls: readonly Call[]): Promise<void> {
	const truth = await status(repo);
	for (const [words, stdin] of calls) {
		const result = await refused(repo, words, stdin);
		expect(result.stderr, words.join(" ")).toMatch(/^Error: .*\[\w+\]\n$/s);
		if (result.stdout === "") continue;
		const failure = result.json<Failure>();
		expect(failure.mutation_outcome, words.join(" ")).toBe("not_started");
		expect(result.stderr).toContain(`[${failure.code}]`);
	}
	expect(await status(repo)).toEqual(truth);
}

function replaced(words: readonly string[], flag: string, value: string): string[] {
	return words.map((word) => (word.startsWith(`--${flag}=`) ? `--${flag}=${value}` : word));
}

const finalize = (...flags: string[]): Call => [["review", "finalize", "--contract", V2, ...flags]];

const ALWAYS: readonly Call[] = [
	[startWords(NOBODY)],
	[startWords(NOBODY, "--consent", "maybe")],
	[startWords("sha256:12")],
	[["review", "start", "--contract", V2]],
	[["review", "start", "--contract", "x", "--target", NOBODY]],
	[["review", "start", "--contract", V2, "--target", NOBODY, "--base-ref", "nowhere", "--committed-only"]],
	[["review", "finalize", "--contract="]],
	finalize("--lineage", "nobody"),
	finalize("--lineage", "../nobody"),
	[["review", "validate", "--contract", V2, "--gate", "noon"]],
	[["review", "status", "--contract", V2, "--nonsense"]],
];

describe.concurrent("what is refused leaves nothing (FR-48)", () => {
	it("before there is any review, not even a store", async () => {
		const repo = medium();
		await expectNothingMoved(repo, [
			...ALWAYS,
			finalize("--captured-results"),
			[["review", "validate", "--contract", V2, "--gate", "pre-commit"]],
			[["review", "validate", "--contract", V2, "--gate", "post-apply"]],
			[
				[
					"review",
					"capture-result",
					"--lineage",
					"nobody",
					"--target",
					NOBODY,
					"--lens",
					"review-risk",
					"--order",
					"0",
				],
			],
		]);
	});

	it("while results are missing", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		const slot = firstInput(await status(repo));
		const words = ["review", "capture-result", ...tokensOf(slot), "--input=-"];
		const good = answerTo(slot);
		await expectNothingMoved(repo, [
			...ALWAYS,
			[words, ""],
			[words, "{}"],
			[words, good.slice(0, -1)],
			[words, "x".repeat(5_000_000)],
			[replaced(words, "expected-revision", NOBODY), good],
			[replaced(words, "target", NOBODY), good],
			[replaced(words, "lens", "review-risk"), good],
			[replaced(words, "order", "7"), good],
			[replaced(words, "input", "absent.json"), good],
			[replaced(words, "input", "."), good],
			finalize("--lineage", lineage_id),
			finalize("--lineage", lineage_id, "--captured-results"),
			finalize("--lineage", lineage_id, "--captured-evidence"),
			finalize("--lineage", lineage_id, "--correction-lines", "3"),
			[["review", "validate", "--contract", V2, "--gate", "post-apply", "--lineage", lineage_id]],
		]);
	});

	it("while evidence is missing", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo);
		await finalized(repo, lineage_id, "--captured-results");
		const [slot] = inputsOf(await status(repo));
		const words = ["review", "capture-evidence", ...(slot === undefined ? [] : tokensOf(slot)), "--input=-"];
		const passed = [...words, "--outcome=passed"];
		await expectNothingMoved(repo, [
			...ALWAYS,
			[passed, ""],
			[words, "42 tests passed\n"],
			[[...words, "--outcome=perhaps"], "42 tests passed\n"],
			[replaced(passed, "expected-revision", NOBODY), "42 tests passed\n"],
			[replaced(passed, "target", NOBODY), "42 tests passed\n"],
			finalize("--lineage", lineage_id, "--captured-results"),
			finalize("--lineage", lineage_id, "--captured-evidence"),
			finalize("--lineage", lineage_id, "--captured-evidence", "--failed"),
		]);
	});

	it("after approval", async () => {
		const repo = medium();
		await drive(repo);
		const { authority } = await status(repo);
		const lineage = authority?.lineage_id ?? "";
		await expectNothingMoved(repo, [
			...ALWAYS,
			finalize("--lineage", lineage, "--captured-results"),
			finalize("--lineage", lineage, "--captured-evidence"),
			finalize("--lineage", lineage, "--failed"),
			finalize("--lineage", lineage, "--correction-lines", "3"),
			// Nothing is staged, so what is approved is not what would be committed.
			[["review", "validate", "--contract", V2, "--gate", "pre-commit"]],
		]);
	});

	it("when the candidate changed in the meantime", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		repo.write("app.ts", "export const n = 3;\n");
		await expectNothingMoved(repo, [
			[startWords(target_identity)],
			[startWords(target_identity, "--consent", "granted")],
		]);
	});
});
