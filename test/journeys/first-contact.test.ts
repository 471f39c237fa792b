// START by a caller that declares nothing: a person is asked once a clone; where nobody is, it is said once, on stderr.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Failure, Start } from "../kit/documents.ts";
import { expectSuccess, startWords, status, V1, V2 } from "../kit/drive.ts";
import { expectColumns } from "../kit/refusals.ts";
import { cloneOf, TestRepo } from "../kit/repo.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

async function started(repo: TestRepo, ...flags: string[]) {
	const { target_identity } = await status(repo);
	const result = await repo.run(startWords(target_identity, ...flags));
	expectSuccess(result);
	return result;
}

describe("where nobody can be asked", () => {
	it("says once a clone that reviews happen, then reviews", async () => {
		const repo = medium();
		const first = await started(repo);
		expect(first.json<Start>().action).toBe("created");
		expect(first.stderr).toContain("gentle-ai review mode disable");
		expect(first.stderr.trimEnd().split("\n")).toHaveLength(1);
		repo.write("app.ts", "export const n = 3;\n");
		expect((await started(repo)).stderr).toBe("");
		expect((await repo.run(["review", "start"])).stderr).toBe("");
	});

	it("says it again in another clone, and in the asked language", async () => {
		const repo = medium();
		await started(repo);
		const clone = cloneOf(repo);
		clone.write("app.ts", "export const n = 4;\n");
		expect((await started(clone, "--locale", "es")).stderr).toContain("Gentle AI revisa este cambio");
	});

	it.each([
		["--consent", "granted"],
		["--consent", "relay"],
	])("says nothing, and keeps nothing, for %s %s", async (...flags) => {
		const repo = medium();
		expect((await started(repo, ...flags)).stderr).toBe("");
		expect(existsSync(join(repo.root, ".git/gentle-ai/review-asked"))).toBe(false);
	});

	it("says nothing about a low-risk candidate", async () => {
		const repo = new TestRepo();
		repo.write("guide.md", "# Guide\n\nOne more sentence.\n");
		expect((await started(repo)).stderr).toBe("");
	});
});

const canOpenTerminal = spawnSync("script", ["--version"]).status === 0;

/** Runs the words on a terminal of their own with one key pressed; stdout goes to a file. */
async function atTerminal(
	repo: TestRepo,
	words: readonly string[],
	key: string,
): Promise<{ code: number; out: string; shown: string }> {
	const file = repo.outside("out.json", "");
	const line = ["gentle-ai", ...words, ">", `'${file}'`].join(" ");
	const env = { CI: undefined, TERM: "xterm" };
	const run = await repo.runPrinted(`script -qec "${line}" /dev/null`, { stdin: key, env });
	return { code: run.code ?? 1, out: readFileSync(file, "utf8"), shown: run.stdout };
}

describe.skipIf(!canOpenTerminal)("at a terminal", () => {
	it.each([V1, V2])("asks once; a no is kept for these bytes and answered as the failure of %s", async (contract) => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const words = startWords(target_identity).map((word) => (word === V2 ? contract : word));
		const no = await atTerminal(repo, words, "n");
		expect(no.shown).toContain("Run the review now");
		expect(no.shown).toContain("Not now, just this once");
		expect(no.code).toBe(1);
		expect(JSON.parse(no.out) as Failure).toMatchObject({ contract, operation: "review.start" });
		expectColumns(JSON.parse(no.out) as Failure, "review_declined");
		const again = await atTerminal(repo, words, "n");
		expect(again.shown).not.toContain("Run the review now");
		expect((JSON.parse(again.out) as Start).action).toBe("created");
	});

	it("answers a no without a contract with the typed decline, and a yes with the review", async () => {
		const no = await atTerminal(medium(), ["review", "start"], "n");
		expect(JSON.parse(no.out)).toMatchObject({ action: "declined", consent: "declined_this_candidate" });
		const yes = await atTerminal(medium(), ["review", "start"], "y");
		expect(JSON.parse(yes.out)).toMatchObject({ action: "created", state: "reviewing" });
	});
});
