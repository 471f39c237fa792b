// The life of a review per tier: what STATUS offers from the first edit to the gate, and how each answer moves it.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answerTo, warning } from "../kit/answers.ts";
import type { GateResult, Start } from "../kit/documents.ts";
import {
	approve,
	captureEvidence,
	captureResult,
	drive,
	expectSuccess,
	finalize,
	firstInput,
	gate,
	inputsOf,
	runExecute,
	startPrinted,
	startWords,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { receiptPath } from "../kit/store.ts";

function low(): TestRepo {
	const repo = new TestRepo();
	appendFileSync(repo.path("guide.md"), "One more sentence.\n");
	return repo;
}

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

function high(): TestRepo {
	const repo = new TestRepo();
	repo.write("scripts/deploy.sh", "echo deploy\n");
	return repo;
}

async function expectAllowed(repo: TestRepo): Promise<void> {
	repo.stage();
	const result = await runExecute<GateResult>(repo, await status(repo));
	expect(result).toMatchObject({ result: "allow", allowed: true, action: "continue" });
}

describe("a low-risk candidate", () => {
	it("needs no lens, closes with one FINALIZE, and passes the gate", async () => {
		const repo = low();
		const start = await startPrinted(repo);
		expect(start).toMatchObject({
			action: "created",
			risk_level: "low",
			selected_lenses: [],
			changed_files: 1,
			changed_lines: 1,
			correction_budget: 1,
			risk_reasons: [{ code: "non_executable_only" }],
		});
		const { last, reasons } = await drive(repo);
		expect(reasons).toEqual(["captured_results_ready", "approved_receipt_ready"]);
		expect(last.authority).toMatchObject({ lineage_id: start.lineage_id, state: "approved" });
		await expectAllowed(repo);
	});

	it("is named after its target", async () => {
		const repo = low();
		const { target_identity } = await status(repo);
		const { lineage_id } = await startPrinted(repo);
		expect(lineage_id).toBe(`review-${target_identity.slice("sha256:".length).slice(0, 16)}`);
	});

	it("leaves a receipt file whose digest is the identity that STATUS prints", async () => {
		const repo = low();
		const lineage = await approve(repo);
		const bytes = readFileSync(receiptPath(repo, lineage));
		const { receipt } = await status(repo);
		expect(receipt).toEqual({
			status: "present",
			identity: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
		});
		expect(JSON.parse(bytes.toString("utf8"))).toMatchObject({
			schema: "gentle-ai.review-receipt/v2",
			lineage_id: lineage,
			base_tree: repo.git("rev-parse", "HEAD^{tree}"),
			terminal_state: "approved",
			risk_level: "low",
			selected_lenses: [],
			resolved_finding_ids: null,
		});
	});
});

describe("a medium-risk candidate", () => {
	it("is answered by one lens and by evidence, step by step", async () => {
		const repo = medium();
		const { reasons, last } = await drive(repo);
		expect(reasons).toEqual([
			"fresh_target_ready",
			"reviewer_results_required",
			"captured_results_ready",
			"verification_evidence_required",
			"captured_verification_evidence_passed",
			"approved_receipt_ready",
		]);
		expect(last.frozen).toEqual({ tier: "medium", original_changed_lines: 2, correction_budget: 1 });
		await expectAllowed(repo);
	});

	it("is read by the reliability lens unless the caller focuses another", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const focused = await repo.run(startWords(target_identity, "--focus", "risk"));
		expect(focused.json<Start>().selected_lenses).toEqual(["review-risk"]);
		expect((await startPrinted(medium())).selected_lenses).toEqual(["review-reliability"]);
	});

	it("goes on to verification when a reviewer only warns", async () => {
		const repo = medium();
		const { reasons, last } = await drive(repo, { findings: () => [warning("app.ts:1")] });
		expect(reasons).toContain("verification_evidence_required");
		expect(last.authority?.state).toBe("approved");
	});

	it.each([
		["verification_failed", "captured_verification_failed", "stop", "native_stop_required"],
		[
			"procedural_tooling_failed",
			"captured_verification_tooling_failed",
			"retry_final_verification",
			"final_verification_retry_authorization_required",
		],
	] as const)("is escalated by evidence of %s, and the gate denies it", async (outcome, reason, action, after) => {
		const repo = medium();
		const start = await startPrinted(repo);
		await captureResult(repo, firstInput(await status(repo)), answerTo(firstInput(await status(repo))));
		expectSuccess(await finalize(repo, start.lineage_id, "--captured-results"));
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), outcome, "3 of 42 failed\n"));
		const ready = await status(repo);
		expect(transitionOf(ready).reason_code).toBe(reason);
		await runExecute(repo, ready);
		const closed = await status(repo);
		expect(closed).toMatchObject({
			authority: { state: "escalated" },
			action,
			receipt: { status: "present" },
			next_transition: { reason_code: after },
		});
		repo.stage();
		expect((await gate(repo)).json<{ code: string }>().code).toBe("gate_escalated");
	});
});

describe("a high-risk candidate", () => {
	it("is read by four lenses, whose results arrive in any order", async () => {
		const repo = high();
		const start = await startPrinted(repo);
		expect(start.selected_lenses).toEqual([
			"review-risk",
			"review-resilience",
			"review-readability",
			"review-reliability",
		]);
		expect(start.risk_reasons).toEqual([{ code: "shell_source", signal: "shell_process", path: "scripts/deploy.sh" }]);
		const inputs = inputsOf(await status(repo));
		const [risk, resilience, readability, reliability] = inputs;
		for (const input of [reliability, risk, readability]) {
			if (input === undefined) throw new Error("a slot is missing");
			expectSuccess(await captureResult(repo, input, answerTo(input)));
		}
		const [left, ...none] = inputsOf(await status(repo));
		expect(none).toEqual([]);
		expect(left?.artifact_subject).toEqual(resilience?.artifact_subject);
		const { last } = await drive(repo);
		expect(last.authority?.state).toBe("approved");
		await expectAllowed(repo);
	});
});

describe("the size of a candidate", () => {
	const code = (lines: number) => "export const n = 1;\n".repeat(lines);
	const prose = (lines: number) => "One more sentence.\n".repeat(lines);
	const tierOf = async (path: string, text: string) => {
		const repo = new TestRepo();
		repo.write(path, text);
		return startPrinted(repo);
	};

	it("makes 401 authored lines of code high, and 400 not", async () => {
		expect(await tierOf("new.ts", code(400))).toMatchObject({ risk_level: "medium", correction_budget: 200 });
		const large = await tierOf("new.ts", code(401));
		expect(large).toMatchObject({
			risk_level: "high",
			correction_budget: 200,
			risk_reasons: [{ code: "large_change" }],
		});
	});

	it("makes 401 lines of pure documentation medium, read for readability", async () => {
		expect(await tierOf("long.md", prose(401))).toMatchObject({
			risk_level: "medium",
			selected_lenses: ["review-readability"],
			risk_reasons: [{ code: "large_change" }, { code: "non_executable_only" }],
		});
	});
});
