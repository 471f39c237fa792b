// Field reports FR-40 and FR-41: repositories inside the work tree, and commands that are run somewhere else.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReviewRun } from "../../packages/gentle-ai/src/contract/wire/run.ts";
import { answerTo } from "../kit/answers.ts";
import type { Consent, Start, Status } from "../kit/documents.ts";
import {
	captureEvidence,
	captureResult,
	executionOf,
	expectSuccess,
	firstInput,
	gate,
	startPrinted,
	startWords,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { queryStore } from "../kit/store.ts";
import { contentsOf } from "../kit/tree.ts";

describe.concurrent("repositories inside the work tree (FR-40)", () => {
	it("are reported by name and left out, and the one document on stdout says so", async () => {
		const repo = new TestRepo();
		repo.write("guide.md", "# guide\n\nmore\n");
		repo.git("worktree", "add", "--quiet", "wt/x", "-b", "x");
		repo.git("clone", "--quiet", repo.root, repo.path("tools/y"));
		const result = await repo.run(["review", "--format", "json", "--yes"]);
		const run = result.json<ReviewRun>();
		expect(run).toMatchObject({ state: "approved", changed_files: 1 });
		expect(run.notes.filter((note) => note.includes("tools/y") && note.includes("wt/x"))).toHaveLength(1);
	});
});

/** A with a change and a folder deep inside, a work tree linked to it, and a repository that knows nothing of it. */
function places() {
	const here = new TestRepo();
	here.git("worktree", "add", "--quiet", "../linked", "-b", "linked");
	const linked = join(here.folder, "linked");
	writeFileSync(join(linked, "app.ts"), "export const n = 4;\n");
	here.write("app.ts", "export const n = 2;\n");
	mkdirSync(here.path("sub", "dir"), { recursive: true });
	const other = new TestRepo();
	other.write("app.ts", "export const n = 3;\n");
	return { here, linked, other };
}

/** The states that a review goes through, each with the step that leads on. */
const STEPS: readonly (readonly [
	reason: string,
	next: (repo: TestRepo, told: Status, cwd?: string) => Promise<void>,
])[] = [
	["fresh_target_ready", printed],
	[
		"reviewer_results_required",
		async (repo, told, cwd) => {
			const slot = firstInput(told);
			expectSuccess(await captureResult(repo, slot, answerTo(slot), cwd === undefined ? {} : { cwd }));
		},
	],
	["captured_results_ready", printed],
	[
		"verification_evidence_required",
		async (repo, told) => {
			expectSuccess(await captureEvidence(repo, firstInput(told), "passed"));
		},
	],
	["captured_verification_evidence_passed", printed],
];

async function printed(repo: TestRepo, told: Status, cwd?: string): Promise<void> {
	expectSuccess(await repo.runPrinted(executionOf(told).command, cwd === undefined ? {} : { cwd }));
}

describe.concurrent("the wrong directory (FR-41)", () => {
	it("a printed command run in another repository is refused by name, and changes nothing there", async () => {
		const { here, other } = places();
		for (const [reason, next] of STEPS) {
			const told = await status(here);
			const { execute, reason_code } = transitionOf(told);
			expect(reason_code).toBe(reason);
			if (execute !== undefined) {
				const before = contentsOf(other);
				const result = await here.runPrinted(execute.command, { cwd: other.root, env: other.env });
				expect(result.code, execute.command).toBe(1);
				expect(result.stderr).toMatch(/^Error: .*\[(stale_target_identity|invalid_request)\]\n$/);
				expect(contentsOf(other)).toEqual(before);
				expect(await status(here)).toEqual(told);
			}
			await next(here, told);
		}
		const approved = await status(here);
		expect(approved.authority?.state).toBe("approved");
		const asked = await here.runPrinted(executionOf(approved).command, { cwd: other.root, env: other.env });
		expect(asked.code).toBe(1);
		expect(asked.stderr).toMatch(/\[(receipt_missing|receipt_unrelated|invalid_request)\]\n$/);
	});

	it("a printed slot leads to its own review from anywhere, and a linked work tree opens none of its own", async () => {
		const { here, linked, other } = places();
		const fresh = await status(here);
		const elsewhere = await here.runPrinted(executionOf(fresh).command, { cwd: linked });
		expect(elsewhere.code).toBe(1);
		expect(elsewhere.stderr).toContain("[stale_target_identity]");
		await startPrinted(here);
		const slot = firstInput(await status(here));
		const before = contentsOf(other);
		expectSuccess(await captureResult(here, slot, answerTo(slot), { cwd: other.root }));
		expect(contentsOf(other)).toEqual(before);
		expect(transitionOf(await status(here)).reason_code).toBe("captured_results_ready");
		expect((await status(here, [], { cwd: linked })).applicability).toBe("unrelated");
		expect(queryStore(here, "SELECT lineage_id FROM lineages")).toHaveLength(1);
	});

	it("from a folder deep inside every verb answers and does what it does at the root", async () => {
		const { here } = places();
		const cwd = here.path("sub", "dir");
		for (const [reason, next] of STEPS) {
			const told = await status(here);
			expect(await status(here, [], { cwd })).toEqual(told);
			expect(transitionOf(told).reason_code).toBe(reason);
			await next(here, told, cwd);
		}
		here.stage();
		for (const name of ["pre-commit", "post-apply"]) {
			const [deep, root] = [await gate(here, name, [], { cwd }), await gate(here, name)];
			expectSuccess(deep);
			expect(deep.stdout).toBe(root.stdout);
		}
	});

	it("a consent question repeats the folder it was asked for: its invocations work from anywhere", async () => {
		const { here, other } = places();
		const { target_identity } = await status(here);
		const asked = await here.run(startWords(target_identity, "--cwd", here.root, "--consent", "relay"));
		expectSuccess(asked);
		const granted = asked.json<Consent>().choices.find(({ answer }) => answer === "granted");
		const before = contentsOf(other);
		const result = await here.runPrinted(granted?.invocation ?? "false", { cwd: other.root });
		expectSuccess(result);
		expect((await status(here)).authority?.lineage_id).toBe(result.json<Start>().lineage_id);
		expect(contentsOf(other)).toEqual(before);
	});
});
