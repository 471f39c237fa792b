// A maintainer gives a review up with an exact word: it ends like any other, and who wanted it is kept.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import {
	approveLow,
	captureAll,
	captureResult,
	expectSuccess,
	finalized,
	inputsOf,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";
import { alterStore, damageRecord, queryStore } from "../kit/store.ts";

const ACTOR = "A <a@example.org>";
const REASON = "nobody needs it";
const NOBODY = `sha256:${"0".repeat(64)}`;

type Told = { readonly operation: string; readonly record: Record<string, unknown> };

async function facts(repo: TestRepo) {
	const { authority, target_identity } = await status(repo);
	return { lineage: authority?.lineage_id ?? "", revision: authority?.revision ?? "", identity: target_identity };
}

/** The command with the exact word; `captured` for a review in which a lens has not answered. */
async function words(repo: TestRepo, captured?: readonly string[]): Promise<string[]> {
	const { lineage, revision, identity } = await facts(repo);
	const schema = captured === undefined ? "abandon" : "incomplete-abandon";
	const authorization = [
		`gentle-ai.review-${schema}-authorization/v1`,
		`lineage=${lineage}`,
		`revision=${revision}`,
		`snapshot_identity=${identity}`,
		...(captured === undefined ? [] : [`captured_lenses=${captured.join(",")}`]),
		`actor=${ACTOR}`,
		`reason=${REASON}`,
	].join("\n");
	return [
		...["review", "abandon", "--lineage", lineage, "--expected-revision", revision],
		...["--actor", ACTOR, "--reason", REASON, "--maintainer-authorization", authorization],
		...(captured === undefined ? [] : ["--incomplete-inspection"]),
	];
}

async function started(path = "app.ts"): Promise<TestRepo> {
	const repo = new TestRepo({ files: { [path]: "export const n = 1;\n" } });
	repo.write(path, "export const n = 2;\n");
	await startPrinted(repo);
	return repo;
}

describe("abandoning a review", () => {
	it("prints both templates when it is not authorized, and nothing happens", async () => {
		const repo = await started();
		const { lineage } = await facts(repo);
		for (const more of [[], ["--lineage", lineage]]) {
			const result = await refused(repo, ["review", "abandon", ...more]);
			expect(result.stdout).toBe("");
			expect(result.stderr).toMatch(/^Error: --maintainer-authorization is missing/);
			for (const line of [
				"gentle-ai.review-abandon-authorization/v1",
				"gentle-ai.review-incomplete-abandon-authorization/v1",
				`lineage=${more.length > 0 ? lineage : "<lineage>"}`,
				"revision=<expected-revision>",
				"actor=<actor>",
				"reason=<reason>",
			]) {
				expect(result.stderr.split("\n")).toContain(line);
			}
		}
	});

	it("ends it with six exact lines, keeps the word, and the same call again answers the same", async () => {
		const repo = await started();
		await captureAll(repo);
		const { lineage, revision, identity } = await facts(repo);
		const command = await words(repo);
		const first = await repo.run(command);
		expectSuccess(first);
		expect(first.json<Told>()).toEqual({
			operation: "review/abandon",
			record: {
				lineage_id: lineage,
				revision,
				snapshot_identity: identity,
				actor: ACTOR,
				reason: REASON,
				abandoned_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
				complete: true,
			},
		});
		const after = await status(repo);
		expect(transitionOf(after).reason_code).toBe("fresh_target_ready");
		expect(queryStore(repo, "SELECT lineage_id, reason, authorization FROM endings")).toEqual([
			{
				lineage_id: lineage,
				reason: REASON,
				authorization: command[command.indexOf("--maintainer-authorization") + 1],
			},
		]);
		const again = await repo.run(command);
		expect(again.stdout).toBe(first.stdout);
		expect(await status(repo)).toEqual(after);
		const other = command.map((word) => word.replace(REASON, "another reason"));
		expect((await refused(repo, other)).stderr).toContain("it was ended");
	});

	it("binds the lenses that have answered when others have not", async () => {
		const repo = await started("src/auth/session.ts");
		await refused(repo, await words(repo, ["review-risk"]));
		const [first, , third] = inputsOf(await status(repo));
		if (first === undefined || third === undefined) throw new Error("no slots are open");
		expectSuccess(await captureResult(repo, third, answerTo(third)));
		expectSuccess(await captureResult(repo, first, answerTo(first)));
		expect((await refused(repo, await words(repo))).stderr).toContain("--incomplete-inspection");
		await refused(repo, await words(repo, ["review-readability", "review-risk"]));
		await refused(repo, await words(repo, ["review-risk"]));
		const result = await repo.run(await words(repo, ["review-risk", "review-readability"]));
		expectSuccess(result);
		expect(result.json<Told>().record).toMatchObject({ captured_lenses: ["review-risk", "review-readability"] });
	});

	it("ends a review in any state, and takes its published copies along", async () => {
		const reviewed = await started();
		const { lineage } = await facts(reviewed);
		await captureAll(reviewed);
		await finalized(reviewed, lineage, "--captured-results");
		await refused(reviewed, await words(reviewed, ["review-reliability"]));
		expectSuccess(await reviewed.run(await words(reviewed)));
		const low = new TestRepo();
		low.write("guide.md", "# other\n");
		await approveLow(low);
		expectSuccess(await low.run(await words(low)));
		expect((await status(low)).applicability).toBe("unrelated");
	});

	it("is refused for every word that is not exact, an unknown id, another revision, damage, and while off", async () => {
		const repo = await started();
		const command = await words(repo);
		const { lineage, revision } = await facts(repo);
		const other = (from: string, to: string) => command.map((word) => (word === from ? to : word));
		const word = command[command.indexOf("--maintainer-authorization") + 1] ?? "";
		for (const [argv, why] of [
			[other(word, `${word}\n`), "--maintainer-authorization"],
			[other(word, word.replaceAll("\n", "\r\n")), "--maintainer-authorization"],
			[other(word, word.replace("actor=A", "actor=B")), "--maintainer-authorization"],
			[other(lineage, "review-nobody"), "--lineage"],
			[other(revision, NOBODY), "[authority_revision_conflict]"],
			[other(ACTOR, "A\u2028B"), "--actor"],
			[command.filter((each) => each !== "--reason" && each !== REASON), "--reason"],
		] as const) {
			const { stderr } = await refused(repo, argv);
			expect(stderr).toContain(why.startsWith("--m") ? "maintainer authorization" : why);
		}
		await repo.run(["review", "mode", "disable", "--scope", "clone"]);
		expect((await refused(repo, command)).stderr).toContain("[rdd_disabled]");
		await repo.run(["review", "mode", "enable", "--scope", "clone"]);
		const record = queryStore(repo, "SELECT state_json FROM lineages")[0]?.state_json;
		damageRecord(repo, lineage);
		expect((await refused(repo, command)).stderr).toContain("--damaged");
		alterStore(repo, `UPDATE lineages SET state_json = '${String(record)}'`);
		const both = await Promise.all([repo.run(command), repo.run(command)]);
		expect(both.some(({ code }) => code === 0)).toBe(true);
		for (const { code, stderr } of both) {
			// Beside the other, or after it.
			if (code !== 0) expect(stderr).toMatch(/\[authority_(lock_timeout|revision_conflict)\]|it was ended/);
		}
		expect(queryStore(repo, "SELECT count(*) AS n FROM endings")).toEqual([{ n: 1 }]);
	});
});
