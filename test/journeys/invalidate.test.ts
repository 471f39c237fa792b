// A review that nobody has answered is given up while its candidate is the live one, and a maintainer lets another
// review take the same candidate up.
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import {
	approveLow,
	captureAll,
	drive,
	expectSuccess,
	failureOf,
	finalized,
	gate,
	runExecute,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";
import { damageRecord } from "../kit/store.ts";

const NOBODY = `sha256:${"0".repeat(64)}`;
const ACTOR = "A <a@example.org>";
const REASON = "the wrong focus was asked for";

type Started = { readonly repo: TestRepo; readonly lineage: string; readonly words: readonly string[] };

async function started(): Promise<Started> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	const { lineage_id } = await startPrinted(repo);
	return { repo, lineage: lineage_id, words: await wordsOf(repo, lineage_id) };
}

async function wordsOf(repo: TestRepo, lineage: string): Promise<string[]> {
	const revision = (await status(repo)).authority?.revision ?? "";
	return ["review", "invalidate", "--lineage", lineage, "--expected-revision", revision, "--reason", REASON];
}

/** The exact words of the recovery, from what STATUS says. */
async function recovery(repo: TestRepo): Promise<{ answer: string[]; words: string[] }> {
	const { authority, target_identity } = await status(repo);
	const authorization = [
		"gentle-ai.review-recovery-authorization/v1",
		`predecessor_lineage=${authority?.lineage_id}`,
		`predecessor_revision=${authority?.revision}`,
		`target_identity=${target_identity}`,
		`actor=${ACTOR}`,
		`reason=${REASON}`,
	].join("\n");
	const answer = [
		...["--recovery-successor-lineage", "taken-up", "--recovery-actor", ACTOR],
		...["--recovery-reason", REASON, "--recovery-authorization", authorization],
	];
	const words = [
		...["review", "recover", "--predecessor-lineage", authority?.lineage_id ?? ""],
		...["--expected-predecessor-revision", authority?.revision ?? "", "--successor-lineage", "taken-up"],
		...["--disposition", "invalidated", "--actor", ACTOR, "--reason", REASON],
		...["--maintainer-authorization", authorization],
	];
	return { answer, words };
}

function told(result: RunResult): Record<string, string> {
	expectSuccess(result);
	return result.json<Record<string, string>>();
}

describe("invalidating a review", () => {
	it("ends it without a receipt, and the same call again answers the same", async () => {
		const { repo, lineage, words } = await started();
		const first = await repo.run(words);
		const after = await status(repo);
		expect(told(first)).toEqual({
			operation: "review/invalidate",
			lineage_id: lineage,
			state: "invalidated",
			store_revision: after.authority?.revision,
		});
		expect(after).toMatchObject({
			applicability: "current_target",
			action: "recover",
			action_disposition: "invalidated",
			replayability: "manual_action_required",
			receipt: { status: "expected_missing" },
			authority: { lineage_id: lineage, state: "invalidated" },
		});
		expect(transitionOf(after).reason_code).toBe("recovery_authorization_required");
		const again = await repo.run(words);
		expect(again.stdout).toBe(first.stdout);
		expect(await status(repo)).toEqual(after);
		repo.stage();
		expect(failureOf(await gate(repo)).code).toBe("receipt_missing");
	});

	it("lets a successor take the same candidate up, through what STATUS prints or the exact words", async () => {
		const { repo, words } = await started();
		expectSuccess(await repo.run(words));
		const { answer, words: recover } = await recovery(repo);
		const almost = recover.map((word) => (word.startsWith("gentle-ai.") ? `${word} ` : word));
		await refused(repo, almost);
		const ready = await status(repo, answer);
		expect(transitionOf(ready)).toMatchObject({ kind: "execute", reason_code: "recovery_authorized" });
		const opened = await runExecute<Record<string, unknown>>(repo, ready);
		expect(opened).toMatchObject({
			lineage_id: "taken-up",
			state: "reviewing",
			recovery: { disposition: "invalidated" },
		});
		expect(told(await repo.run(recover))).toEqual(opened);
		expect((await status(repo)).authority).toMatchObject({ lineage_id: "taken-up", generation: 2 });
		await drive(repo);
		repo.stage();
		expectSuccess(await gate(repo));
	});

	it("is refused once a reviewer has answered, and in every later state", async () => {
		const { repo, lineage } = await started();
		await captureAll(repo, () => [blocker("app.ts:1")]);
		expect((await refused(repo, await wordsOf(repo, lineage))).stderr).toContain("holds reviewer results");
		await finalized(repo, lineage, "--captured-results");
		await refused(repo, await wordsOf(repo, lineage));
		const low = new TestRepo();
		low.write("guide.md", "# other\n");
		const approved = await approveLow(low);
		expect((await refused(low, await wordsOf(low, approved))).stderr).toContain("in state approved");
	});

	it("is refused when the candidate has changed, and possible again when it is back", async () => {
		const { repo, words } = await started();
		repo.write("app.ts", "export const n = 3;\n");
		expect((await refused(repo, words)).stderr).toContain("live candidate");
		repo.write("app.ts", "export const n = 2;\n");
		repo.commit("the candidate");
		expectSuccess(await repo.run(words));
	});

	it("is refused for an unknown id, another revision, an unreadable reason, a damaged record, and while off", async () => {
		const { repo, lineage, words } = await started();
		const other = (flag: string, value: string) => words.map((word, at) => (words[at - 1] === flag ? value : word));
		for (const [argv, why] of [
			[other("--lineage", "review-nobody"), "--lineage"],
			[other("--expected-revision", NOBODY), "[authority_revision_conflict]"],
			[other("--reason", "a\nb"), "--reason"],
			[other("--reason", " "), "--reason"],
		] as const) {
			expect((await refused(repo, argv)).stderr).toContain(why);
		}
		await repo.run(["review", "mode", "disable", "--scope", "clone"]);
		expect((await refused(repo, words)).stderr).toContain("[rdd_disabled]");
		await repo.run(["review", "mode", "enable", "--scope", "clone"]);
		const both = await Promise.all([repo.run(words), repo.run(words)]);
		expect(both.some(({ code }) => code === 0)).toBe(true);
		for (const { code, stderr } of both) if (code !== 0) expect(stderr).toContain("[authority_lock_timeout]");
		expect((await refused(repo, other("--reason", "another"))).stderr).toContain("[authority_revision_conflict]");
		damageRecord(repo, lineage);
		expect((await refused(repo, words)).stderr).toContain("[authority_corrupted]");
	});
});
