// A review with a blocker and what its one correction goes through: planned, verified, validated; or recovered.
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
import type { RunResult } from "./program.ts";
import { TestRepo } from "./repo.ts";

export const OLD = "export const n = 1;\nexport const m = 1;\nexport const k = 1;\nexport const j = 1;\n";
export const NEW = OLD.replaceAll("= 1", "= 2");
export const FIXED = NEW.replace("m = 2", "m = 3");
export const BLOCKED_FILES = { "app.ts": OLD, "other.ts": "export const o = 1;\n" };

export type Open = { readonly repo: TestRepo; readonly lineage: string };

/** Four changed lines, so a budget of four; a blocker on the second. */
export async function blocked(
	flags: readonly string[] = [],
	repo: TestRepo = new TestRepo({ files: BLOCKED_FILES }),
): Promise<Open> {
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

/** The corrected bytes are there, and their verification has passed. */
export async function verified(open: Open): Promise<Open> {
	open.repo.write("app.ts", FIXED);
	expectSuccess(await captureEvidence(open.repo, firstInput(await status(open.repo)), "passed"));
	return open;
}

export type Checks = { readonly original?: boolean; readonly regression?: boolean; readonly evidence?: string };

/** The validator's verdict on what STATUS asks about. */
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

/** FINALIZE with a verdict as its author wrote it. */
export function judged({ repo, lineage }: Open, text: string | Uint8Array): Promise<RunResult> {
	return finalize(repo, lineage, "--captured-evidence", "--validation", repo.outside("validation.json", text));
}

/** Verifies the corrected candidate and answers its validator. */
export async function validated(open: Open, checks: Checks = {}): Promise<RunResult> {
	expectSuccess(await captureEvidence(open.repo, firstInput(await status(open.repo)), "passed"));
	const asked = await status(open.repo);
	expect(transitionOf(asked).reason_code).toBe("targeted_validation_required");
	return judged(open, verdict(asked, checks));
}

export type Recovery = { readonly successor: string; readonly actor: string; readonly reason: string };

export const WIDER: Recovery = {
	successor: "review-wider",
	actor: "Maintainer <m@example.invalid>",
	reason: "the fix needs another file",
};

/** The exact text of a maintainer for the recovery that STATUS asks about; with a selector it binds the successor's name. */
export function recoveryText(asked: Status, { successor, actor, reason }: Recovery = WIDER, selected = false): string {
	return [
		"gentle-ai.review-recovery-authorization/v1",
		`predecessor_lineage=${asked.authority?.lineage_id}`,
		`predecessor_revision=${asked.authority?.revision}`,
		`target_identity=${asked.target_identity}`,
		...(selected ? [`successor_lineage=${successor}`] : []),
		`actor=${actor}`,
		`reason=${reason}`,
	].join("\n");
}

/** What STATUS takes together with the question about a recovery. */
export function recoveryFlags({ successor, actor, reason }: Recovery, text: string): string[] {
	return [
		`--recovery-successor-lineage=${successor}`,
		`--recovery-actor=${actor}`,
		`--recovery-reason=${reason}`,
		`--recovery-authorization=${text}`,
	];
}

/** A planned correction that reached beyond its scope, and the recovery that STATUS prints once it is authorized. */
export async function widened(open: Open): Promise<Status> {
	open.repo.write("app.ts", FIXED);
	open.repo.write("other.ts", "export const o = 2;\n");
	const asked = await status(open.repo);
	expect(asked).toMatchObject({ action: "recover", action_disposition: "scope_changed" });
	expect(transitionOf(asked).reason_code).toBe("recovery_authorization_required");
	return status(open.repo, recoveryFlags(WIDER, recoveryText(asked)));
}

export async function reason(repo: TestRepo): Promise<string> {
	return transitionOf(await status(repo)).reason_code;
}
