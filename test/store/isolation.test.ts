// Field reports FR-03, FR-04, FR-12 and FR-26: reviews of other bytes, many at once, what START made, and secrets beside.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import type { Start } from "../kit/documents.ts";
import {
	approve,
	captureResult,
	drive,
	expectSuccess,
	firstInput,
	runExecute,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { type CallOptions, TestRepo } from "../kit/repo.ts";
import { queryStore } from "../kit/store.ts";
import { listing } from "../kit/tree.ts";

describe.concurrent("intact but not ours (FR-03)", () => {
	it("an approved review of another branch is unrelated, and STATUS offers a fresh START", async () => {
		const repo = new TestRepo();
		repo.git("checkout", "--quiet", "-b", "x");
		repo.write("app.ts", "export const n = 9;\n");
		const stranger = await approve(repo);
		repo.commit("on x");
		repo.git("checkout", "--quiet", "main");
		repo.write("app.ts", "export const n = 2;\n");
		const fresh = await status(repo);
		expect(fresh).toMatchObject({ applicability: "unrelated", action: "start" });
		expect(fresh).not.toHaveProperty("authority");
		expect((await runExecute<Start>(repo, fresh)).lineage_id).not.toBe(stranger);
	});
});

describe.concurrent("many half-finished reviews (FR-04)", () => {
	it("leave a fourth, disjoint change alone, and each of them goes on or ends", async () => {
		const files = Object.fromEntries([1, 2, 3, 4].map((at) => [`m${at}.ts`, `export const n = ${at};\n`]));
		const repo = new TestRepo({ files });
		const change = (at: number) => {
			repo.git("checkout", "--quiet", "--", ".");
			repo.write(`m${at}.ts`, `export const n = ${at * 10};\n`);
		};
		const open: string[] = [];
		for (const at of [1, 2, 3]) {
			change(at);
			open.push((await startPrinted(repo)).lineage_id);
		}
		change(4);
		const rows = () => queryStore(repo, "SELECT * FROM lineages ORDER BY created_at LIMIT 3");
		const before = rows();
		const fresh = await status(repo);
		expect(fresh).toMatchObject({ applicability: "unrelated", candidates: [] });
		expect(transitionOf(fresh).reason_code).toBe("fresh_target_ready");
		const fourth = await runExecute<Start>(repo, fresh);
		expect(open).not.toContain(fourth.lineage_id);
		expect(rows()).toEqual(before);
		change(1);
		expect((await status(repo)).authority?.lineage_id).toBe(open[0]);
		await drive(repo);
		expect((await status(repo)).authority).toMatchObject({ lineage_id: open[0], state: "approved" });
		for (const at of [2, 3]) {
			change(at);
			const { authority } = await status(repo);
			expect(authority?.lineage_id).toBe(open[at - 1]);
			const words = ["review", "end", "--lineage", authority?.lineage_id ?? "", "--reason", "not needed"];
			expectSuccess(await repo.run([...words, "--expected-revision", authority?.revision ?? ""]));
			expect((await status(repo)).applicability).toBe("unrelated");
		}
		change(4);
		expect((await status(repo)).authority?.lineage_id).toBe(fourth.lineage_id);
	});
});

describe.concurrent("STATUS sees what START made (FR-12)", () => {
	const SHAPES: readonly (readonly [string, (repo: TestRepo) => void])[] = [
		["only untracked files", (repo) => ["a.ts", "b/c.ts"].forEach((path) => void repo.write(path, "export {};\n"))],
		[
			"a CRLF edit below text=auto",
			(repo) => {
				repo.write(".gitattributes", "* text=auto\n");
				repo.commit("attributes");
				repo.write("app.ts", "export const n = 2;\r\n");
			},
		],
		[
			"six staged new files",
			(repo) => {
				for (const at of [1, 2, 3, 4, 5, 6]) repo.write(`new-${at}.ts`, `export const n = ${at};\n`);
				repo.stage();
			},
		],
	];

	it.each(SHAPES)("with %s, twice, and still after git add", async (_, shape) => {
		const repo = new TestRepo();
		shape(repo);
		const fresh = await status(repo);
		const { lineage_id } = await runExecute<Start>(repo, fresh);
		const first = await status(repo);
		expect(first).toMatchObject({ authority: { lineage_id }, target_identity: fresh.target_identity });
		const bound = ["--lineage", lineage_id];
		for (const flags of [bound, bound, []]) expect(await status(repo, flags)).toEqual(first);
		repo.stage();
		expect(await status(repo)).toMatchObject({ authority: { lineage_id }, target_identity: fresh.target_identity });
	});
});

/** Remembers every byte that the program printed. */
class Overheard extends TestRepo {
	readonly said: string[] = [];

	private hear(result: RunResult): RunResult {
		this.said.push(result.stdout, result.stderr);
		return result;
	}

	override async run(args: readonly string[], options: CallOptions = {}): Promise<RunResult> {
		return this.hear(await super.run(args, options));
	}

	override async runPrinted(command: string, options: CallOptions = {}): Promise<RunResult> {
		return this.hear(await super.runPrinted(command, options));
	}
}

describe.concurrent("credentials lying around (FR-26)", () => {
	const SECRET = "synthetic-credential-7f3a91";
	const KEY = "synthetic-private-key-c04d22";

	it.each([
		["ignored by Git", [] as string[]],
		["outside of the staged candidate", ["--projection", "staged"]],
	])("%s get into no tree, answer, store file or object", async (_, flags) => {
		const repo = new Overheard();
		if (flags.length === 0) {
			repo.write(".gitignore", ".env\n*.pem\n");
			repo.commit("ignore");
		}
		repo.write("app.ts", "export const n = 2;\n");
		repo.stage();
		repo.write(".env", `TOKEN=${SECRET}\n`);
		repo.write("id_test.pem", `${KEY}\n`);
		const started = await startPrinted(repo, flags);
		expect(started.changed_files).toBe(1);
		const slot = firstInput(await status(repo, flags));
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		await approve(repo, flags);
		const objects = repo.gitWith({}, "cat-file", "--batch-all-objects", "--batch").toString("latin1");
		const files = [repo.path(".git", "gentle-ai"), repo.home, repo.tmp].flatMap((folder) =>
			Object.entries(listing(folder)).flatMap(([name, text]) =>
				text.startsWith("file") ? [name, readFileSync(join(folder, name), "latin1")] : [],
			),
		);
		const everything = [...repo.said, ...files, objects].join("\n");
		expect(everything).not.toContain(SECRET);
		expect(everything).not.toContain(KEY);
		expect(everything).not.toContain("id_test.pem");
	});
});
