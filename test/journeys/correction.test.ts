// The one correction: planned, measured, verified, validated, closed.
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import { blocked, FIXED, NEW, OLD, planned, reason, validated, verdict } from "../kit/corrected.ts";
import {
	argument,
	captureAll,
	captureEvidence,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	gate,
	runExecute,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

describe("a correction", () => {
	it("is planned, verified, validated and approved, and the gate allows exactly the corrected bytes", async () => {
		const open = await planned(await blocked());
		const { repo, lineage } = open;
		expect(await reason(repo)).toBe("corrected_candidate_unavailable");
		repo.write("app.ts", FIXED);
		const asked = await status(repo);
		expect(transitionOf(asked)).toMatchObject({
			kind: "collect",
			reason_code: "correction_repository_verification_required",
		});
		expect(argument(firstInput(asked), "target")).toBe(asked.validation_request?.correction_target_identity);
		const closed = await validated(open);
		expectSuccess(closed);
		expect(closed.json<{ result: { state: string } }>().result.state).toBe("approved");
		const done = await status(repo);
		expect(done).toMatchObject({
			applicability: "current_target",
			action: "validate",
			receipt: { status: "present" },
			authority: { lineage_id: lineage, state: "approved" },
		});
		repo.stage();
		expectSuccess(await gate(repo));
		repo.write("app.ts", NEW);
		repo.stage();
		expect(failureOf(await gate(repo)).code).toMatch(/scope_changed|unrelated/);
	});

	it("binds its validator to the corrected tree, its paths and the frozen findings", async () => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", FIXED);
		expectSuccess(await captureEvidence(open.repo, firstInput(await status(open.repo)), "passed"));
		const asked = await status(open.repo);
		open.repo.stage();
		expect(firstInput(asked)).toMatchObject({
			name: "targeted_validation",
			schema: "gentle-ai.review-targeted-validation-request/v1",
			capture_operation: "external.run_targeted_validation",
			validation_request: {
				lineage_id: open.lineage,
				expected_revision: asked.authority?.revision,
				fix_finding_ids: ["R3-001"],
				projection: "workspace",
				correction_candidate_tree: open.repo.git("write-tree"),
				correction_paths: ["app.ts"],
			},
		});
		expect(asked.validation_request).toEqual(firstInput(asked).validation_request);
		// Plain Git finds the corrected tree, even after its hardest collection.
		open.repo.git("reset", "--quiet");
		open.repo.git("gc", "--quiet", "--prune=now");
		const tree = firstInput(asked).validation_request?.correction_candidate_tree ?? "";
		expect(open.repo.git("show", `${tree}:app.ts`)).toBe(FIXED.trimEnd());
	});

	it("may be made before it is planned, and may be taken back first (FR-45)", async () => {
		const { repo, lineage } = await blocked();
		repo.write("app.ts", FIXED);
		expect(await reason(repo)).toBe("correction_plan_required");
		repo.write("app.ts", NEW);
		expect(await reason(repo)).toBe("correction_plan_required");
		repo.write("app.ts", FIXED);
		await planned({ repo, lineage });
		expect(await reason(repo)).toBe("correction_repository_verification_required");
		expectSuccess(await validated({ repo, lineage }));
		expect(await reason(repo)).toBe("approved_receipt_ready");
	});

	it("of a whole file back to its base is approved without that path, and the gate delivers the rest", async () => {
		const repo = new TestRepo({ files: { "app.ts": OLD, "other.ts": OLD } });
		repo.write("app.ts", NEW);
		repo.write("other.ts", NEW);
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo, () => [blocker("app.ts:2")]);
		await finalized(repo, lineage_id, "--captured-results");
		const open = await planned({ repo, lineage: lineage_id }, "8");
		repo.write("app.ts", OLD);
		expectSuccess(await validated(open));
		repo.stage();
		expectSuccess(await gate(repo));
		expectSuccess(await gate(repo, "pre-commit", ["--lineage", lineage_id]));
	});

	it("keeps every reviewed path in its receipt (FR-32)", async () => {
		const files = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`m${at}.ts`, "export const n = 1;\n"]));
		const repo = new TestRepo({ files });
		for (const path of Object.keys(files)) repo.write(path, "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo, () => [blocker("m3.ts:1")]);
		await finalized(repo, lineage_id, "--captured-results");
		const open = await planned({ repo, lineage: lineage_id }, "4");
		for (const path of ["m3.ts", "m4.ts"]) repo.write(path, "export const n = 3;\n");
		expectSuccess(await validated(open));
		repo.stage();
		expectSuccess(await gate(repo));
	});
});

describe("a correction that ends its review", () => {
	it.each([
		["whose finding is still there", { original: false }],
		["that breaks something else", { regression: false }],
	] as const)("is one %s: escalated, and the one attempt is used up", async (_, checks) => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", FIXED);
		const closed = await validated(open, checks);
		expectSuccess(closed);
		expect(closed.json<{ result: { state: string; escalation: string } }>().result).toMatchObject({
			state: "escalated",
			escalation: expect.stringMatching(/2 of 4/),
		});
		open.repo.stage();
		expect(failureOf(await gate(open.repo)).code).not.toBe("");
	});

	it("is one whose tools failed, which uses nothing up", async () => {
		const { repo } = await planned(await blocked());
		repo.write("app.ts", FIXED);
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "procedural_tooling_failed"));
		const ready = await status(repo);
		expect(transitionOf(ready)).toMatchObject({ kind: "execute", reason_code: "correction_repository_tooling_failed" });
		const closed = await runExecute<{ operation: string; state: string }>(repo, ready);
		expect(closed.state).toBe("escalated");
		expect((await status(repo, ["--lineage", ready.authority?.lineage_id ?? ""])).authority?.state).toBe("escalated");
	});
});

describe("a staged review", () => {
	it("is corrected in the index", async () => {
		const flags = ["--projection=staged"];
		const { repo, lineage } = await blocked(flags);
		await planned({ repo, lineage });
		repo.write("app.ts", FIXED);
		expect(transitionOf(await status(repo, flags)).reason_code).toBe("corrected_candidate_unavailable");
		repo.stage();
		const asked = await status(repo, flags);
		expectSuccess(await captureEvidence(repo, firstInput(asked), "passed"));
		const file = repo.outside("validation.json", verdict(await status(repo, flags)));
		expectSuccess(await finalize(repo, lineage, "--captured-evidence", "--validation", file));
		expectSuccess(await gate(repo));
	});
});

describe("a committed range (FR-46)", () => {
	it("is corrected by a commit, not by the work tree", async () => {
		const repo = new TestRepo({ files: { "app.ts": OLD } });
		repo.write("app.ts", NEW);
		repo.stage();
		repo.git("commit", "--quiet", "--no-verify", "--message", "change");
		const flags = ["--base-ref", "HEAD~1", "--committed-only"];
		const { lineage_id } = await startPrinted(repo, flags);
		await captureAll(repo, () => [blocker("app.ts:2")], flags);
		await finalized(repo, lineage_id, "--captured-results");
		await planned({ repo, lineage: lineage_id });
		repo.write("app.ts", FIXED);
		const base = ["--base-ref", "HEAD~1", "--committed-only"];
		expect(transitionOf(await status(repo, base)).reason_code).toBe("corrected_candidate_unavailable");
		repo.stage();
		repo.git("commit", "--quiet", "--no-verify", "--message", "fix");
		const wider = ["--base-ref", "HEAD~2", "--committed-only"];
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo, wider)), "passed"));
		const file = repo.outside("validation.json", verdict(await status(repo, wider)));
		expectSuccess(await finalize(repo, lineage_id, "--captured-evidence", "--validation", file));
		expect(transitionOf(await status(repo, wider)).reason_code).toBe("approved_receipt_ready");
	});
});
