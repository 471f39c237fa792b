// Results that reviewers gave about the wrong thing: taken out of their slots with a maintainer's exact word, kept, and
// answered again by the same lenses about the same frozen candidate.
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerTo, blocker } from "../kit/answers.ts";
import {
	captureAll,
	captureResult,
	drive,
	expectSuccess,
	finalize,
	finalized,
	inputsOf,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";
import { digestOf } from "../kit/spoiled.ts";
import { alterStore, damageRecord, queryStore } from "../kit/store.ts";

const NOBODY = `sha256:${"0".repeat(64)}`;

type Plan = {
	readonly lineage_id: string;
	readonly revision: string;
	readonly target_identity: string;
	readonly quarantined: readonly string[];
	readonly retained: readonly string[];
	readonly authorized_lenses?: readonly string[];
	readonly required_maintainer_authorization: string;
};
type Told = { readonly prepared: boolean; readonly plan: Plan; readonly record: Record<string, unknown> };

type Reviewed = { readonly repo: TestRepo; readonly lineage: string; readonly words: readonly string[] };

/** A candidate of the highest tier, whose four lenses have all answered. */
async function reviewed(severe = false, path = "src/auth/session.ts"): Promise<Reviewed> {
	const repo = new TestRepo({ files: { [path]: "export const n = 1;\n" } });
	repo.write(path, "export const n = 2;\n");
	const { lineage_id } = await startPrinted(repo);
	const severeAt = (lens: string | undefined) =>
		severe && lens !== "review-readability" ? [blocker(`${path}:1`)] : [];
	await captureAll(repo, (input) => severeAt(input.artifact_subject?.lens));
	await finalized(repo, lineage_id, "--captured-results");
	return { repo, lineage: lineage_id, words: await wordsOf(repo, lineage_id) };
}

async function wordsOf(repo: TestRepo, lineage: string): Promise<string[]> {
	const { authority, target_identity } = await status(repo);
	const binding = ["--lineage", lineage, "--expected-revision", authority?.revision ?? "", "--target", target_identity];
	return ["review", "reopen-results", ...binding, "--actor", "A <a@example.org>", "--reason", "wrong input"];
}

async function prepared({ repo, words }: Reviewed, ...lenses: string[]): Promise<Plan> {
	const named = lenses.flatMap((lens) => ["--quarantine-lens", lens]);
	const result = await repo.run([...words, ...named, "--prepare"]);
	expectSuccess(result);
	const told = result.json<Told>();
	expect(told).toMatchObject({
		schema: "gentle-ai.review-result-reopen-result/v1",
		operation: "review/reopen-results",
		prepared: true,
	});
	return told.plan;
}

function applied(words: readonly string[], plan: Plan): string[] {
	const named = (plan.authorized_lenses ?? []).flatMap((lens) => ["--quarantine-lens", lens]);
	return [...words, ...named, "--maintainer-authorization", plan.required_maintainer_authorization];
}

/** A slot as the contract names it, from the published copy of its result. */
function entryOf(repo: TestRepo, lineage: string, order: number, lens: string): string {
	const text = readFileSync(repo.path(".git", "gentle-ai", "results", lineage, `0${order}-${lens}.json`), "utf8");
	const { admission } = JSON.parse(text) as { admission: { result_hash: string } };
	return `${order}:${lens}:${digestOf(text)}:${admission.result_hash}`;
}

const LENSES = ["review-risk", "review-resilience", "review-readability", "review-reliability"];

describe("reopening results", () => {
	it("prepares a plan that names every slot and the exact text, and writes nothing", async () => {
		const { repo, lineage, words } = await reviewed();
		const [first = "", second = "", ...others] = LENSES.map((lens, order) => entryOf(repo, lineage, order, lens));
		const { authority, target_identity } = await status(repo);
		const revision = authority?.revision ?? "";
		const named = ["--quarantine-lens", "review-resilience", "--quarantine-lens", "review-risk"];
		const before = await status(repo);
		const result = await repo.run([...words, ...named, "--prepare"]);
		expectSuccess(result);
		expect(result.json<Told>().plan).toEqual({
			lineage_id: lineage,
			revision,
			target_identity,
			quarantined: [first, second],
			retained: others,
			authorized_lenses: ["review-risk", "review-resilience"],
			required_maintainer_authorization: [
				"gentle-ai.review-result-reopen-authorization/v1",
				`repository=${repo.root}`,
				`lineage=${lineage}`,
				`revision=${revision}`,
				`target_identity=${target_identity}`,
				`quarantined=${first},${second}`,
				`retained=${others.join(",")}`,
				"authorized_lenses=review-risk,review-resilience",
				"actor=A <a@example.org>",
				"reason=wrong input",
			].join("\n"),
		});
		expect(await status(repo)).toEqual(before);
	});

	it("lets only the named lens answer again, keeps the rest, and the review closes with both", async () => {
		const open = await reviewed();
		const { repo, lineage, words } = open;
		const before = await status(repo);
		const copy = repo.path(".git", "gentle-ai", "results", lineage, "00-review-risk.json");
		const bytes = readFileSync(copy, "utf8");
		const plan = await prepared(open, "review-risk");
		const result = await repo.run(applied(words, plan));
		expectSuccess(result);
		const after = await status(repo);
		expect(result.json<Told>()).toEqual({
			schema: "gentle-ai.review-result-reopen-result/v1",
			operation: "review/reopen-results",
			prepared: false,
			record: {
				lineage_id: lineage,
				previous_revision: plan.revision,
				revision: after.authority?.revision,
				state: "reviewing",
				quarantined: plan.quarantined,
				retained: plan.retained,
				replayed: false,
			},
		});
		expect(after.frozen).toEqual(before.frozen);
		expect(after.authority).toMatchObject({ lineage_id: lineage, state: "reviewing", generation: 1 });
		const [slot, ...more] = inputsOf(after);
		expect([slot?.artifact_subject?.lens, more]).toEqual(["review-risk", []]);
		expect(existsSync(copy)).toBe(false);
		expect(queryStore(repo, "SELECT selected_order, lens, envelope FROM quarantined_results")).toEqual([
			{ selected_order: 0, lens: "review-risk", envelope: bytes },
		]);
		await captureAll(repo, () => [blocker("src/auth/session.ts:1")]);
		expect(readFileSync(copy, "utf8")).not.toBe(bytes);
		expect((await finalized(repo, lineage, "--captured-results")).state).toBe("correction_required");
		expect(queryStore(repo, "SELECT count(*) AS n FROM quarantined_results")).toEqual([{ n: 1 }]);
	});

	it("leads a person's run to the reopened lens alone, and on to the receipt", async () => {
		const open = await reviewed();
		const { repo, lineage, words } = open;
		expectSuccess(await repo.run(applied(words, await prepared(open, "review-resilience"))));
		const run = await repo.run(["review", "--yes", "--verify", "true"]);
		expect(run.code).toBe(0);
		expect(run.stdout).toContain("Approved");
		expect(run.stderr).toContain("resilience   done");
		expect(run.stderr).not.toMatch(/(risk|readability|reliability) +done/);
		expect((await status(repo)).authority).toMatchObject({ lineage_id: lineage, state: "approved" });
	});

	it("answers the same request with the same record, also when the review went on, and another one not", async () => {
		const open = await reviewed();
		const { repo, lineage, words } = open;
		const plan = await prepared(open, "review-risk");
		const first = (await repo.run(applied(words, plan))).json<Told>().record;
		const again = await repo.run(applied(words, plan));
		expectSuccess(again);
		expect(again.json<Told>().record).toEqual({ ...first, replayed: true });
		await captureAll(repo);
		const copy = repo.path(".git", "gentle-ai", "results", lineage, "00-review-risk.json");
		expectSuccess(await repo.run(applied(words, plan)));
		expect(existsSync(copy)).toBe(true);
		await drive(repo);
		const closed = await status(repo);
		expectSuccess(await repo.run(applied(words, plan)));
		expect(await status(repo)).toEqual(closed);
		for (const wrong of [`${plan.required_maintainer_authorization}\n`, "yes"]) {
			await refused(repo, applied(words, { ...plan, required_maintainer_authorization: wrong }));
		}
		await refused(repo, applied([...words, "--reason", "another"], plan));
	});

	it("takes a planned correction back with the results that asked for it, and a second reopening is its own", async () => {
		const open = await reviewed(true);
		const { repo, lineage, words } = open;
		await finalized(repo, lineage, "--correction-lines", "1");
		const planned = { ...open, words: await wordsOf(repo, lineage) };
		await refused(repo, [...words, "--quarantine-lens", "review-risk", "--prepare"]);
		const first = await prepared(planned, "review-risk", "review-reliability");
		expectSuccess(await repo.run(applied(planned.words, first)));
		await captureAll(repo);
		expect((await finalized(repo, lineage, "--captured-results")).state).toBe("correction_required");
		const second = await prepared({ ...open, words: await wordsOf(repo, lineage) }, "review-resilience");
		expect(second.retained).toHaveLength(3);
		expectSuccess(await repo.run(applied(await wordsOf(repo, lineage), second)));
		expect(inputsOf(await status(repo)).map((input) => input.artifact_subject?.lens)).toEqual(["review-resilience"]);
		await captureAll(repo);
		expect((await finalized(repo, lineage, "--captured-results")).state).toBe("validating");
		await drive(repo);
		expect((await status(repo)).authority).toMatchObject({ state: "approved", generation: 1 });
	});

	it("quarantines by itself what cannot be admitted again, and without such a slot asks for a lens", async () => {
		const open = await reviewed(false, "app.ts");
		const { repo, words } = open;
		const untouched = await refused(repo, [...words, "--prepare"]);
		expect(untouched.stderr).toContain("--quarantine-lens");
		alterStore(repo, "UPDATE results SET raw = x'00'");
		const plan = await prepared(open);
		expect(plan).toMatchObject({ retained: [] });
		expect(plan.required_maintainer_authorization).toContain("\nretained=\nactor=");
		expectSuccess(await repo.run(applied(words, plan)));
		const [slot] = inputsOf(await status(repo));
		if (slot === undefined) throw new Error("no slot is open");
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		expect(transitionOf(await status(repo)).reason_code).toBe("captured_results_ready");
	});

	it("is refused when what was prepared is not what is there any more", async () => {
		const open = await reviewed();
		const { repo, words } = open;
		const plan = await prepared(open, "review-risk");
		alterStore(repo, "UPDATE results SET raw = x'00' WHERE selected_order = 2");
		await refused(repo, applied(words, plan));
		alterStore(repo, "DELETE FROM results WHERE selected_order = 2");
		const gone = await refused(repo, applied(words, plan));
		expect(gone.stderr).toContain("review-readability");
	});

	it("is refused for other states, ids, revisions, targets and lenses, and of a damaged record", async () => {
		const { repo, lineage, words } = await reviewed(false, "app.ts");
		const lens = ["--quarantine-lens", "review-reliability"];
		const other = (flag: string, value: string) => words.map((word, at) => (words[at - 1] === flag ? value : word));
		for (const [argv, told] of [
			[[...other("--lineage", "review-nobody"), ...lens, "--prepare"], "--lineage"],
			[[...other("--expected-revision", NOBODY), ...lens, "--prepare"], "authority_revision_conflict"],
			[[...other("--target", NOBODY), ...lens, "--prepare"], "--target"],
			[[...words, "--quarantine-lens", "review-risk", "--prepare"], "--quarantine-lens"],
			[[...words, "--quarantine-lens", "risk", "--prepare"], "--quarantine-lens"],
			[[...words, ...lens, ...lens, "--prepare"], "--quarantine-lens"],
			[[...other("--actor", "A\nB"), ...lens, "--prepare"], "--actor"],
			[[...words, ...lens], "--maintainer-authorization"],
			[[...words, ...lens, "--prepare", "--maintainer-authorization", "x"], "--prepare"],
		] as const) {
			expect((await refused(repo, argv)).stderr).toContain(told);
		}
		await drive(repo);
		expect((await refused(repo, [...(await wordsOf(repo, lineage)), ...lens, "--prepare"])).stderr).toContain("closed");
		damageRecord(repo, lineage);
		expect((await refused(repo, [...words, ...lens, "--prepare"])).stderr).toContain("--damaged");
		const fresh = new TestRepo();
		fresh.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(fresh);
		const early = await refused(fresh, [...(await wordsOf(fresh, lineage_id)), ...lens, "--prepare"]);
		expect(early.stderr).toContain("still collects");
	});

	it("is prepared but not applied while reviews are off, and applied once by two at the same time", async () => {
		const open = await reviewed(false, "app.ts");
		const { repo, lineage, words } = open;
		await repo.run(["review", "mode", "disable", "--scope", "clone"]);
		const plan = await prepared(open, "review-reliability");
		expect((await refused(repo, applied(words, plan))).stderr).toContain("[rdd_disabled]");
		await repo.run(["review", "mode", "enable", "--scope", "clone"]);
		const both = await Promise.all([repo.run(applied(words, plan)), repo.run(applied(words, plan))]);
		expect(both.some(({ code }) => code === 0)).toBe(true);
		for (const { code, stderr } of both) {
			if (code !== 0) expect(stderr).toMatch(/\[(authority_revision_conflict|authority_lock_timeout)\]/);
		}
		expect(queryStore(repo, "SELECT count(*) AS n FROM quarantined_results")).toEqual([{ n: 1 }]);
		expect((await finalize(repo, lineage, "--captured-results")).code).toBe(1);
	});
});
