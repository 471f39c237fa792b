// Closed and ended reviews leave the store one by one, whole and never by accident: what somebody may still ask for stays.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { approve, approveLow, expectSuccess, failureOf, gate, startPrinted, startWords, status } from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";
import { askedRetry, closedBy, retryCommand, retryWords, verifyAgain } from "../kit/spoiled.ts";
import { damageRecord, queryStore, receiptPath } from "../kit/store.ts";
import { contentsOf } from "../kit/tree.ts";

type Told = {
	readonly schema: string;
	readonly applied: boolean;
	readonly reviews: readonly {
		readonly lineage_id: string;
		readonly decision: string;
		readonly reason?: string;
		readonly quarantine?: string;
	}[];
};

function prune(repo: TestRepo, ids: readonly string[], ...flags: string[]): Promise<RunResult> {
	return repo.run(["review", "prune", "--json", ...ids.flatMap((id) => ["--lineage", id]), ...flags]);
}

async function asked(repo: TestRepo, ids: readonly string[], code: number, ...flags: string[]): Promise<Told> {
	const before = contentsOf(repo);
	const result = await prune(repo, ids, ...flags);
	expect(result.stderr).toBe("");
	expect(result.code).toBe(code);
	if (!result.json<Told>().applied) expect(contentsOf(repo)).toEqual(before);
	return result.json<Told>();
}

/** An approved review of a candidate that was delivered, with another change on top. */
async function delivered(): Promise<{ repo: TestRepo; lineage: string }> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	const lineage = await approve(repo);
	repo.commit("the candidate");
	repo.write("guide.md", "# guide\n\nNext.\n");
	repo.commit("another one");
	return { repo, lineage };
}

const decisions = (told: Told) =>
	told.reviews.map(({ lineage_id, decision, reason }) => [lineage_id, decision, reason]);

describe("pruning", () => {
	it("says what could be moved and changes nothing unless it is told to", async () => {
		const { repo, lineage } = await delivered();
		for (const told of [await asked(repo, [], 0), await asked(repo, [lineage], 0)]) {
			expect(told).toMatchObject({ schema: "gentle-ai.review-prune/v1", applied: false });
			expect(decisions(told)).toEqual([[lineage, "prune", undefined]]);
		}
		const text = await repo.run(["review", "prune"]);
		expectSuccess(text);
		expect(text.stdout).toContain(lineage);
		expect(text.stdout).toContain("--apply");
	});

	it("moves a closed review whole into one file, takes its copies along, and does so once", async () => {
		const { repo, lineage } = await delivered();
		const receipt = readFileSync(receiptPath(repo, lineage), "utf8");
		const [row] = queryStore(repo, "SELECT * FROM lineages");
		const told = await asked(repo, [lineage], 0, "--apply");
		expect(told.applied).toBe(true);
		expect(decisions(told)).toEqual([[lineage, "pruned", undefined]]);
		const file = repo.path(".git", told.reviews[0]?.quarantine ?? "");
		const kept = JSON.parse(readFileSync(file, "utf8")) as { tables: Record<string, Record<string, unknown>[]> };
		expect(kept).toMatchObject({ schema: "gentle-ai.review-quarantine/v1", lineage_id: lineage });
		expect(kept.tables.lineages).toEqual([row]);
		expect(kept.tables.lineages?.[0]?.receipt_bytes).toBe(receipt);
		expect([kept.tables.results?.length, kept.tables.evidence?.length]).toEqual([1, 1]);
		for (const table of ["lineages", "results", "evidence", "attempts", "transitions"]) {
			expect(queryStore(repo, `SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 0 }]);
		}
		expect(existsSync(receiptPath(repo, lineage))).toBe(false);
		expect(repo.git("count-objects", "-v")).not.toContain("garbage: 1");
		const after = contentsOf(repo);
		expect(decisions(await asked(repo, [lineage], 0, "--apply"))).toEqual([[lineage, "pruned", undefined]]);
		expect(contentsOf(repo)).toEqual(after);
		expect(decisions(await asked(repo, [], 0))).toEqual([]);
		// Its name stays taken.
		repo.write("app.ts", "export const n = 9;\n");
		const { target_identity } = await status(repo);
		expect(failureOf(await repo.run(startWords(target_identity, "--lineage", lineage))).code).toBe("invalid_request");
	});

	it("moves a review that was ended, and `end` still knows it", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		const revision = (await status(repo)).authority?.revision ?? "";
		const end = ["review", "end", "--lineage", lineage_id, "--expected-revision", revision, "--reason", "no use"];
		expect(decisions(await asked(repo, [lineage_id], 1, "--apply"))).toEqual([[lineage_id, "keep", "open"]]);
		expectSuccess(await repo.run(end));
		expect((await asked(repo, [lineage_id], 0, "--apply")).applied).toBe(true);
		expectSuccess(await repo.run(end));
		expect(queryStore(repo, "SELECT reason, state_json FROM endings")).toEqual([{ reason: "no use", state_json: "" }]);
	});

	it("keeps what the work tree, the index or HEAD holds, and then moves nothing of what was named", async () => {
		const { repo, lineage } = await delivered();
		repo.write("guide.md", "# guide\n\nA third.\n");
		const live = await approveLow(repo);
		expect(decisions(await asked(repo, [lineage, live], 1, "--apply"))).toEqual([
			[lineage, "prune", undefined],
			[live, "keep", "live"],
		]);
		repo.stage();
		repo.write("guide.md", "# guide\n\nA fourth.\n");
		expect(decisions(await asked(repo, [live], 1, "--apply"))).toEqual([[live, "keep", "live"]]);
		repo.git("commit", "--quiet", "--no-verify", "--message", "the third");
		expect(decisions(await asked(repo, [live], 1, "--apply"))).toEqual([[live, "keep", "live"]]);
		repo.commit("the fourth");
		expect((await asked(repo, [live, lineage], 0, "--apply")).applied).toBe(true);
	});

	it("moves a chain of reviews whole or not at all, and a used retry stays used", async () => {
		const { repo, lineage } = await closedBy("procedural_tooling_failed");
		const words = retryWords(await askedRetry(repo));
		expectSuccess(await repo.run(retryCommand(words), { stdin: words.incident }));
		await verifyAgain(repo, "second-try", "passed");
		const away = () => repo.write("app.ts", "export const n = 3;\n");
		away();
		for (const id of [lineage, "second-try"]) {
			expect(decisions(await asked(repo, [id], 1, "--apply"))).toEqual([[id, "keep", "chain"]]);
		}
		expect((await asked(repo, [lineage, "second-try"], 0, "--apply")).applied).toBe(true);
		expect(queryStore(repo, "SELECT disposition FROM endings WHERE lineage_id = 'second-try'")).toEqual([
			{ disposition: "final_verification_retry" },
		]);
	});

	it("is refused for unknown and damaged ones with exit 1, for what is no id and for --apply alone with exit 2", async () => {
		const { repo, lineage } = await delivered();
		expect(decisions(await asked(repo, ["review-nobody", lineage], 1, "--apply"))).toEqual([
			["review-nobody", "keep", "unknown"],
			[lineage, "prune", undefined],
		]);
		damageRecord(repo, lineage);
		expect(decisions(await asked(repo, [lineage], 1, "--apply"))).toEqual([[lineage, "keep", "damaged"]]);
		expect(decisions(await asked(repo, [], 0))).toEqual([[lineage, "keep", "damaged"]]);
		for (const flags of [["--apply"], ["--lineage", "../x"], ["--force"]]) {
			expect((await repo.run(["review", "prune", ...flags])).code).toBe(2);
		}
		expect((await repo.run(["review", "end", "--lineage", lineage, "--damaged", "--reason", "broken"])).code).toBe(0);
		expect((await asked(repo, [lineage], 0, "--apply")).applied).toBe(true);
	});

	it("works while reviews are off, without a store, and by two at the same time", async () => {
		const empty = new TestRepo();
		expect((await asked(empty, [], 0)).reviews).toEqual([]);
		expect(decisions(await asked(empty, ["review-nobody"], 1, "--apply"))).toEqual([
			["review-nobody", "keep", "unknown"],
		]);
		const { repo, lineage } = await delivered();
		await repo.run(["review", "mode", "disable", "--scope", "clone"]);
		const both = await Promise.all([prune(repo, [lineage], "--apply"), prune(repo, [lineage], "--apply")]);
		expect(both.some(({ code }) => code === 0)).toBe(true);
		for (const { code, stderr } of both) {
			if (code !== 0) expect(stderr).toMatch(/\[authority_(lock_timeout|revision_conflict)\]/);
		}
		expect(queryStore(repo, "SELECT count(*) AS n FROM endings")).toEqual([{ n: 1 }]);
		expect((await gate(repo)).code).toBe(0);
	});
});
