// A review with one blocker on its way through its correction.
import { expect } from "vitest";
import { blocker } from "./answers.ts";
import type { Status } from "./documents.ts";
import {
	captureAll,
	captureEvidence,
	expectSuccess,
	finalize,
	finalized,
	firstInput,
	startPrinted,
	status,
	transitionOf,
} from "./drive.ts";
import { TestRepo } from "./repo.ts";

export const OLD = "export const n = 1;\nexport const m = 1;\nexport const k = 1;\nexport const j = 1;\n";
export const NEW = OLD.replaceAll("= 1", "= 2");
export const FIXED = NEW.replace("m = 2", "m = 3");

type Open = { readonly repo: TestRepo; readonly lineage: string };

/** Four changed lines, so a budget of four; a blocker on the second. */
export async function blocked(flags: readonly string[] = []): Promise<Open> {
	const repo = new TestRepo({ files: { "app.ts": OLD, "other.ts": "export const o = 1;\n" } });
	repo.write("app.ts", NEW);
	if (flags.includes("--projection=staged")) repo.stage();
	const { lineage_id, correction_budget } = await startPrinted(repo, flags);
	expect(correction_budget).toBe(4);
	await captureAll(repo, () => [blocker("app.ts:2")], flags);
	expect((await finalized(repo, lineage_id, "--captured-results")).state).toBe("correction_required");
	return { repo, lineage: lineage_id };
}

export async function planned(open: Open, lines = "2"): Promise<Open> {
	expect((await finalized(open.repo, open.lineage, "--correction-lines", lines)).state).toBe("correction_required");
	return open;
}

type Checks = { readonly original?: boolean; readonly regression?: boolean; readonly evidence?: string };

export function verdict(document: Status, checks: Checks = {}): string {
	const request = firstInput(document).validation_request;
	if (request === undefined) throw new Error("no validation is asked for");
	const check = (passed = true) => ({ passed, evidence: [checks.evidence ?? "ran both trees against the finding"] });
	return JSON.stringify({
		targeted_validation_request_hash: request.request_hash,
		correction_target_identity: request.correction_target_identity,
		original_criteria: check(checks.original),
		correction_regression: check(checks.regression),
		follow_ups: [],
	});
}

/** Verifies the corrected candidate and answers its validator. */
export async function validated(open: Open, checks: Checks = {}) {
	expectSuccess(await captureEvidence(open.repo, firstInput(await status(open.repo)), "passed"));
	const asked = await status(open.repo);
	expect(transitionOf(asked).reason_code).toBe("targeted_validation_required");
	const file = open.repo.outside("validation.json", verdict(asked, checks));
	return finalize(open.repo, open.lineage, "--captured-evidence", "--validation", file);
}

export async function reason(repo: TestRepo): Promise<string> {
	return transitionOf(await status(repo)).reason_code;
}
