// Calls without a contract: the older shapes of START, STATUS and FINALIZE, and what they refuse.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Start } from "../kit/documents.ts";
import {
	captureAll,
	captureEvidence,
	expectSuccess,
	finalized,
	firstInput,
	startPrinted,
	startWords,
	status,
} from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";
import { damageRecord, receiptPath, storePath } from "../kit/store.ts";

function high(): TestRepo {
	const repo = new TestRepo();
	repo.write("scripts/deploy.sh", "echo deploy\n");
	return repo;
}

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

/** Nothing on stdout, one line for people on stderr. */
function expectRefused(result: RunResult, flag: string): void {
	expect([result.code, result.stdout]).toEqual([1, ""]);
	expect(result.stderr).toMatch(/^Error: /);
	expect(result.stderr).toContain(flag);
	expect(result.stderr).toContain("[invalid_request]");
}

const START = ["review", "start"];

describe("START without a contract", () => {
	it("says which lens answers under which prefix, and nothing of the candidate's content", async () => {
		const result = await high().run(START);
		expectSuccess(result);
		const document = result.json<Record<string, unknown>>();
		expect(document).toEqual({
			operation: "review/start",
			action: "created",
			lenses_required: true,
			lineage_id: expect.stringMatching(/^review-[0-9a-f]{16}$/),
			state: "reviewing",
			risk_level: "high",
			selected_lenses: ["review-risk", "review-resilience", "review-readability", "review-reliability"],
			lens_bindings: [
				{ lens: "review-risk", order: 0, finding_id_prefix: "R1" },
				{ lens: "review-resilience", order: 1, finding_id_prefix: "R4" },
				{ lens: "review-readability", order: 2, finding_id_prefix: "R2" },
				{ lens: "review-reliability", order: 3, finding_id_prefix: "R3" },
			],
			projection: "workspace",
			changed_files: 1,
			changed_lines: 1,
			correction_budget: 1,
			risk_evidence: ["shell scripting in scripts/deploy.sh"],
		});
		expect(Object.keys(document)).toEqual([
			"operation",
			"action",
			"lenses_required",
			"lineage_id",
			"state",
			"risk_level",
			"selected_lenses",
			"lens_bindings",
			"projection",
			"changed_files",
			"changed_lines",
			"correction_budget",
			"risk_evidence",
		]);
	});

	it("opens the same review as a negotiated one", async () => {
		const repo = medium();
		const plain = (await repo.run(START)).json<Start>();
		const { target_identity } = await status(repo);
		expect((await repo.run(startWords(target_identity))).json<Start>()).toMatchObject({
			action: "resumed",
			lineage_id: plain.lineage_id,
		});
	});

	it("names the trees of an overlay", async () => {
		const repo = medium();
		repo.commit("second");
		repo.write("new.ts", "export const m = 3;\n");
		repo.stage();
		const overlay = await repo.run([...START, "--base-ref", "HEAD~1", "--workspace-overlay"]);
		expectSuccess(overlay);
		expect(overlay.json()).toMatchObject({
			target_mode: "base-workspace-overlay",
			target_identity: expect.stringMatching(/^sha256:/),
			base_tree: repo.git("rev-parse", "HEAD~1^{tree}"),
			candidate_tree: repo.git("write-tree"),
		});
	});

	it("reviews a range of commits alone only when no tracked file differs, or when the caller says so", async () => {
		const repo = medium();
		repo.commit("second");
		repo.write("untracked.ts", "x\n");
		expectSuccess(await repo.run([...START, "--base-ref", "HEAD~1"]));
		repo.write("app.ts", "export const n = 3;\n");
		expectRefused(await repo.run([...START, "--base-ref", "HEAD~1"]), "--committed-only");
		expectSuccess(await repo.run([...START, "--base-ref", "HEAD~1", "--committed-only"]));
		expectRefused(await repo.run([...START, "--base-ref", "HEAD~1", "--projection", "staged"]), "--projection");
	});

	it("refuses what only a negotiated call may say", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		for (const [flag, value] of [
			["target", target_identity],
			["consent", "relay"],
			["locale", "es"],
		] as const) {
			expectRefused(await repo.run([...START, `--${flag}`, value]), "--contract");
		}
		expect((await status(repo)).applicability).toBe("unrelated");
	});
});

describe("STATUS without a contract", () => {
	const list = (repo: TestRepo) => repo.run(["review", "status"]);

	it("lists the reviews of the repository with the place where they are kept", async () => {
		const repo = medium();
		const empty = await list(repo);
		expectSuccess(empty);
		expect(empty.json()).toEqual({
			schema: "gentle-ai.review-authority-status/v1",
			operation: "review/status",
			repository: repo.root,
			complete: true,
			authoritative: true,
			status: "empty",
			entries: [],
			locks: [],
			diagnostics: [],
		});
		expect(existsSync(storePath(repo))).toBe(false);
		const { lineage_id, repository_context } = await startPrinted(repo);
		expect((await list(repo)).json()).toMatchObject({
			status: "valid",
			entries: [
				{
					version: "compact-v2",
					lineage_id,
					path: storePath(repo),
					status: "valid",
					state: "reviewing",
					revision: repository_context?.revision,
					snapshot_identity: repository_context?.target_identity,
					problems: [],
				},
			],
		});
	});

	it("is incomplete where a record is damaged, names it, and still lists the others", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		repo.write("app.ts", "export const n = 9;\n");
		const other = await startPrinted(repo);
		damageRecord(repo, lineage_id);
		const listing = (await list(repo)).json<{
			entries: { lineage_id: string; status: string; problems: string[] }[];
		}>();
		expect(listing).toMatchObject({ complete: false, authoritative: false, status: "damaged" });
		const rows = Object.fromEntries(listing.entries.map((entry) => [entry.lineage_id, entry]));
		expect(rows[lineage_id]).toMatchObject({ status: "damaged", problems: [expect.any(String)] });
		expect(rows[other.lineage_id]).toMatchObject({ status: "valid", problems: [] });
	});

	it("refuses every question about one target", async () => {
		const repo = medium();
		const flags = [
			["--next-transition"],
			["--action-eligibility"],
			["--lineage", "review-a"],
			["--projection", "staged"],
			["--base-ref", "HEAD"],
			["--gate", "pre-commit"],
		];
		for (const words of flags) expectRefused(await repo.run(["review", "status", ...words]), words[0] ?? "");
	});
});

describe("FINALIZE without a contract", () => {
	it("says where the receipt of a closed review lies, and only then", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo);
		const close = (flag: string) => repo.run(["review", "finalize", "--lineage", lineage_id, flag]);
		const open = (await close("--captured-results")).json<{ state: string; receipt_path?: string }>();
		expect([open.state, open.receipt_path]).toEqual(["validating", undefined]);
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
		const closed = (await close("--captured-evidence")).json<{ operation: string; receipt_path?: string }>();
		expect(closed).toMatchObject({ operation: "review/finalize", receipt_path: receiptPath(repo, lineage_id) });
		expect(existsSync(closed.receipt_path ?? "")).toBe(true);
		expect((await finalized(repo, lineage_id)).receipt_path).toBeUndefined();
	});

	it("refuses the eligibility lists, which belong to a contract", async () => {
		expectRefused(await medium().run(["review", "finalize", "--action-eligibility"]), "--contract");
	});
});
