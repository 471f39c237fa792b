// Field reports FR-36 and FR-37: locks that nobody holds, and work that does not grow with the repository.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import { answerTo } from "../kit/answers.ts";
import {
	approveLow,
	captureResult,
	expectSuccess,
	failureOf,
	firstInput,
	gate,
	startPrinted,
	status,
	statusWords,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { killInTransaction, storePath } from "../kit/store.ts";
import type { Seen } from "../kit/watch.ts";

describe.concurrent("a lock that nobody holds (FR-36)", () => {
	const LEFT = [
		["journal of a process that was killed while it wrote", killInTransaction],
		["index.lock of a git that was killed", async (repo: TestRepo) => repo.write(".git/index.lock", "")],
	] as const;

	it.each(LEFT)("the %s stops neither STATUS, gate, capture nor START", async (_, leave) => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		await startPrinted(repo);
		const told = await status(repo);
		await leave(repo);
		expect(await status(repo)).toEqual(told);
		expect(failureOf(await gate(repo, "post-apply")).code).toBe("receipt_missing");
		const slot = firstInput(told);
		expectSuccess(await captureResult(repo, slot, answerTo(slot)));
		await leave(repo);
		repo.write("app.ts", "export const n = 3;\n");
		expect((await startPrinted(repo)).action).toBe("created");
	});
});

/** How many Git children one call takes, and how long it takes them when each needs 50 ms more to start. */
async function cost(repo: TestRepo, call: (env: NodeJS.ProcessEnv) => Promise<unknown>): Promise<number> {
	const log = repo.outside("seen", "");
	const began = performance.now();
	await call({ NODE_OPTIONS: `--import=${import.meta.resolve("../kit/watch.ts")}`, WATCH_LOG: log });
	expect(performance.now() - began).toBeLessThan(25_000);
	const seen = readFileSync(log, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Seen);
	return seen.filter((each) => each.kind === "child" && basename(each.file) === "git").length;
}

function slowGit(repo: TestRepo): void {
	const real = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "git"));
	const words = `for git in ${real.map((path) => `'${path}'`).join(" ")}; do [ -x "$git" ] && exec "$git" "$@"; done`;
	writeFileSync(join(repo.bin, "git"), `#!/bin/sh\nsleep 0.05\n${words}\n`, { mode: 0o755 });
}

/** STATUS of a fresh target, of its review, and after a capture; the capture; and a question that is refused. */
async function costs(repo: TestRepo): Promise<Record<string, number>> {
	slowGit(repo);
	const counts: Record<string, number> = {};
	const ask = (env: NodeJS.ProcessEnv) => status(repo, [], { env });
	counts.fresh = await cost(repo, ask);
	await startPrinted(repo);
	counts.bound = await cost(repo, ask);
	const slot = firstInput(await status(repo));
	counts.capture = await cost(repo, async (env) =>
		expectSuccess(await captureResult(repo, slot, answerTo(slot), { env })),
	);
	counts.after = await cost(repo, ask);
	counts.refused = await cost(repo, (env) => repo.run(statusWords("--lineage", "nobody"), { env }));
	return counts;
}

/** Copies one closed review under 200 other names, each as whole as the first. */
function multiply(repo: TestRepo, lineage: string, count: number): void {
	const database = new DatabaseSync(storePath(repo));
	const row = database.prepare("SELECT * FROM lineages WHERE lineage_id = ?").get(lineage) as Record<
		string,
		string | null
	>;
	const columns = Object.keys(row);
	const insert = database.prepare(`INSERT INTO lineages VALUES (${columns.map(() => "?").join(", ")})`);
	database.exec("BEGIN");
	for (let at = 0; at < count; at += 1) {
		const other = { ...row };
		for (const name of columns) other[name] = row[name]?.replaceAll(lineage, `old-${at}`) ?? null;
		other.revision = stateRevision(JSON.parse(other.state_json ?? ""));
		insert.run(...columns.map((name) => other[name] ?? null));
	}
	database.exec("COMMIT");
	database.close();
}

describe.concurrent("many files (FR-37)", () => {
	it("and many old reviews cost as many Git processes as one small change, each within its time", async () => {
		const files = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}.ts`, "export const n = 1;\n"]));
		const many = new TestRepo({ files });
		for (const path of Object.keys(files)) many.write(path, "export const n = 2;\n");
		for (let at = 0; at < 330; at += 1) many.write(`new/u${at}.ts`, `export const u = ${at};\n`);
		const old = new TestRepo();
		old.write("guide.md", "# guide\n\nmore\n");
		multiply(old, await approveLow(old), 200);
		old.git("checkout", "--quiet", "--", ".");
		old.write("app.ts", "export const n = 2;\nexport const m = 2;\n");
		const small = new TestRepo();
		small.write("app.ts", "export const n = 2;\nexport const m = 2;\n");
		const [large, aged, plain] = await Promise.all([many, old, small].map(costs));
		expect(aged).toEqual(plain);
		expect(large).toEqual(plain);
		for (const [name, count] of Object.entries(plain ?? {})) {
			expect(count, name).toBeGreaterThan(0);
			expect(count, name).toBeLessThanOrEqual(12);
		}
	});
});
