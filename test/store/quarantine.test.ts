// The exit of a store that cannot be read: it is moved, kept, and reviews start fresh. A sound store is never moved.
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { approveLow, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { storePath } from "../kit/store.ts";

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
