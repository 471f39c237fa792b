// Recovery: the exact texts by which a maintainer allows a successor, and whether one may be made. Nothing is normalised:
// a text that is almost right is not right.
import { PATTERNS } from "../contract/limits.ts";

const CONTROL = new RegExp(PATTERNS.controlOrSeparator, "u");

/** A name or reason as the texts take it: trimmed, one line, nothing invisible. */
export function isPlainLine(text: string): boolean {
	return text !== "" && text.trim() === text && !CONTROL.test(text);
}

function lines(schema: string, fields: Readonly<Record<string, string | undefined>>): string {
	const rows = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
	return [schema, ...rows].join("\n");
}

export function recoveryAuthorization(facts: {
	readonly predecessor_lineage: string;
	readonly predecessor_revision: string;
	readonly target_identity: string;
	/** Bound when the successor's target was selected explicitly. */
	readonly successor_lineage?: string;
	readonly actor: string;
	readonly reason: string;
}): string {
	const { predecessor_lineage, predecessor_revision, target_identity, successor_lineage, actor, reason } = facts;
	return lines("gentle-ai.review-recovery-authorization/v1", {
		predecessor_lineage,
		predecessor_revision,
		target_identity,
		successor_lineage,
		actor,
		reason,
	});
}

export function retryAuthorization(facts: {
	readonly predecessor_lineage: string;
	readonly predecessor_revision: string;
	readonly successor_lineage: string;
	readonly validating_revision: string;
	readonly target_identity: string;
	readonly failed_evidence_hash: string;
	readonly finalize_request_digest: string;
	readonly incident_digest: string;
	readonly actor: string;
	readonly reason: string;
}): string {
	return lines("gentle-ai.review-final-verification-retry-authorization/v1", {
		predecessor_lineage: facts.predecessor_lineage,
		predecessor_revision: facts.predecessor_revision,
		successor_lineage: facts.successor_lineage,
		validating_revision: facts.validating_revision,
		target_identity: facts.target_identity,
		failed_evidence_hash: facts.failed_evidence_hash,
		finalize_request_digest: facts.finalize_request_digest,
		incident_class: "procedural_tooling_failure",
		incident_digest: facts.incident_digest,
		actor: facts.actor,
		reason: facts.reason,
	});
}

export function reopenAuthorization(facts: {
	readonly repository: string;
	readonly lineage: string;
	readonly revision: string;
	readonly target_identity: string;
	readonly quarantined: readonly string[];
	readonly retained: readonly string[];
	readonly authorized_lenses: readonly string[];
	readonly actor: string;
	readonly reason: string;
}): string {
	const { repository, lineage, revision, target_identity, authorized_lenses, actor, reason } = facts;
	return lines("gentle-ai.review-result-reopen-authorization/v1", {
		repository,
		lineage,
		revision,
		target_identity,
		quarantined: facts.quarantined.join(","),
		retained: facts.retained.join(","),
		authorized_lenses: authorized_lenses.length === 0 ? undefined : authorized_lenses.join(","),
		actor,
		reason,
	});
}

/** `captured_lenses` only when reviewers are left without an answer: what is thrown away is then part of the word. */
export function abandonAuthorization(facts: {
	readonly lineage: string;
	readonly revision: string;
	readonly snapshot_identity: string;
	readonly captured_lenses?: readonly string[];
	readonly actor: string;
	readonly reason: string;
}): string {
	const { lineage, revision, snapshot_identity, captured_lenses, actor, reason } = facts;
	const schema =
		captured_lenses === undefined
			? "gentle-ai.review-abandon-authorization/v1"
			: "gentle-ai.review-incomplete-abandon-authorization/v1";
	const captured = captured_lenses?.join(",");
	return lines(schema, { lineage, revision, snapshot_identity, captured_lenses: captured, actor, reason });
}
