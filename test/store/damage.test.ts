// Damage stays where it is: of one record, its own and a stranger's, and of the whole file.
import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { COLUMNS } from "../kit/columns.ts";
import type { Start } from "../kit/documents.ts";
import {
	approveLow,
	expectSuccess,
	failureOf,
	finalize,
	gate,
	startPrinted,
	startWords,
	status,
	statusWords,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { alterStore, damageRecord, queryStore, storePath } from "../kit/store.ts";
import { listing } from "../kit/tree.ts";

function low(): TestRepo {
	const repo = new TestRepo();
	appendFileSync(repo.path("guide.md"), "One more sentence.\n");
	return repo;
}

const kept = (repo: TestRepo) => listing(repo.path(".git", "gentle-ai"));

/** A damaged review of other bytes, then the live candidate again. */
async function withStranger(damage: (repo: TestRepo, lineage: string) => void) {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 9;\n");
	const stranger = (await startPrinted(repo)).lineage_id;
	repo.git("checkout", "--quiet", "--", "app.ts");
	appendFileSync(repo.path("guide.md"), "One more sentence.\n");
	damage(repo, stranger);
	return { repo, stranger };
}

const VARIANTS = [
	["cut after twenty bytes", damageRecord],
	[
		"well-formed under another revision",
		(repo: TestRepo, id: string) =>
			alterStore(repo, `UPDATE lineages SET revision = 'sha256:${"0".repeat(64)}' WHERE lineage_id = '${id}'`),
	],
	[
		"empty",
		(repo: TestRepo, id: string) => alterStore(repo, `UPDATE lineages SET state_json = '' WHERE lineage_id = '${id}'`),
	],
] as const;

describe("a damaged stranger (FR-01, FR-02)", () => {
	it.each(VARIANTS)(
		"%s disturbs nobody: START, STATUS and gates of other bytes answer as without it",
		async (_, damage) => {
			const { repo } = await withStranger(damage);
			expect(failureOf(await gate(repo, "post-apply")).code).toBe("receipt_missing");
			expect((await status(repo)).applicability).toBe("unrelated");
			const lineage = await approveLow(repo);
			repo.stage();
			const before = kept(repo);
			expectSuccess(await gate(repo));
			expectSuccess(await gate(repo, "pre-commit", ["--lineage", lineage]));
			expect((await status(repo)).authority).toMatchObject({ lineage_id: lineage, state: "approved" });
			expect(kept(repo)).toEqual(before);
		},
	);

	it.each(VARIANTS)("%s lets a healthy review end, and can be ended itself by its id", async (_, damage) => {
		const { repo, stranger } = await withStranger(damage);
		const { lineage_id } = await startPrinted(repo);
		const row = `SELECT * FROM lineages WHERE lineage_id = '${stranger}'`;
		const before = queryStore(repo, row);
		const { authority } = await status(repo);
		const healthy = ["review", "end", "--lineage", lineage_id, "--reason", "not needed"];
		expectSuccess(await repo.run([...healthy, "--expected-revision", authority?.revision ?? ""]));
		expect(queryStore(repo, row)).toEqual(before);
		expectSuccess(await repo.run(["review", "end", "--lineage", stranger, "--damaged", "--reason", "it is broken"]));
		expect(queryStore(repo, "SELECT lineage_id FROM lineages")).toEqual([]);
	});
});

describe("a damaged record of the live target", () => {
	it("is told as corrupted, ended by its id, and followed by a fresh review", async () => {
		const repo = low();
		const { lineage_id } = await startPrinted(repo);
		damageRecord(repo, lineage_id);
		expect(await status(repo)).toMatchObject({
			applicability: "corrupted",
			action: "repair_authority",
			replayability: "manual_action_required",
			receipt: { status: "not_applicable" },
			next_transition: { kind: "stop", reason_code: "corrupted_or_unverifiable_authority" },
		});
		expect((await finalize(repo, lineage_id)).code).toBe(1);
		expectSuccess(await repo.run(["review", "end", "--lineage", lineage_id, "--damaged", "--reason", "it is broken"]));
		const fresh = await startPrinted(repo);
		expect(fresh.lineage_id).not.toBe(lineage_id);
		expect((await status(repo)).authority?.lineage_id).toBe(fresh.lineage_id);
	});

	it("never lets START answer with a review that STATUS does not see", async () => {
		const repo = low();
		const { lineage_id } = await startPrinted(repo);
		damageRecord(repo, lineage_id);
		const result = await repo.run(startWords((await status(repo)).target_identity));
		if (result.code !== 0) {
			expect(failureOf(result)).toMatchObject({ code: "authority_corrupted", mutation_outcome: "not_started" });
			return;
		}
		expect((await status(repo)).authority?.lineage_id).toBe(result.json<Start>().lineage_id);
	});

	it("opens no gate, which tells it as corrupted too", async () => {
		const repo = low();
		const lineage = await approveLow(repo);
		damageRecord(repo, lineage);
		const words = [[], ["--lineage", lineage]];
		for (const flags of words) {
			expect(failureOf(await gate(repo, "post-apply", flags))).toMatchObject({
				code: "authority_corrupted",
				...COLUMNS.authority_corrupted,
			});
		}
	});

	it("is not ended as damaged while it is whole", async () => {
		const repo = low();
		const { lineage_id } = await startPrinted(repo);
		const result = await repo.run(["review", "end", "--lineage", lineage_id, "--damaged", "--reason", "so it seems"]);
		expect(result.code).toBe(2);
		expect((await status(repo)).authority?.lineage_id).toBe(lineage_id);
	});
});

describe("a store that is no store of ours", () => {
	const foreign = (repo: TestRepo) => {
		rmSync(storePath(repo));
		const database = new DatabaseSync(storePath(repo));
		database.exec("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('x')");
		database.close();
	};
	const SPOILED = [
		["garbage", (repo: TestRepo) => writeFileSync(storePath(repo), "not a database at all, by no means\n".repeat(200))],
		["cut off", (repo: TestRepo) => truncateSync(storePath(repo), 5_000)],
		["of another program", foreign],
	] as const;

	it.each(SPOILED)(
		"because it is %s is corrupted for every target, untouched, and moved away the reviews start fresh",
		async (_, spoil) => {
			const repo = low();
			const { target_identity } = await status(repo);
			await startPrinted(repo);
			spoil(repo);
			const before = kept(repo);
			const start = failureOf(await repo.run(startWords(target_identity)));
			expect(start).toMatchObject({ code: "authority_corrupted", mutation_outcome: "not_started" });
			expect(start.cause).toContain("next: ");
			expect(failureOf(await gate(repo, "post-apply"))).toMatchObject({
				code: "authority_corrupted",
				...COLUMNS.authority_corrupted,
				cause_category: expect.stringMatching(/^(record_or_graph_invalid|inventory_io_or_layout)$/),
			});
			expectSuccess(await repo.run(["review", "mode", "status"]));
			expect(kept(repo)).toEqual(before);
			renameSync(storePath(repo), repo.outside("quarantine", ""));
			await startPrinted(repo);
		},
	);

	it.each(SPOILED)("because it is %s makes STATUS answer corrupted, which is no failure", async (_, spoil) => {
		const repo = low();
		await startPrinted(repo);
		spoil(repo);
		expect(await status(repo)).toMatchObject({
			applicability: "corrupted",
			next_transition: { kind: "stop", reason_code: "corrupted_or_unverifiable_authority" },
		});
	});

	it("because a newer version wrote it is refused by name, and left alone", async () => {
		const repo = low();
		await startPrinted(repo);
		alterStore(repo, "PRAGMA user_version = 99");
		const before = kept(repo);
		for (const words of [statusWords(), startWords((await status(low())).target_identity)]) {
			const failure = failureOf(await repo.run(words));
			expect(failure.code).not.toBe("authority_corrupted");
			expect(failure.mutation_outcome).toBe("not_started");
			expect(`${failure.message} ${failure.cause}`).toContain("newer");
		}
		expect(kept(repo)).toEqual(before);
	});
});
