// A review that a verification without its tools closed, and the exact words that a maintainer needs to try again.
import { createHash } from "node:crypto";
import { expect } from "vitest";
import type { Input } from "./documents.ts";
import {
	argument,
	captureAll,
	captureEvidence,
	expectSuccess,
	finalized,
	firstInput,
	startPrinted,
	status,
} from "./drive.ts";
import { TestRepo } from "./repo.ts";

export function digestOf(text: string): string {
	return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** The words of one retry; each can be replaced by a wrong one. */
export type RetryWords = {
	readonly predecessor: string;
	readonly revision: string;
	readonly successor: string;
	readonly incident: string;
	readonly authorization: string;
	readonly actor: string;
	readonly reason: string;
};

/** A medium-risk review whose final verification ended in `outcome`; STATUS asks for a retry exactly after spoiled tools. */
export async function closedBy(
	outcome: "verification_failed" | "procedural_tooling_failed",
	repo: TestRepo = new TestRepo(),
): Promise<{ repo: TestRepo; lineage: string }> {
	repo.write("app.ts", "export const n = 2;\n");
	const { lineage_id } = await startPrinted(repo);
	await captureAll(repo);
	await finalized(repo, lineage_id, "--captured-results");
	await verifyAgain(repo, lineage_id, outcome, "the runner did not start\n");
	return { repo, lineage: lineage_id };
}

export async function verifyAgain(
	repo: TestRepo,
	lineage: string,
	outcome: "passed" | "verification_failed" | "procedural_tooling_failed",
	payload?: string,
): Promise<void> {
	expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), outcome, payload));
	await finalized(repo, lineage, "--captured-evidence");
}

export async function askedRetry(repo: TestRepo): Promise<Input> {
	const document = await status(repo);
	expect(document).toMatchObject({
		action: "retry_final_verification",
		next_transition: { kind: "collect", reason_code: "final_verification_retry_authorization_required" },
	});
	return firstInput(document);
}

/** Everything from the values that STATUS printed, in the contract's order. */
export function retryWords(asked: Input, successor = "second-try", actor = "A <a@example.org>"): RetryWords {
	const of = (name: string) => argument(asked, name);
	const reason = "the runner crashed";
	const incident = `${JSON.stringify({
		schema: "gentle-ai.review-final-verification-incident/v1",
		class: "procedural_tooling_failure",
		lineage_id: of("predecessor-lineage"),
		terminal_revision: of("expected-predecessor-revision"),
		validating_revision: of("validating-revision"),
		target_identity: of("target"),
		failed_evidence_hash: of("failed-evidence-hash"),
		finalize_request_digest: of("finalize-request-digest"),
	})}\n`;
	const authorization = [
		"gentle-ai.review-final-verification-retry-authorization/v1",
		`predecessor_lineage=${of("predecessor-lineage")}`,
		`predecessor_revision=${of("expected-predecessor-revision")}`,
		`successor_lineage=${successor}`,
		`validating_revision=${of("validating-revision")}`,
		`target_identity=${of("target")}`,
		`failed_evidence_hash=${of("failed-evidence-hash")}`,
		`finalize_request_digest=${of("finalize-request-digest")}`,
		"incident_class=procedural_tooling_failure",
		`incident_digest=${digestOf(incident)}`,
		`actor=${actor}`,
		`reason=${reason}`,
	].join("\n");
	return {
		predecessor: of("predecessor-lineage"),
		revision: of("expected-predecessor-revision"),
		successor,
		incident,
		authorization,
		actor,
		reason,
	};
}

/** The command; its incident goes through stdin. */
export function retryCommand(words: RetryWords, ...more: string[]): string[] {
	return [
		...["review", "retry-final-verification", "--predecessor-lineage", words.predecessor],
		...["--expected-predecessor-revision", words.revision, "--successor-lineage", words.successor],
		...["--incident=-", "--actor", words.actor, "--reason", words.reason],
		...["--maintainer-authorization", words.authorization, ...more],
	];
}
