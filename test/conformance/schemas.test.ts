// Every document that the program prints is valid under the schema that the document itself names: as this project
// publishes it, and as the contract's own material does.
import { describe, expect, it } from "vitest";
import { answerTo, blocker, refuterAnswer, warning } from "../kit/answers.ts";
import { CONTRACTS, expectValid, high, low, medium, SCHEMAS } from "../kit/checked.ts";
import type { Consent, GateResult, Start } from "../kit/documents.ts";
import {
	argument,
	captureAll,
	captureEvidence,
	captureResult,
	drive,
	expectSuccess,
	failureOf,
	finalize,
	firstInput,
	gate,
	inputsOf,
	runExecute,
	startPrinted,
	startWords,
	status,
	transitionOf,
	V1,
	V2,
} from "../kit/drive.ts";
import { CheckedRepo } from "../kit/schemas.ts";
import { damageRecord } from "../kit/store.ts";

describe.each(CONTRACTS)("the schemas of $contract", ({ contract, ...names }) => {
	it("hold through the whole life of a low-risk candidate", async () => {
		const repo = low(contract);
		const start = await startPrinted(repo);
		expect(transitionOf(await status(repo, ["--action-eligibility"])).reason_code).toBe("captured_results_ready");
		const flags = ["--captured-results", "--next-transition", "--action-eligibility"];
		const closed = await finalize(repo, start.lineage_id, ...flags);
		expectSuccess(closed);
		const approved = await status(repo);
		repo.stage();
		await runExecute(repo, approved);
		expectSuccess(await gate(repo));
		expectValid(repo, `${SCHEMAS}.${names.start}`, `${SCHEMAS}.${names.status}`, `${SCHEMAS}.${names.operation}`);
	});

	it("hold through the whole life of a medium-risk candidate", async () => {
		const repo = medium(contract);
		const start = await startPrinted(repo);
		await captureAll(repo, (input) => [warning(`${input.changed_path_manifest?.[0]?.path}:1`)]);
		await status(repo);
		expectSuccess(await finalize(repo, start.lineage_id, "--captured-results", "--next-transition"));
		expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
		await status(repo);
		expectSuccess(await finalize(repo, start.lineage_id, "--captured-evidence", "--next-transition"));
		await status(repo, ["--gate", "post-apply"]);
		expectSuccess(await gate(repo, "post-apply"));
		expectSuccess(await repo.run(startWords((await status(repo)).target_identity)));
		expectValid(repo, "gentle-ai.review-result-artifact/v2", "gentle-ai.review-verification-evidence/v2");
	});

	it("hold through the whole life of a high-risk candidate", async () => {
		const repo = high(contract);
		const { last } = await drive(repo);
		expect(last.authority?.state).toBe("approved");
		repo.stage();
		await status(repo, ["--projection", "staged"]);
		expectSuccess(await gate(repo));
		expectValid(repo, "review/finalize", `${SCHEMAS}.${names.status}`);
	});

	it("hold while a refuter is asked, and after it could not tell", async () => {
		const repo = medium(contract);
		const start = await startPrinted(repo);
		await captureAll(repo, () => [blocker("app.ts:1", { evidence_class: "inferential" })]);
		const asked = await status(repo);
		const ids = argument(firstInput(asked), "finding-ids").split(",");
		const file = repo.outside("refuter.json", refuterAnswer(ids, "inconclusive"));
		const refuter = ["--refuter", file, "--captured-results", "--next-transition"];
		expectSuccess(await finalize(repo, start.lineage_id, ...refuter));
		expect((await status(repo)).authority?.state).toBe("escalated");
		failureOf(await gate(repo, "post-apply"));
		expectValid(repo, `${SCHEMAS}.${names.failure}`);
	});

	it("hold for the consent question in both languages, and for every answer", async () => {
		const repo = high(contract);
		const { target_identity } = await status(repo);
		for (const locale of [[], ["--locale", "en"], ["--locale", "es"]]) {
			const asked = await repo.run(startWords(target_identity, "--consent", "relay", ...locale));
			expectSuccess(asked);
			expect(asked.json<Consent>().choices.map(({ answer }) => answer)).toEqual(["granted", "declined"]);
		}
		expectSuccess(await repo.run(startWords(target_identity, "--consent", "granted")));
		const second = medium(contract);
		const question = await second.run(startWords((await status(second)).target_identity, "--consent", "relay"));
		expect(question.json<Consent>().risk_level).toBe("medium");
		expectValid(repo, `${SCHEMAS}.${names.consent}`, `${SCHEMAS}.${names.start}`);
		expectValid(second, `${SCHEMAS}.${names.consent}`);
	});

	it("hold for every selector of START and STATUS", async () => {
		const repo = new CheckedRepo({ contract });
		repo.write("app.ts", "export const n = 2;\n");
		repo.commit("second");
		const base = repo.git("rev-parse", "HEAD~1");
		await status(repo);
		const range = await startPrinted(repo, ["--base-ref", base]);
		repo.write("new.ts", "export const m = 3;\n");
		const overlay = await startPrinted(repo, ["--base-ref", base, "--workspace-overlay"]);
		const tree = repo.git("rev-parse", `${base}^{tree}`);
		await status(repo, ["--base-tree", tree, "--workspace-overlay"]);
		await status(repo, ["--base-ref", base, "--workspace-overlay", "--projection", "staged"]);
		repo.stage();
		const staged = await startPrinted(repo, ["--projection", "staged"]);
		expect(new Set([range.lineage_id, overlay.lineage_id, staged.lineage_id]).size).toBe(3);
		expect(overlay).toMatchObject({ target_mode: "base-workspace-overlay", base_tree: tree });
		expectValid(repo);
	});

	it("hold for a damaged record and for reviews switched off", async () => {
		const repo = medium(contract);
		const start = await startPrinted(repo);
		damageRecord(repo, start.lineage_id);
		expect((await status(repo)).applicability).toBe("corrupted");
		failureOf(await finalize(repo, start.lineage_id, "--captured-results"));
		const off = low(contract);
		off.write("../home/.gentle-ai/state.json", '{"rdd_mode":"off"}');
		expect(transitionOf(await status(off)).reason_code).toBe("rdd_disabled");
		failureOf(await off.run(startWords((await status(off)).target_identity)));
		expectSuccess(await gate(off));
		expectValid(repo, `${SCHEMAS}.${names.failure}`);
		expectValid(off, `${SCHEMAS}.${names.failure}`);
	});

	it("hold for START again in every state of its review", async () => {
		const repo = medium(contract);
		const { target_identity } = await status(repo);
		const again = async () => {
			const result = await repo.run(startWords(target_identity));
			expectSuccess(result);
			return result.json<Start>();
		};
		const created = await again();
		const [input] = inputsOf(await status(repo));
		expect(await again()).toMatchObject({ action: "resumed", state: "reviewing" });
		if (input === undefined) throw new Error("no slot");
		expectSuccess(await captureResult(repo, input, answerTo(input, [blocker("app.ts:1")])));
		expectSuccess(await finalize(repo, created.lineage_id, "--captured-results"));
		expect(await again()).toMatchObject({ action: "resumed", state: "correction_required", artifact_subjects: [] });
		expectValid(repo);
	});

	it("hold for a decline and for both deliveries that nobody manages", async () => {
		const repo = medium(contract);
		repo.stage();
		expectSuccess(await repo.run(startWords((await status(repo)).target_identity, "--consent", "declined")));
		const declined = await gate(repo);
		expectSuccess(declined);
		expect(declined.json<{ result: GateResult }>().result.delivery).toBe("candidate_declined/unmanaged");
		repo.write("../home/.gentle-ai/state.json", '{"rdd_mode":"off"}');
		repo.write("app.ts", "export const n = 3;\n");
		repo.stage();
		const disabled = await gate(repo);
		expect(disabled.json<{ result: GateResult }>().result.delivery).toBe("disabled/unmanaged");
		expectValid(repo, `${SCHEMAS}.${names.operation}`);
	});
});

describe("the schemas of calls that belong to no contract alone", () => {
	it("hold for the capabilities of both contracts", async () => {
		const repo = new CheckedRepo();
		for (const flags of [[], ["--contract", V1], ["--contract", V2]]) {
			expectSuccess(await repo.run(["review", "capabilities", ...flags]));
		}
		expectValid(repo, `${SCHEMAS}.capabilities/v1.5`, `${SCHEMAS}.capabilities/v2`);
	});

	it("hold for refusals of every negotiated operation under both contracts", async () => {
		const repo = medium(V2);
		const calls = [
			["capabilities", "--contract", V1, "--nonsense"],
			["capabilities", "--contract="],
			["status", "--contract", "gentle-ai.review-integration/v3"],
			["status", "--contract", V1, "--gate", "tea-time"],
			["start", "--contract", V1, "--target", "sha256:0"],
			["finalize", "--contract", V1, "--lineage", "review-nobody"],
			["validate", "--contract", V1, "--gate", "pre-commit"],
			["status", "--contract", V2, "--gate", "tea-time"],
			["start", "--contract", V2, "--target", "sha256:0"],
			["start", "--contract", V2, "--target", `sha256:${"0".repeat(64)}`, "--projection", "workspace"],
			["finalize", "--contract", V2, "--lineage", "review-nobody"],
			["finalize", "--contract", V2],
			["validate", "--contract", V2],
			["validate", "--contract", V2, "--gate", "pre-commit"],
			["validate", "--contract", V2, "--gate", "release"],
		];
		for (const words of calls) failureOf(await repo.run(["review", ...words]));
		repo.git("checkout", "--quiet", "--", "app.ts");
		const empty = await status(repo, ["--action-eligibility"]);
		expect(transitionOf(empty).reason_code).toBe("empty_candidate_base_ref_required");
		failureOf(await repo.run(startWords(empty.target_identity)));
		expectValid(repo, `${SCHEMAS}.failure/v1`, `${SCHEMAS}.failure/v2`);
	});
});
