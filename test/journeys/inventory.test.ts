// What the store holds, for people and for whoever inspects it: bounded, without a look at the work tree, changing nothing.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { approveLow, expectSuccess, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { askedRetry, closedBy, retryCommand, retryWords } from "../kit/spoiled.ts";
import { alterStore, damageRecord, storePath } from "../kit/store.ts";
import { contentsOf } from "../kit/tree.ts";

type Inspection = {
	readonly repository_root: string;
	readonly complete: boolean;
	readonly valid: boolean;
	readonly totals: Readonly<Record<string, number>>;
	readonly edges: readonly Record<string, string>[];
	readonly entry_diagnostics: readonly { readonly lineage_id?: string; readonly code: string }[];
	readonly sanctioned_exits: readonly { readonly lineage_id?: string; readonly command: string }[];
};

async function inspected(repo: TestRepo): Promise<Inspection> {
	const before = contentsOf(repo);
	const result = await repo.run(["review", "inspect-authority"]);
	expectSuccess(result);
	expect(contentsOf(repo)).toEqual(before);
	const { repository_root, ...rest } = result.json<Inspection>();
	expect(repository_root).toBe(repo.root);
	expect(JSON.stringify(rest)).not.toContain(repo.folder);
	return result.json<Inspection>();
}

describe("the inspection of the authority", () => {
	it("counts what is kept, draws who continues whom, and offers an exit to every open review", async () => {
		const { repo, lineage } = await closedBy("procedural_tooling_failed");
		const words = retryWords(await askedRetry(repo));
		expectSuccess(await repo.run(retryCommand(words), { stdin: words.incident }));
		repo.write("guide.md", "# other\n");
		repo.write("app.ts", "export const n = 1;\n");
		await approveLow(repo);
		const list = (await repo.run(["review", "list"])).stdout.split("\n");
		expect(list.find((line) => line.startsWith(`${lineage} `))).toContain("second-try continues it");
		const told = await inspected(repo);
		expect(told).toMatchObject({
			schema: "gentle-ai.review-authority-inspection/v1",
			operation: "review/inspect-authority",
			complete: true,
			valid: true,
			totals: { lineages: 3, escalated: 1, validating: 1, approved: 1, reviewing: 0, damaged: 0, ended: 0 },
			edges: [
				{
					predecessor_lineage_id: lineage,
					predecessor_revision: words.revision,
					successor_lineage_id: "second-try",
					disposition: "final_verification_retry",
					predecessor: "living",
				},
			],
			entry_diagnostics: [],
		});
		const [exit, ...more] = told.sanctioned_exits;
		expect([exit?.lineage_id, more]).toEqual(["second-try", []]);
		expectSuccess(await repo.runPrinted((exit?.command ?? "").replace("<reason>", "no use")));
		expect((await inspected(repo)).totals).toMatchObject({ lineages: 2, ended: 1 });
	});

	it("names what is damaged and what does not fit, and the way out that it prints works", async () => {
		const { repo, lineage } = await closedBy("procedural_tooling_failed");
		const words = retryWords(await askedRetry(repo));
		expectSuccess(await repo.run(retryCommand(words), { stdin: words.incident }));
		damageRecord(repo, lineage);
		const told = await inspected(repo);
		expect(told).toMatchObject({ complete: true, valid: false, totals: { damaged: 1, validating: 1 } });
		expect(told.entry_diagnostics).toMatchObject([{ lineage_id: lineage, code: "record_damaged" }]);
		const exit = told.sanctioned_exits.find(({ lineage_id }) => lineage_id === lineage);
		expectSuccess(await repo.runPrinted((exit?.command ?? "").replace("<reason>", "broken")));
		expect(await inspected(repo)).toMatchObject({ valid: true, edges: [{ predecessor: "ended" }] });
		alterStore(repo, "DELETE FROM endings");
		expect((await inspected(repo)).entry_diagnostics).toMatchObject([
			{ lineage_id: "second-try", code: "predecessor_missing" },
		]);
	});

	it("answers for no store, for one that is no database, and while reviews are off", async () => {
		const repo = new TestRepo();
		expect(await inspected(repo)).toMatchObject({ complete: true, valid: true, totals: { lineages: 0 }, edges: [] });
		repo.write("app.ts", "export const n = 2;\n");
		await startPrinted(repo);
		await repo.run(["review", "mode", "disable", "--scope", "clone"]);
		expect(await inspected(repo)).toMatchObject({ totals: { lineages: 1, reviewing: 1 } });
		writeFileSync(storePath(repo), "this is no database, and never was one");
		const told = await inspected(repo);
		expect(told).toMatchObject({ complete: false, valid: false, entry_diagnostics: [{ code: "store_unreadable" }] });
		expectSuccess(await repo.runPrinted((told.sanctioned_exits[0]?.command ?? "").replace("<reason>", "broken")));
		expect(await inspected(repo)).toMatchObject({ valid: true });
	});

	it("stops after 256 reviews and says so", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		await startPrinted(repo);
		alterStore(
			repo,
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 256)
			INSERT INTO lineages SELECT 'copy-' || i, revision, state_json, state, lifecycle, base_tree, candidate_tree,
				frozen_json, pack_name, receipt_bytes, created_at, updated_at, paths_digest, NULL FROM lineages, n`,
		);
		const told = await inspected(repo);
		expect(told).toMatchObject({ complete: false, totals: { lineages: 257 } });
		expect(told.entry_diagnostics).toHaveLength(256);
		const list = await repo.run(["review", "list"]);
		expectSuccess(list);
		expect(list.stdout.trimEnd().split("\n")).toHaveLength(257);
		expect(list.stdout).toContain("Only the 256 latest");
	});
});

describe("the list of reviews", () => {
	it("has one line a review, the latest first, and says what to do next", async () => {
		const repo = new TestRepo();
		expect((await repo.run(["review", "list"])).stdout).toBe("No review is kept here.\n");
		repo.write("app.ts", "export const n = 2;\n");
		const open = await startPrinted(repo);
		repo.write("app.ts", "export const n = 1;\n");
		repo.write("guide.md", "# other\n");
		const approved = await approveLow(repo);
		alterStore(
			repo,
			`UPDATE lineages SET updated_at = '2026-01-01T00:00:00.000Z' WHERE lineage_id = '${open.lineage_id}'`,
		);
		const before = contentsOf(repo);
		const text = await repo.run(["review", "list"]);
		expectSuccess(text);
		const [first, second, ...more] = text.stdout.trimEnd().split("\n");
		expect(more).toEqual([]);
		expect(first).toMatch(
			new RegExp(`^${approved} +approved +low +\\d+s +workspace \\w{7}\\.\\.\\w{7}, 1 path +nothing;`),
		);
		expect(second).toMatch(
			new RegExp(`^${open.lineage_id} +reviewing +medium +\\d+d +workspace .*gentle-ai review end`),
		);
		const document = await repo.run(["review", "list", "--json"]);
		expect(document.json<object>()).toMatchObject({
			schema: "gentle-ai.review-list/v1",
			complete: true,
			reviews: [
				{ lineage_id: approved, state: "approved", tier: "low" },
				{ lineage_id: open.lineage_id, state: "reviewing", updated_at: "2026-01-01T00:00:00.000Z" },
			],
		});
		expect(contentsOf(repo)).toEqual(before);
	});

	it("names a damaged review and how to retire it, and refuses a store that is none with exit 2", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		damageRecord(repo, lineage_id);
		expect((await repo.run(["review", "list"])).stdout).toContain(`end --lineage ${lineage_id} --damaged`);
		writeFileSync(storePath(repo), "this is no database, and never was one");
		const result = await repo.run(["review", "list"]);
		expect([result.code, result.stdout]).toEqual([2, ""]);
		expect(result.stderr).toContain("review end --store");
		expect((await status(repo)).applicability).toBe("corrupted");
	});
});

describe("the schemas", () => {
	it("are printed by name, with keys in byte order at every level, and need no repository", async () => {
		const repo = new TestRepo();
		for (const [name, id] of [
			["reviewer", "reviewer/v1"],
			["refuter", "refuter/v1"],
			["validator", "validator/v1"],
			["verification-evidence", "verification-evidence/v1"],
			["verification-evidence-record", "verification-evidence-record/v2"],
			["final-verification-incident", "final-verification-incident/v1"],
		]) {
			const result = await repo.run(["review", "schema", name ?? ""], { cwd: repo.home });
			expectSuccess(result);
			expect(result.json<object>()).toMatchObject({ $id: `https://gentle-ai.dev/schema/review/${id}` });
			const document: unknown = result.json();
			expectSorted(document);
			expect(result.stdout).toBe(`${JSON.stringify(document, null, 2)}\n`);
		}
		const raw = (await repo.run(["review", "schema", "verification-evidence"])).json<{ type: string }>();
		expect(raw.type).toBe("string");
	});

	it("are refused by another name, by none, and by two", async () => {
		const repo = new TestRepo();
		for (const words of [["lens"], [], ["reviewer", "refuter"]]) {
			const result = await repo.run(["review", "schema", ...words]);
			expect([result.code, result.stdout]).toEqual([1, ""]);
			expect(result.stderr).toMatch(/^Error: /);
			if (words.length < 2) expect(result.stderr).toContain("final-verification-incident");
		}
	});
});

function expectSorted(value: unknown): void {
	if (typeof value !== "object" || value === null) return;
	if (!Array.isArray(value)) {
		const keys = Object.keys(value);
		expect(keys).toEqual([...keys].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))));
	}
	for (const each of Object.values(value)) expectSorted(each);
}
