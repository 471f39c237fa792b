// What comes after a blocker: correction, recovery and retry. Every document of them is valid under the schema that it
// names, as this project publishes it and as the contract's own material does.
import { describe, expect, it } from "vitest";
import { blocker, validatorAnswer } from "../kit/answers.ts";
import { CONTRACTS, expectValid, high, medium, SCHEMAS } from "../kit/checked.ts";
import type { Start } from "../kit/documents.ts";
import {
	argument,
	captureAll,
	captureEvidence,
	drive,
	expectSuccess,
	finalize,
	firstInput,
	gate,
	runExecute,
	startPrinted,
	startWords,
	status,
	transitionOf,
} from "../kit/drive.ts";

describe.each(CONTRACTS)("the schemas of $contract", ({ contract, ...names }) => {
	it("hold while a blocker asks for a correction", async () => {
		const repo = high(contract);
		const start = await startPrinted(repo);
		await captureAll(repo, (input) =>
			argument(input, "lens") === "review-risk" ? [blocker("scripts/deploy.sh:1")] : [],
		);
		expectSuccess(await finalize(repo, start.lineage_id, "--captured-results", "--next-transition"));
		expect(transitionOf(await status(repo)).reason_code).toBe("correction_plan_required");
		expectSuccess(await finalize(repo, start.lineage_id, "--correction-lines", "1", "--next-transition"));
		expect(transitionOf(await status(repo)).reason_code).toBe("corrected_candidate_unavailable");
		expectValid(repo);
	});

	it("hold through the one correction: planned, verified, validated and closed", async () => {
		const repo = medium(contract);
		const rest = "export const m = 1;\nexport const k = 1;\n";
		repo.write("app.ts", `export const n = 2;\n${rest}`);
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo, () => [blocker("app.ts:1")]);
		expectSuccess(await finalize(repo, lineage_id, "--captured-results"));
		expectSuccess(await finalize(repo, lineage_id, "--correction-lines", "2"));
		repo.write("app.ts", `export const n = 3;\n${rest}`);
		const unverified = await status(repo);
		expect(transitionOf(unverified).reason_code).toBe("correction_repository_verification_required");
		expect(unverified.validation_request?.correction_paths).toEqual(["app.ts"]);
		expectSuccess(await captureEvidence(repo, firstInput(unverified), "passed"));
		const unvalidated = await status(repo, ["--action-eligibility"]);
		const { validation_request: request } = firstInput(unvalidated);
		if (request === undefined) throw new Error("no validation request");
		expect(unvalidated.validation_request).toEqual(request);
		const resumed = await repo.run(startWords(unvalidated.target_identity));
		expect(resumed.json<Start>()).toMatchObject({ action: "resumed", state: "correction_required" });
		const answer = repo.outside("validation.json", validatorAnswer(request));
		const flags = ["--validation", answer, "--captured-evidence", "--next-transition", "--action-eligibility"];
		expectSuccess(await finalize(repo, lineage_id, ...flags));
		const { last } = await drive(repo);
		expect(last.authority?.state).toBe("approved");
		expect(last.authority_target_identity).toBe(request.correction_target_identity);
		repo.stage();
		expectSuccess(await gate(repo));
		expectValid(repo, `${SCHEMAS}.${names.status}`, `${SCHEMAS}.${names.operation}`);
	});

	it("hold for a recovery that is asked for, and for one that is allowed", async () => {
		const repo = medium(contract);
		const lineage = (await startPrinted(repo)).lineage_id;
		await captureAll(repo, () => [blocker("app.ts:1")]);
		expectSuccess(await finalize(repo, lineage, "--captured-results"));
		repo.write("other.ts", "export const o = 1;\n");
		const live = await status(repo, ["--action-eligibility"]);
		expect(live).toMatchObject({ action: "recover", action_disposition: "scope_changed" });
		expect(live.eligibility?.allowed_actions[0]).toMatchObject({
			action: "review.recover",
			disposition: "scope_changed",
			binding: { lineage_id: lineage, target_identity: live.target_identity },
		});
		const collect = firstInput(live);
		expect(transitionOf(live).reason_code).toBe("recovery_authorization_required");
		const text = [
			"gentle-ai.review-recovery-authorization/v1",
			`predecessor_lineage=${lineage}`,
			`predecessor_revision=${argument(collect, "expected-revision")}`,
			`target_identity=${live.target_identity}`,
			"actor=Ada",
			"reason=the scope grew",
		].join("\n");
		const words = ["--recovery-actor", "Ada", "--recovery-reason", "the scope grew", "--recovery-authorization", text];
		const allowed = await status(repo, ["--recovery-successor-lineage", "review-next", ...words]);
		expect(transitionOf(allowed).reason_code).toBe("recovery_authorized");
		await runExecute(repo, allowed);
		expectValid(repo, `${SCHEMAS}.${names.status}`);
	});

	it("hold for a final verification that failed for want of its tools", async () => {
		const repo = medium(contract);
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo);
		expectSuccess(await finalize(repo, lineage_id, "--captured-results"));
		const asked = firstInput(await status(repo));
		expectSuccess(await captureEvidence(repo, asked, "procedural_tooling_failed", "no tools\n"));
		expectSuccess(await finalize(repo, lineage_id, "--captured-evidence", "--next-transition"));
		const live = await status(repo, ["--action-eligibility"]);
		expect(live).toMatchObject({
			action: "retry_final_verification",
			action_disposition: "final_verification_retry",
			final_verification_retry: { validating_revision: argument(asked, "expected-revision") },
		});
		expectValid(repo, `${SCHEMAS}.${names.status}`);
	});
});
