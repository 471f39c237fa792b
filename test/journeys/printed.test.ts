// What STATUS prints can be run as it stands, from a shell; and asking changes nothing, anywhere.
import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerTo, blocker } from "../kit/answers.ts";
import type { GateResult } from "../kit/documents.ts";
import {
	approve,
	captureAll,
	captureEvidence,
	captureResult,
	drive,
	executionOf,
	expectSuccess,
	finalized,
	firstInput,
	gate,
	runExecute,
	startPrinted,
	status,
	statusWords,
	tokensOf,
	transitionOf,
	V2,
} from "../kit/drive.ts";
import { TestRepo, temporaryFolder } from "../kit/repo.ts";
import { worldOf } from "../kit/tree.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

function low(): TestRepo {
	const repo = new TestRepo();
	appendFileSync(repo.path("guide.md"), "One more sentence.\n");
	return repo;
}

/** The words that a shell hands to the program, by a program that prints its words. */
async function shellWords(repo: TestRepo, command: string): Promise<string[]> {
	const result = await repo.runPrinted(command.replace(/^gentle-ai /, "printf '%s\\n' "));
	return result.stdout.trimEnd().split("\n");
}

describe("a printed command", () => {
	it.each([
		["low", low],
		["medium", medium],
	] as const)("runs as printed and exits 0 through the whole life of a %s-risk candidate", async (_, make) => {
		const repo = make();
		const { last } = await drive(repo);
		expect(transitionOf(last).reason_code).toBe("approved_receipt_ready");
		repo.stage();
		expect(await runExecute<GateResult>(repo, last)).toMatchObject({ allowed: true });
	});

	it("means to a shell exactly its tokens", async () => {
		const repo = medium();
		const { command, arguments: args } = executionOf(await status(repo));
		const words = args.map(({ token }) => token);
		expect(await shellWords(repo, command)).toEqual(["review", "start", ...words]);
		for (const { name, value, token } of args) expect(token).toBe(`--${name.replaceAll("_", "-")}=${value}`);
	});

	it.each([
		["a committed range", ["--base-ref", "HEAD~1"]],
		["an overlay of a commit", ["--base-ref", "HEAD~1", "--workspace-overlay"]],
		["the index", ["--projection", "staged"]],
	] as const)("opens the review of %s, which the same STATUS then finds", async (_, flags) => {
		const repo = medium();
		repo.commit("second");
		repo.write("app.ts", "export const n = 3;\n");
		repo.stage();
		const { lineage_id } = await startPrinted(repo, flags);
		const found = await status(repo, flags);
		expect(found.authority).toMatchObject({ lineage_id, state: "reviewing" });
		expect(await status(repo, [...flags, "--lineage", lineage_id])).toEqual(found);
	});

	it("works from a subfolder of the work tree", async () => {
		const repo = medium();
		repo.write("sub/dir/keep.ts", "export const k = 1;\n");
		const cwd = repo.path("sub/dir");
		const fresh = await status(repo, [], { cwd });
		expect(fresh).toEqual(await status(repo));
		expectSuccess(await repo.runPrinted(executionOf(fresh).command, { cwd }));
	});

	it("publishes a receipt that is not there yet", async () => {
		const repo = low();
		const lineage = await approve(repo);
		repo.remove(`.git/gentle-ai/receipts/${lineage}.json`);
		const pending = await status(repo);
		expect(pending).toMatchObject({
			receipt: { status: "publication_pending" },
			action: "finalize",
			replayability: "exact_replay_safe",
			next_transition: { reason_code: "exact_receipt_replay" },
		});
		await runExecute(repo, pending);
		expect((await status(repo)).receipt.status).toBe("present");
	});
});

describe("a printed slot", () => {
	it("captures from an unrelated folder through its opaque context", async () => {
		const repo = medium();
		await startPrinted(repo);
		const slot = firstInput(await status(repo));
		const cwd = temporaryFolder();
		const captured = await captureResult(repo, slot, answerTo(slot), { cwd });
		expectSuccess(captured);
		expect(captured.json()).toMatchObject({ reference: expect.stringMatching(/^rart1_[0-9a-f]{64}$/) });
		expect(captured.stdout).not.toContain(repo.folder);
		const ready = await status(repo);
		expect(transitionOf(ready).reason_code).toBe("captured_results_ready");
		await runExecute(repo, ready);
		const evidence = firstInput(await status(repo));
		expectSuccess(await captureEvidence(repo, evidence, "passed"));
	});

	it("can be checked beforehand without an answer", async () => {
		const repo = medium();
		await startPrinted(repo);
		const slot = firstInput(await status(repo));
		const checked = await repo.run(["review", "capture-result", ...tokensOf(slot), "--preflight"]);
		expectSuccess(checked);
		expect(checked.json()).toMatchObject({
			schema: "gentle-ai.review-capture-preflight/v1",
			artifact_subject: slot.artifact_subject,
			changed_path_manifest: slot.changed_path_manifest,
		});
	});
});

describe("asking", () => {
	/** STATUS twice and every other question: the same bytes, and not one file, byte or time different. */
	async function expectNothingMoved(repo: TestRepo): Promise<void> {
		const before = worldOf(repo);
		const first = await repo.run(statusWords());
		expectSuccess(first);
		expect((await repo.run(statusWords())).stdout).toBe(first.stdout);
		await repo.run(statusWords("--projection", "staged"));
		await gate(repo);
		await gate(repo, "post-apply");
		expect(worldOf(repo)).toEqual(before);
	}

	it("changes nothing before the first review", async () => {
		const repo = medium();
		repo.write("untracked.ts", "export const u = 1;\n");
		await expectNothingMoved(repo);
	});

	it("changes nothing about capabilities, the mode, or a slot that is only checked", async () => {
		const repo = medium();
		await startPrinted(repo);
		const slot = firstInput(await status(repo));
		const before = worldOf(repo);
		expectSuccess(await repo.run(["review", "capabilities", "--contract", V2]));
		expectSuccess(await repo.run(["review", "mode", "status"]));
		expectSuccess(await repo.run(["review", "capture-result", ...tokensOf(slot), "--preflight"]));
		expect(worldOf(repo)).toEqual(before);
	});

	it("changes nothing while a review collects, waits for evidence, or asks for a correction", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		await expectNothingMoved(repo);
		await captureAll(repo);
		await finalized(repo, lineage_id, "--captured-results");
		await expectNothingMoved(repo);
		const blocked = medium();
		const start = await startPrinted(blocked);
		await captureAll(blocked, () => [blocker("app.ts:1")]);
		await finalized(blocked, start.lineage_id, "--captured-results");
		await expectNothingMoved(blocked);
	});

	it("changes nothing about an approved review, staged or not", async () => {
		const repo = low();
		await approve(repo);
		await expectNothingMoved(repo);
		repo.stage();
		await expectNothingMoved(repo);
	});

	it("changes nothing when the candidate holds bytes that the repository has already", async () => {
		const repo = new TestRepo();
		repo.write("copy.ts", "export const n = 1;\n");
		await expectNothingMoved(repo);
	});
});
