// Trees that no work tree could hold (A9), and changes of uncommon size (B7): bytes or a typed answer, never half of it.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { committed, judge, look, within } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";

/** A commit on top of HEAD whose tree is made by hand; entries of one folder. */
function commitTree(repo: TestRepo, names: readonly string[]): void {
	const blob = repo.gitWith({ input: "export const x = 1;\n" }, "hash-object", "-w", "--stdin").toString().trim();
	const rows = names.map((name) => `100644 blob ${blob}\t${name}\0`).join("");
	const tree = repo.gitWith({ input: rows }, "mktree", "-z").toString().trim();
	repo.git("update-ref", "HEAD", repo.git("commit-tree", tree, "-p", "HEAD", "-m", "odd"));
}

describe.each(["sha1", "sha256"] as const)("a hand-made tree of a %s repository", (format) => {
	it.each([[["Con", "NUL.txt"]], [["A", "a"]], [["app.ts ", "app.ts."]], [["é", "é"]]])(
		"with %j is taken as bytes and written nowhere (A9)",
		async (names) => {
			const repo = new TestRepo({ format });
			const before = readdirSync(repo.folder, { recursive: true }).filter((name) => !String(name).includes(".git/"));
			commitTree(repo, names);
			const { snapshot, manifest } = await judge(repo, committed("HEAD~1"));
			expect(snapshot.candidate_tree).toBe(repo.git("rev-parse", "HEAD^{tree}"));
			const added = manifest.filter(({ status }) => status === "A").map(({ path }) => path);
			expect(new Set(added)).toEqual(new Set(names));
			const after = readdirSync(repo.folder, { recursive: true }).filter((name) => !String(name).includes(".git/"));
			expect(after).toEqual(before);
		},
	);

	it.each([".GIT", ".git", "a\\b", ".git ", "..", "."])(
		"with %j is bytes or a typed refusal, never a file (A9)",
		async (name) => {
			const repo = new TestRepo({ format });
			commitTree(repo, [name, "z.ts"]);
			const before = readdirSync(repo.root).sort();
			const answer = await judge(repo, committed("HEAD~1")).then(
				({ manifest }) => manifest.map(({ path }) => path),
				(error: { code?: string }) => error.code,
			);
			if (Array.isArray(answer)) expect(answer).toEqual([name, "app.ts", "guide.md", "z.ts"].sort());
			else expect(answer).toBe("invalid_request");
			expect(readdirSync(repo.root).sort()).toEqual(before);
		},
	);

	it("with two names that differ in one invalid byte never merges them (A8)", async () => {
		const repo = new TestRepo({ format });
		for (const byte of [0xfe, 0xff]) {
			writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/bad`), Buffer.from([byte])]), `${byte}\n`);
		}
		await expect(look(repo)).rejects.toMatchObject({ code: "invalid_request", progress: "not_started" });
		await expect(within(repo, async () => judge(repo))).rejects.toMatchObject({ code: "invalid_request" });
	});
});

const SOAK = process.env.GENTLE_AI_SOAK === "1";
const PATHS = SOAK ? 100_000 : 20_000;
const MEGABYTES = SOAK ? 500 : 60;

describe("a candidate of uncommon size", () => {
	it(`with ${PATHS} paths is whole and within its time (B7)`, async () => {
		const repo = new TestRepo();
		for (let at = 0; at < PATHS; at += 1) {
			if (at % 500 === 0) mkdirSync(repo.path(`d${at / 500}`));
			writeFileSync(repo.path(`d${Math.floor(at / 500)}/f${at}.ts`), `${at}\n`);
		}
		const started = performance.now();
		const { snapshot, lines } = await judge(repo);
		expect(performance.now() - started).toBeLessThan(25_000);
		expect(snapshot.paths).toHaveLength(PATHS);
		expect(lines).toBe(PATHS);
		repo.git("add", "--all");
		expect(repo.git("write-tree")).toBe(snapshot.candidate_tree);
	}, 120_000);

	it("with a list of paths over the limit is refused typed, never cut (B7)", async () => {
		const repo = new TestRepo();
		const long = "n".repeat(200);
		const names = Array.from({ length: 16_000 }, (_, at) => `${String(at).padStart(6, "0")}-${long}`);
		commitTree(repo, names);
		await expect(judge(repo, committed("HEAD~1"))).rejects.toMatchObject({ code: "git_command_failed" });
		await expect(look(repo, committed("HEAD~1"))).rejects.toMatchObject({ code: "git_command_failed" });
	}, 60_000);

	it(`with a file of ${MEGABYTES} MB is counted in bounded memory (B7)`, async () => {
		const repo = new TestRepo();
		const line = `${"x".repeat(1_023)}\n`;
		writeFileSync(repo.path("big.ts"), line.repeat(MEGABYTES * 1_024));
		global.gc?.();
		const before = process.memoryUsage().rss;
		const { lines, tier } = await judge(repo);
		expect(process.memoryUsage().rss - before).toBeLessThan(MEGABYTES * 1024 * 1024 * 0.8);
		expect(lines).toBe(MEGABYTES * 1_024);
		expect(tier).toBe("high");
	}, 120_000);

	it("with folders 4,000 deep is whole or refused typed, in bounded time (B7)", async () => {
		const repo = new TestRepo();
		const blob = repo.gitWith({ input: "deep\n" }, "hash-object", "-w", "--stdin").toString().trim();
		const path = `${"d/".repeat(4_000)}f.ts`;
		repo.gitWith({ input: `100644 ${blob}\t${path}\0` }, "update-index", "--add", "-z", "--index-info");
		const { snapshot } = await judge(repo, { kind: "current-changes", projection: "staged" });
		expect(snapshot.paths).toEqual([path]);
		expect(snapshot.candidate_tree).toBe(repo.git("write-tree"));
	}, 60_000);
});
