// The exit of a store that cannot be read: it is moved, kept, and reviews start fresh. A sound store is never moved.
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { approveLow, expectSuccess, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { damageRecord, queryStore, storePath } from "../kit/store.ts";

const END = ["review", "end", "--store", "--reason", "the file is damaged"];

function reviewed(): TestRepo {
	const repo = new TestRepo();
	repo.write("guide.md", "# guide\n\nOne more sentence.\n");
	return repo;
}

describe("ending the store", () => {
	it.each([
		["of garbage", (path: string) => writeFileSync(path, "no database at all, whatever its name says\n".repeat(99))],
		["that was cut off", (path: string) => truncateSync(path, 6_000)],
	])("%s keeps its bytes aside, and the printed START works again", async (_, damage) => {
		const repo = reviewed();
		await startPrinted(repo);
		damage(storePath(repo));
		const bytes = readFileSync(storePath(repo));
		const ended = await repo.run(END);
		expect(ended.code, ended.stderr).toBe(0);
		expect(readFileSync(ended.json<{ quarantined: string }>().quarantined)).toEqual(bytes);
		expect((await status(repo)).applicability).toBe("unrelated");
		expect((await startPrinted(repo)).action).toBe("created");
	});

	it("that holds together is refused, and no review is lost", async () => {
		const repo = reviewed();
		await approveLow(repo);
		const refused = await repo.run(END);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain("--store");
		expect(existsSync(storePath(repo))).toBe(true);
		expect((await status(repo)).authority?.state).toBe("approved");
	});
});

describe("a broken review that was taken out of the way before (FR-02)", () => {
	it("stays as it is while a healthy one ends, and its own end again changes nothing", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 9;\n");
		const { lineage_id: broken } = await startPrinted(repo);
		damageRecord(repo, broken);
		const away = ["review", "end", "--lineage", broken, "--damaged", "--reason", "it is broken"];
		expectSuccess(await repo.run(away));
		const endings = () => queryStore(repo, `SELECT * FROM endings WHERE lineage_id = '${broken}'`);
		const before = endings();
		expect(before).toHaveLength(1);
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		const { authority } = await status(repo);
		const healthy = ["review", "end", "--lineage", lineage_id, "--reason", "not needed"];
		expectSuccess(await repo.run([...healthy, "--expected-revision", authority?.revision ?? ""]));
		expectSuccess(await repo.run(away));
		expect(endings()).toEqual(before);
		expect(queryStore(repo, "SELECT lineage_id FROM lineages")).toEqual([]);
	});
});
