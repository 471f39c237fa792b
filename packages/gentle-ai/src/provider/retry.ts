// May a final verification be retried, and what must the retry bind? Once in a whole ancestry; every doubt is a no.
import { isDamaged, type Lineage, type StoreReader } from "../authority/index.ts";
import type { FinalVerificationRetry } from "../contract/model.ts";

/** The one attempt that closed this lineage, when it was a final verification that failed for want of tools. */
function closingAttempt(store: StoreReader, lineage: Lineage): { request_digest: string } | undefined {
	const closing = store.attempts(lineage.lineage_id).filter(({ revisions }) => {
		const steps: unknown = JSON.parse(revisions);
		const last: unknown = Array.isArray(steps) ? steps.at(-1) : undefined;
		return (
			typeof last === "object" &&
			last !== null &&
			"operation" in last &&
			last.operation === "review/complete-verification" &&
			"revision" in last &&
			last.revision === lineage.revision
		);
	});
	const [only] = closing;
	if (only === undefined || closing.length > 1) return undefined;
	const request: unknown = JSON.parse(only.request);
	if (typeof request !== "object" || request === null || !("request_digest" in request)) return undefined;
	return { request_digest: String(request.request_digest) };
}

type Succession = { readonly predecessor: string; readonly disposition: string | undefined };

/** How this lineage, living or ended, came to be; `unknown` when nothing is left that could say it. */
function successionOf(store: StoreReader, id: string): Succession | "first" | "unknown" {
	const row = store.lineage(id);
	if (row !== undefined) {
		if (isDamaged(row)) return "unknown";
		const { recovery } = row.state;
		return recovery === undefined
			? "first"
			: { predecessor: recovery.predecessor_lineage_id, disposition: recovery.disposition };
	}
	const ended = store.ending(id);
	if (ended === undefined) return "unknown";
	return ended.predecessor === undefined ? "first" : { predecessor: ended.predecessor, disposition: ended.disposition };
}

const RETRIED = "final_verification_retry";

/** Was the one retry of this ancestry used? What cannot be told any more counts as used. */
function wasRetried(store: StoreReader, lineage: Lineage): boolean {
	const doubtful = (disposition: string | undefined) => disposition === undefined || disposition === RETRIED;
	if (store.endedSuccessions(lineage.lineage_id).some(doubtful)) return true;
	const seen = new Set<string>();
	for (let id = lineage.lineage_id; !seen.has(id); ) {
		seen.add(id);
		const succession = successionOf(store, id);
		if (succession === "first") return false;
		if (succession === "unknown" || doubtful(succession.disposition)) return true;
		id = succession.predecessor;
	}
	return true;
}

/** What a retry must bind; undefined when this lineage is not eligible for one. */
export function finalVerificationRetry(store: StoreReader, lineage: Lineage): FinalVerificationRetry | undefined {
	const { state } = lineage;
	const { evidence_hash, evidence_authority_revision, evidence_record_digest } = state;
	if (state.state !== "escalated" || state.evidence_outcome !== "procedural_tooling_failed") return undefined;
	if (evidence_hash === undefined || evidence_authority_revision === undefined) return undefined;
	if (state.evidence_target_identity !== state.current_snapshot.identity) return undefined;
	const attempt = closingAttempt(store, lineage);
	if (attempt === undefined || wasRetried(store, lineage)) return undefined;
	return {
		incident_schema: "gentle-ai.review-final-verification-incident/v1",
		incident_class: "procedural_tooling_failure",
		validating_revision: evidence_authority_revision,
		target_identity: state.current_snapshot.identity,
		failed_evidence_hash: evidence_hash,
		...(evidence_record_digest !== undefined && { failed_evidence_record_digest: evidence_record_digest }),
		finalize_request_digest: attempt.request_digest,
	};
}
