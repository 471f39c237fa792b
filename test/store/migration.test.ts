// A store of an earlier version: read without a byte written, brought up to date by the first mutation, nothing lost.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { captureAll, drive, expectSuccess, finalized, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { alterStore, EARLIER_STORES, queryStore, storePath } from "../kit/store.ts";

async function endedBeside(): Promise<{ repo: TestRepo; ended: string; lineage: string }> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	const { lineage_id: ended } = await startPrinted(repo);
	const revision = (await status(repo)).authority?.revision ?? "";
	expectSuccess(
		await repo.run(["review", "end", "--lineage", ended, "--expected-revision", revision, "--reason", "again"]),
	);
	const { lineage_id: lineage } = await startPrinted(repo);
	await captureAll(repo);
	return { repo, ended, lineage };
}

function schemaOf(repo: TestRepo): unknown {
	const columns = (table: string) => queryStore(repo, `SELECT name FROM pragma_table_info('${table}') ORDER BY name`);
	const tables = queryStore(repo, "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name");
	return tables.map(({ name }) => [name, columns(String(name))]);
}

describe.each(EARLIER_STORES)("a store of version %s", (_, sql) => {
	it("answers every reading operation as before, and is not touched by it", async () => {
		const { repo, lineage } = await endedBeside();
		const before = await status(repo);
		alterStore(repo, sql);
		const bytes = readFileSync(storePath(repo));
		expect(await status(repo)).toEqual(before);
		for (const words of [["list"], ["inspect-authority"], ["prune"]]) {
			const result = await repo.run(["review", ...words]);
			expectSuccess(result);
			expect(result.stdout).toContain(lineage);
		}
		expect(readFileSync(storePath(repo)).equals(bytes)).toBe(true);
	});

	it("becomes one of the current version by the next mutation, and keeps what it held", async () => {
		const { repo, ended, lineage } = await endedBeside();
		const current = schemaOf(repo);
		alterStore(repo, sql);
		await finalized(repo, lineage, "--captured-results");
		expect(schemaOf(repo)).toEqual(current);
		expect(queryStore(repo, "PRAGMA user_version")).toEqual([{ user_version: 3 }]);
		expect(queryStore(repo, "SELECT lineage_id, reason, predecessor FROM endings")).toEqual([
			{ lineage_id: ended, reason: "again", predecessor: null },
		]);
		await drive(repo);
		expect((await status(repo)).authority).toMatchObject({ lineage_id: lineage, state: "approved" });
	});
});
