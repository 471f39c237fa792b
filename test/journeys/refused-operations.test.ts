// Operations that are refused for what they ask: START, captures and gates, column by column, and nothing changed.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import type { Start } from "../kit/documents.ts";
import {
	approve,
	captureAll,
	captureResult,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	gate,
	startPrinted,
	startWords,
	status,
	tokensOf,
} from "../kit/drive.ts";
import { expectColumns, expectTeaching, refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";
import { listing } from "../kit/tree.ts";

const NOBODY = `sha256:${"0".repeat(64)}`;

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

describe("START", () => {
	it("refuses a target that is not there any more, and leaves no store behind", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		repo.write("app.ts", "export const n = 3;\n");
		const failure = failureOf(await refused(repo, startWords(target_identity)));
		expectColumns(failure, "stale_target_identity");
		expectTeaching(failure, "--target", target_identity.slice(0, 40));
		expect(Object.keys(listing(repo.path(".git", "gentle-ai")))).toEqual([]);
	});

	it("refuses a candidate that equals its base, naming the input that helps", async () => {
		const repo = new TestRepo();
		const { target_identity } = await status(repo);
		expectColumns(failureOf(await refused(repo, startWords(target_identity))), "empty_candidate_scope");
	});

	it("refuses a folder that is no work tree, and one that is not there", async () => {
		const repo = medium();
		const cwd = (folder: string) => startWords(NOBODY, "--cwd", folder);
		expectColumns(failureOf(await refused(repo, cwd(repo.home))), "git_command_failed");
		expectColumns(failureOf(await refused(repo, cwd(repo.path("absent")))), "invalid_request");
		expectColumns(failureOf(await refused(repo, cwd(repo.path(".git")))), "git_command_failed");
	});

	it("answers with the review that holds the asked name, when that is of other bytes", async () => {
		const repo = medium();
		await startPrinted(repo);
		const { target_identity, authority } = await status(repo);
		repo.write("app.ts", "export const n = 3;\n");
		const other = (await status(repo)).target_identity;
		expect(other).not.toBe(target_identity);
		const result = await repo.run(startWords(other, "--lineage", authority?.lineage_id ?? ""));
		expect(result.json<Start>()).toMatchObject({ action: "blocked-scope-action", artifact_subjects: [] });
	});
});

describe("a capture", () => {
	it("refuses each part of its binding that is not the printed one, and keeps the slot open", async () => {
		const repo = medium();
		await startPrinted(repo);
		const before = await status(repo);
		const slot = firstInput(before);
		const changed = (name: string, value: string) =>
			tokensOf(slot).map((token) => (token.startsWith(`--${name}=`) ? `--${name}=${value}` : token));
		const without = (words: readonly string[]) => words.filter((word) => !word.startsWith("--repository-context="));
		for (const [name, value, words] of [
			["expected-revision", NOBODY, without(changed("expected-revision", NOBODY))],
			["target", NOBODY, without(changed("target", NOBODY))],
			["lens", "review-risk", changed("lens", "review-risk")],
			["order", "1", changed("order", "1")],
			["subject-hash", NOBODY, changed("subject-hash", NOBODY)],
			["lineage", "review-nobody", without(changed("lineage", "review-nobody"))],
			["repository-context", "target", changed("target", NOBODY)],
			["repository-context", "unknown", changed("repository-context", `rctx1_${"0".repeat(64)}`)],
		] as const) {
			const result = await refused(repo, ["review", "capture-result", ...words, "--input=-"], answerTo(slot));
			expect(result.stdout).toBe("");
			expect(result.stderr, `${name}=${value}`).toMatch(/^Error: .*\[[a-z_]+\]\n$/);
		}
		expect(await status(repo)).toEqual(before);
	});

	it("refuses an answer about another subject, about nothing, and about a foreign line", async () => {
		const repo = medium();
		await startPrinted(repo);
		const slot = firstInput(await status(repo));
		const good = answerTo(slot);
		const foreign = good.replace(
			'"findings":[]',
			'"findings":[{"location":"guide.md:1","severity":"WARNING","claim":"c","proof_refs":["p"]}]',
		);
		for (const answer of [
			good.replace(/sha256:[0-9a-f]{64}/, NOBODY),
			"",
			"I found nothing.",
			`${good}${good}`,
			good.slice(0, -1),
			foreign,
		]) {
			const result = await refused(repo, ["review", "capture-result", ...tokensOf(slot), "--input=-"], answer);
			expect(result.stderr).toContain("[invalid_request]");
		}
		expectSuccess(await captureResult(repo, slot, `Here it is:\n${good}\nThat is all.`));
	});

	it("is refused once its results are finalized, and once its review is ended", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		const slot = firstInput(await status(repo));
		await captureAll(repo);
		await finalized(repo, lineage_id, "--captured-results");
		const words = ["review", "capture-result", ...tokensOf(slot), "--input=-"];
		await refused(repo, words, answerTo(slot));
		const revision = (await status(repo)).authority?.revision ?? "";
		const end = ["review", "end", "--lineage", lineage_id, "--reason", "done with it"];
		expectSuccess(await repo.run([...end, "--expected-revision", revision]));
		await refused(repo, words, answerTo(slot));
		expectColumns(failureOf(await finalize(repo, lineage_id, "--captured-results")), "invalid_request");
		expectColumns(failureOf(await gate(repo, "pre-commit", ["--lineage", lineage_id])), "invalid_request");
		expect((await status(repo)).applicability).toBe("unrelated");
	});
});

describe("a gate", () => {
	it("is refused in the columns of its case", async () => {
		const repo = medium();
		expectColumns(failureOf(await gate(repo)), "receipt_missing");
		const lineage = await approve(repo);
		expectColumns(failureOf(await gate(repo, "pre-commit", ["--lineage", lineage])), "gate_scope_changed");
		repo.write("app.ts", "export const n = 3;\n");
		repo.stage();
		expectColumns(failureOf(await gate(repo)), "receipt_scope_changed");
		repo.git("commit", "--quiet", "--no-verify", "--message", "unreviewed");
		repo.write("guide.md", "# other\n");
		repo.stage();
		expectColumns(failureOf(await gate(repo)), "receipt_unrelated");
	});
});
