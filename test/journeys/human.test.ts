// The human run: what a person sees, what a script reads, and what is never done without them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { type ReviewRun, ReviewRun as ReviewRunSchema } from "../../packages/gentle-ai/src/contract/wire/run.ts";
import { TestRepo } from "../kit/repo.ts";

const validate = new Ajv2020({ strict: false }).compile(ReviewRunSchema);

/** Put together at run time, so that no scanner takes this file for a leak. */
const KEY_ID = ["AKIA", "Q3EGRZ7WYLK4", "TUVB"].join("");

type Told = { readonly code: number | null; readonly run: ReviewRun; readonly stderr: string };

async function review(repo: TestRepo, ...words: string[]): Promise<Told> {
	const result = await repo.run(["review", "--format", "json", ...words]);
	const run = result.json<ReviewRun>();
	expect(validate(run), JSON.stringify(validate.errors)).toBe(true);
	return { code: result.code, run, stderr: result.stderr };
}

/** Every byte below a folder, as one text. */
function everythingIn(folder: string): string {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
		.join("\n");
}

function leaking(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", `export const n = 1;\nconst accessKeyId = "${KEY_ID}";\nexport { accessKeyId };\n`);
	return repo;
}

describe("a committed credential", () => {
	it("blocks at its line, at medium tier, before any verification runs", async () => {
		const repo = leaking();
		const { code, run } = await review(repo, "--yes", "--verify", "touch verified");
		expect(code).toBe(1);
		expect(run.state).toBe("correction_required");
		expect(run.tier).toBe("medium");
		expect(run.findings[0]).toMatchObject({
			severity: "BLOCKER",
			location: "app.ts:2",
			family: "committed-secret",
			evidence_class: "deterministic",
			causal_disposition: "introduced",
		});
		expect(run.receipt).toBeNull();
		expect(readdirSync(repo.root)).not.toContain("verified");
	});

	it("is masked wherever it could be told: in both formats, in the store and in every published copy", async () => {
		const repo = leaking();
		const json = await repo.run(["review", "--format", "json", "--yes", "--verify", "true"]);
		const pretty = await repo.run(["review", "--yes", "--verify", "true"]);
		for (const text of [json.stdout, json.stderr, pretty.stdout, pretty.stderr]) expect(text).not.toContain(KEY_ID);
		expect(pretty.stdout).toContain("app.ts:2");
		expect(everythingIn(repo.path(".git", "gentle-ai"))).not.toContain(KEY_ID);
		expect(everythingIn(repo.home)).not.toContain(KEY_ID);
	});

	it("leaves three honest ways out, each of which runs as printed", async () => {
		const repo = leaking();
		const { run } = await review(repo, "--yes", "--verify", "true");
		const [, end, decline] = run.exits;
		const declined = await repo.runPrinted(decline?.command ?? "");
		expect(declined.json<{ consent: string }>().consent).toBe("declined_this_candidate");
		repo.git("add", "--all");
		const gate = await repo.run(["review", "validate", "--gate", "pre-commit"]);
		expect(gate.json<{ delivery: string }>().delivery).toBe("candidate_declined/unmanaged");
		expect(gate.code).toBe(0);
		const ended = await repo.runPrinted((end?.command ?? "").replace("<why>", "the key is revoked"));
		expect(ended.code).toBe(0);
		expect((await review(repo, "--yes", "--verify", "true")).run.lineage_id).toBe(`${run.lineage_id}-2`);
	});
});

describe("a correction over its budget", () => {
	it("is left open, and every way out that is printed runs as printed", async () => {
		const repo = leaking();
		await review(repo, "--yes", "--verify", "true");
		repo.write("app.ts", Array.from({ length: 20 }, (_, line) => `export const n${line} = ${line};\n`).join(""));
		const { code, run } = await review(repo, "--yes", "--verify", "true");
		expect([code, run.state]).toEqual([1, "correction_required"]);
		expect(run.notes.join()).toContain("make it smaller");
		const [again, end, ...others] = run.exits;
		expect(others).toEqual([]);
		expect((await repo.runPrinted(`${again?.command} --yes --verify true --format json`)).code).toBe(1);
		expect((await repo.runPrinted((end?.command ?? "").replace("<why>", "too long to fix"))).code).toBe(0);
		expect((await review(repo, "--yes", "--verify", "true")).run.state).toBe("approved");
	});
});

describe("a clean change", () => {
	it("is approved when the person's own command passes, and the gate allows exactly the staged bytes", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { code, run } = await review(repo, "--yes", "--verify", "true");
		expect([code, run.state, run.evidence?.outcome]).toEqual([0, "approved", "passed"]);
		expect(run.candidate_tree).toBe(run.receipt?.document.final_candidate_tree);
		repo.git("add", "--all");
		expect((await repo.runPrinted(run.next ?? "")).code).toBe(0);
		repo.write("app.ts", "export const n = 2;\n\n");
		repo.git("add", "--all");
		const denied = await repo.runPrinted(run.next ?? "");
		expect(denied.code).toBe(1);
		expect(denied.stderr).toContain("app.ts");
	});

	it("is told to be approved already the second time, with the same receipt and without asking", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const first = await review(repo, "--yes", "--verify", "true");
		const second = await review(repo);
		expect(second.code).toBe(0);
		expect(second.run.already_approved).toBe(true);
		expect(second.run.receipt).toEqual(first.run.receipt);
	});

	it("of documentation needs no lens, no consent and no verification", async () => {
		const repo = new TestRepo();
		repo.write("guide.md", "# guide\n\nOne more sentence.\n");
		const { code, run } = await review(repo);
		expect([code, run.state, run.tier, run.lenses]).toEqual([0, "approved", "low", []]);
		expect(run.evidence).toMatchObject({ outcome: "passed", command: null });
	});

	it("of a committed range is approved like one of the work tree", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		repo.commit("second");
		const { run } = await review(repo, "--base-ref", "HEAD~1", "--committed-only", "--yes", "--verify", "true");
		expect(run.state).toBe("approved");
		expect((await repo.runPrinted(run.next ?? "")).code).toBe(0);
	});

	it("runs four reviewers where the risk is high", async () => {
		const repo = new TestRepo();
		repo.write("scripts/deploy.sh", "echo deploy\n");
		const { run } = await review(repo, "--yes", "--verify", "true");
		expect([run.state, run.tier]).toEqual(["approved", "high"]);
		expect(run.lenses).toHaveLength(4);
	});
});

describe("without the person", () => {
	it("nothing is written: no terminal and no --yes is exit 2, and the last word is the command that works", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { code, run } = await review(repo);
		expect([code, run.state, run.error?.field]).toEqual([2, "failed", "--yes"]);
		expect(readdirSync(repo.path(".git"))).not.toContain("gentle-ai");
		expect(run.next).toContain("--yes");
	});

	it("no verification is invented: the review waits and names the line that verifies", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const waiting = await review(repo, "--yes");
		expect([waiting.code, waiting.run.state]).toEqual([1, "verification_required"]);
		const verified = await review(repo, "--yes", "--verify", "true");
		expect([verified.run.state, verified.run.lineage_id]).toEqual(["approved", waiting.run.lineage_id]);
	});

	it("a command is suggested from the base tree only, never from the candidate", async () => {
		const manifest = (test: string) => `${JSON.stringify({ scripts: { test } })}\n`;
		const repo = new TestRepo({ files: { "app.ts": "export const n = 1;\n", "package.json": manifest("exit 0") } });
		repo.write("app.ts", "export const n = 2;\n");
		const known = await review(repo, "--yes", "--verify", "auto");
		expect([known.run.state, known.run.evidence?.command]).toEqual(["approved", "npm test"]);
		const fresh = new TestRepo();
		fresh.write("app.ts", "export const n = 2;\n");
		fresh.write("package.json", manifest("touch pwned"));
		expect((await review(fresh, "--yes", "--verify", "auto")).run.state).toBe("verification_required");
		expect(readdirSync(fresh.root)).not.toContain("pwned");
	});
});

describe("verification", () => {
	it("that fails approves nothing and records nothing; the next run takes it up again", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const failed = await review(repo, "--yes", "--verify", "echo broken; exit 3");
		expect([failed.code, failed.run.state]).toEqual([1, "verification_failed"]);
		expect(failed.run.notes.join()).toContain("exit code 3");
		expect((await review(repo, "--verify", "true")).run.state).toBe("approved");
	});

	it("that changes the work tree proves nothing about what was reviewed", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { run } = await review(repo, "--yes", "--verify", "echo 3 > app.ts");
		expect(run.state).toBe("verification_required");
		expect(run.receipt).toBeNull();
	});

	it("of a staged candidate needs a work tree that equals it", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		repo.git("add", "--all");
		repo.write("app.ts", "export const n = 3;\n");
		const { run } = await review(repo, "--projection", "staged", "--yes", "--verify", "true");
		expect(run.state).toBe("verification_required");
		repo.write("app.ts", "export const n = 2;\n");
		expect((await review(repo, "--projection", "staged", "--verify", "true")).run.state).toBe("approved");
	});
});

describe("a repository without changes", () => {
	it("is told so, with the command that reviews the last commit, and that command runs", async () => {
		const repo = new TestRepo();
		repo.write("guide.md", "# guide\n\nMore.\n");
		repo.commit("second");
		const { code, run } = await review(repo);
		expect([code, run.state]).toEqual([0, "nothing_to_review"]);
		const last = await repo.runPrinted(run.next ?? "");
		expect(last.json<ReviewRun>().state).toBe("approved");
	});

	it("of one commit has a last commit too", async () => {
		const repo = new TestRepo({ files: { "guide.md": "# guide\n" } });
		const { run } = await review(repo);
		expect((await repo.runPrinted(run.next ?? "")).json<ReviewRun>().state).toBe("approved");
	});
});

describe("the options", () => {
	it("write into a file when asked, in either format", async () => {
		const repo = new TestRepo();
		const file = join(repo.folder, "run.json");
		writeFileSync(file, "old");
		const result = await repo.run(["review", "--format", "json", "--output", file]);
		expect(result.stdout).toBe("");
		expect((JSON.parse(readFileSync(file, "utf8")) as ReviewRun).state).toBe("nothing_to_review");
	});

	it.each([
		["--reviewer", "oracle", "static"],
		["--format", "yaml", "pretty, json"],
		["--projection", "all", "staged, workspace"],
	])("refuse %s %s and name what is accepted", async (flag, value, accepted) => {
		const repo = new TestRepo();
		const result = await repo.run(["review", flag, value]);
		expect(result.code).toBe(2);
		expect(result.stderr).toContain(flag);
		expect(result.stderr).toContain(accepted);
	});

	it("play the whole story with --demo, and leave nothing behind", async () => {
		const repo = new TestRepo();
		const result = await repo.run(["review", "--demo"]);
		expect(result.code, result.stdout).toBe(0);
		expect(result.stdout).not.toContain(KEY_ID);
		expect(readdirSync(repo.tmp)).toEqual([]);
	});
});
