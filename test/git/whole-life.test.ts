// A whole review in repositories of either object format: every id fits (A10), and nothing of the repository moves (A12).
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import { captureAll, drive, expectSuccess, finalized, gate, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { CheckedRepo, MATERIAL_IS_THERE } from "../kit/schemas.ts";
import { queryStore } from "../kit/store.ts";
import { listing } from "../kit/tree.ts";

const DIGITS = { sha1: 40, sha256: 64 } as const;

/** Everything but our own folder and the objects, with every time; folders that got one of ours keep their mode alone. */
function untouched(repo: TestRepo): Record<string, string> {
	const ours = /^\.\/\.git\/(gentle-ai|objects)(\/|$)/;
	const entries = Object.entries(listing(repo.root)).filter(([path]) => !ours.test(path));
	return Object.fromEntries(entries.map(([path, text]) => [path, path === "./.git" ? text.slice(0, 10) : text]));
}

function high<Repo extends TestRepo>(repo: Repo): Repo {
	repo.write("scripts/deploy.sh", "echo deploy\n");
	repo.write("app.ts", "export const n = 2;\n");
	repo.stage("app.ts");
	repo.write("app.ts", "export const n = 3;\n");
	return repo;
}

/** Columns of the store that hold object ids, and what they hold. */
function storedIds(repo: TestRepo): string[] {
	const rows = queryStore(
		repo,
		"SELECT base_tree, candidate_tree FROM lineages UNION SELECT base_tree, candidate_tree FROM declines",
	);
	return rows.flatMap((row) => Object.values(row).map(String));
}

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	it.skipIf(!MATERIAL_IS_THERE)("ids pass every schema and every column from STATUS to the end (A10)", async () => {
		const repo = high(new CheckedRepo({ format }));
		const start = await startPrinted(repo);
		for (const id of [start.base_tree, start.candidate_tree]) expect(id).toHaveLength(DIGITS[format]);
		const { last } = await drive(repo);
		expect(last.authority?.state).toBe("approved");
		expectSuccess(await gate(repo, "post-apply"));
		repo.write("app.ts", "export const n = 4;\n");
		const second = await startPrinted(repo);
		await captureAll(repo, ({ artifact_subject }) =>
			artifact_subject?.lens === "review-risk" ? [blocker("app.ts:1")] : [],
		);
		const closed = await finalized(repo, second.lineage_id, "--captured-results", "--next-transition");
		expect(closed.state).toBe("correction_required");
		await status(repo, ["--projection", "staged"]);
		expect(repo.problems).toEqual([]);
		const ids = storedIds(repo);
		expect(ids.length).toBeGreaterThanOrEqual(4);
		for (const id of ids) expect(id).toMatch(new RegExp(`^[0-9a-f]{${DIGITS[format]}}$`));
	});

	it("the human run reads, judges and closes too, also before the first commit (A10)", async () => {
		for (const files of [undefined, {}]) {
			const repo = new TestRepo({ format, ...(files !== undefined && { files }) });
			repo.write("app.ts", "export const n = 2;\n");
			const result = await repo.run(["review", "--format=json", "--yes", "--verify", "true"]);
			expect(result.json()).toMatchObject({ state: "approved", tier: "medium", changed_files: 1 });
		}
	});

	it("no operation moves a byte or a time of the index, the work tree, the refs or the configuration (A12)", async () => {
		const repo = high(new TestRepo({ format }));
		const before = untouched(repo);
		await startPrinted(repo, ["--projection", "staged"]);
		await drive(repo);
		expectSuccess(await gate(repo, "post-apply"));
		await gate(repo);
		const { authority } = await status(repo);
		const words = ["--lineage", authority?.lineage_id ?? "", "--expected-revision", authority?.revision ?? ""];
		expectSuccess(await repo.run(["review", "end", ...words, "--reason", "done"]));
		expect(untouched(repo)).toEqual(before);
	});
});
