// Records that somebody mixed, re-encoded or brought back (threats E4 to E7): only what the review itself kept counts, and
// what was used up stays used up or is told.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocked, FIXED, judged, NEW, planned, validated, verdict, verified } from "../kit/corrected.ts";
import {
	captureAll,
	captureEvidence,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	gate,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { expectColumns } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";
import { alterStore, storePath } from "../kit/store.ts";

async function reason(repo: TestRepo, flags: readonly string[] = []): Promise<string> {
	return transitionOf(await status(repo, flags)).reason_code;
}

async function captured(high: boolean): Promise<{ repo: TestRepo; lineage: string }> {
	const repo = new TestRepo();
	if (high) repo.write("scripts/deploy.sh", "echo deploy\n");
	else repo.write("app.ts", "export const n = 2;\n");
	const { lineage_id } = await startPrinted(repo);
	await captureAll(repo);
	return { repo, lineage: lineage_id };
}

/** A spoiled record is never finalized, and STATUS says so before anybody tries. */
async function expectUnverifiable(repo: TestRepo, lineage: string): Promise<void> {
	expect(await reason(repo)).toBe("captured_artifacts_unverifiable");
	expect(failureOf(await finalize(repo, lineage, "--captured-results"))).toMatchObject({
		mutation_outcome: "not_started",
	});
	expect((await status(repo)).authority?.state).toBe("reviewing");
}

describe.concurrent("E7: captured results", () => {
	it("of another review do not fit, although both are whole", async () => {
		const { repo, lineage } = await captured(false);
		repo.write("app.ts", "export const n = 3;\n");
		const other = (await startPrinted(repo)).lineage_id;
		await captureAll(repo);
		alterStore(
			repo,
			`CREATE TEMP TABLE t AS SELECT * FROM results;
			UPDATE results SET (envelope, raw, raw_sha256) =
				(SELECT t.envelope, t.raw, t.raw_sha256 FROM t WHERE t.lineage_id <> results.lineage_id)`,
		);
		await expectUnverifiable(repo, other);
		repo.write("app.ts", "export const n = 2;\n");
		await expectUnverifiable(repo, lineage);
	});

	it.each([
		[
			"in each other's slots",
			"UPDATE results SET selected_order = 9 - selected_order; UPDATE results SET selected_order = selected_order - 6",
		],
		["in another encoding", "UPDATE results SET envelope = replace(envelope, '\":', '\": ') WHERE selected_order = 1"],
		[
			"with null in the place of a list",
			"UPDATE results SET envelope = replace(envelope, '\"findings\":[]', '\"findings\":null') WHERE selected_order = 1",
		],
		[
			"with an answer that is not the admitted one",
			"UPDATE results SET raw = CAST(raw || ' ' AS BLOB) WHERE selected_order = 2",
		],
	])("%s do not verify", async (_, sql) => {
		const { repo, lineage } = await captured(true);
		alterStore(repo, sql);
		await expectUnverifiable(repo, lineage);
	});

	it("of which one is gone leave its slot open, and nothing closes without it", async () => {
		const { repo, lineage } = await captured(true);
		alterStore(repo, "DELETE FROM results WHERE selected_order = 2");
		expect(await reason(repo)).toBe("reviewer_results_required");
		expectColumns(failureOf(await finalize(repo, lineage, "--captured-results")), "invalid_request");
	});
});

describe.concurrent("E7: the state of a review", () => {
	it.each([
		["in another encoding", `UPDATE lineages SET state_json = replace(state_json, '":', '": ')`],
		[
			"with null in the place of a list",
			`UPDATE lineages SET state_json = replace(state_json, '"findings":[]', '"findings":null')`,
		],
		[
			"with a greater budget",
			`UPDATE lineages SET state_json = replace(state_json, '"correction_budget":1', '"correction_budget":9')`,
		],
		[
			"in another state",
			`UPDATE lineages SET state_json = replace(state_json, '"reviewing"', '"approved"'), state = 'approved'`,
		],
	])("%s is damaged, and no gate opens", async (_, sql) => {
		const { repo, lineage } = await captured(false);
		alterStore(repo, sql);
		expect((await status(repo)).applicability).toBe("corrupted");
		repo.stage();
		expect(failureOf(await gate(repo)).code).toBe("authority_corrupted");
		expect(failureOf(await finalize(repo, lineage, "--captured-results"))).toMatchObject({
			mutation_outcome: "not_started",
		});
	});
});

describe.concurrent("E7: evidence of a corrected candidate", () => {
	it.each([
		[
			"whose outcome was changed",
			`UPDATE evidence SET record_json = replace(record_json, 'verification_failed', 'passed')`,
		],
		["whose payload was changed", "UPDATE evidence SET payload = CAST('9 of 9 passed' AS BLOB)"],
		["in another encoding", `UPDATE evidence SET record_json = replace(record_json, '":', '": ')`],
	])("%s is no evidence", async (_, sql) => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", FIXED);
		const slot = firstInput(await status(open.repo));
		expectSuccess(await captureEvidence(open.repo, slot, "verification_failed", "1 of 9 failed\n"));
		alterStore(open.repo, sql);
		expect(await reason(open.repo)).toBe("captured_verification_evidence_invalid");
		const refused = failureOf(await finalize(open.repo, open.lineage, "--captured-evidence"));
		expect(refused).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
	});
});

function keep(repo: TestRepo, name: string): () => void {
	const copy = join(repo.folder, name);
	copyFileSync(storePath(repo), copy);
	return () => copyFileSync(copy, storePath(repo));
}

describe.concurrent("E4: yesterday's store", () => {
	it("does not give a spent correction back: the published escalation stays in the way", async () => {
		const open = await verified(await planned(await blocked()));
		const yesterday = keep(open.repo, "yesterday");
		const asked = await status(open.repo);
		expectSuccess(await judged(open, verdict(asked, { original: false })));
		yesterday();
		const again = failureOf(await judged(open, verdict(asked)));
		expect(again).toMatchObject({ code: "receipt_publication_conflict", next_action: "explicit-maintainer-action" });
		expect(await reason(open.repo)).toBe("corrupted_or_unverifiable_authority");
		open.repo.stage();
		expect(failureOf(await gate(open.repo)).code).toBe("authority_corrupted");
	});

	it("of before an approval leads to the same receipt again, and to no other", async () => {
		const open = await verified(await planned(await blocked()));
		const yesterday = keep(open.repo, "yesterday");
		const good = verdict(await status(open.repo));
		expectSuccess(await judged(open, good));
		const identity = (await status(open.repo)).receipt.identity;
		yesterday();
		expectSuccess(await judged(open, good));
		expect((await status(open.repo)).receipt.identity).toBe(identity);
	});

	it.todo("of another repository is refused: the store names no repository, so a copied database is honoured");
});

describe.concurrent("E5: a correction asked for twice", () => {
	it("converges for the same evidence, and refuses another plan, payload, outcome and revision", async () => {
		const open = await planned(await blocked());
		const { repo, lineage } = open;
		expectColumns(failureOf(await finalize(repo, lineage, "--correction-lines", "3")), "invalid_request");
		repo.write("app.ts", FIXED);
		const slot = firstInput(await status(repo));
		const first = await captureEvidence(repo, slot, "passed");
		expectSuccess(first);
		expect((await captureEvidence(repo, slot, "passed")).stdout).toBe(first.stdout);
		expect((await captureEvidence(repo, slot, "verification_failed")).stderr).toContain("[invalid_request]");
		expect((await captureEvidence(repo, slot, "passed", "other\n")).stderr).toContain("[invalid_request]");
		const good = verdict(await status(repo));
		const closed = await judged(open, good);
		expectSuccess(closed);
		// The lost answer comes back through STATUS and the lineage alone; a closed review takes no verdict.
		expectColumns(failureOf(await judged(open, good)), "invalid_request");
		expect((await finalized(repo, lineage)).store_revision).toBe(
			closed.json<{ result: { store_revision: string } }>().result.store_revision,
		);
		expect((await captureEvidence(repo, slot, "passed")).stderr).toMatch(
			/\[(authority_revision_conflict|invalid_request)\]/,
		);
	});
});

describe.concurrent("E6: a clock that runs backwards", () => {
	it("decides nothing: the correction closes, and the gate allows", async () => {
		const repo = new TestRepo({ files: { "app.ts": NEW.replaceAll("2", "1"), "other.ts": "export const o = 1;\n" } });
		const clock = `--import=${import.meta.resolve("../crash/still-clock.ts")}`;
		let year = 2030;
		const run = repo.run.bind(repo);
		repo.run = (words, options = {}) => {
			year -= 1;
			const env = {
				...options.env,
				NODE_OPTIONS: clock,
				STILL_CLOCK: String(Date.UTC(year, 0, 1)),
				TZ: "Pacific/Apia",
			};
			return run(words, { ...options, env });
		};
		const open = await planned(await blocked([], repo));
		repo.write("app.ts", FIXED);
		expectSuccess(await validated(open));
		repo.stage();
		expectSuccess(await gate(repo));
		expect(year).toBeLessThan(2022);
	});
});
