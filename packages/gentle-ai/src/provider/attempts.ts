// The FINALIZE request as it is kept: digests of everything that a caller handed in, and of what it was about.
import { canonicalJson } from "../contract/canonical.ts";
import { finalizeInputDigest } from "../contract/identities.ts";
import type { ReviewState, VerificationRecord } from "../contract/state.ts";
import type { FinalizeRequest } from "../review/index.ts";

export type FinalizeAttempt = {
	readonly lineage_id: string;
	readonly expected_revision: string;
	readonly candidate_digest: string;
	readonly reviewer_results_digest: string;
	readonly correction_forecast_digest: string;
	readonly validation_digest: string;
	readonly refuter_digest: string;
	readonly evidence_digest: string;
	readonly failed_digest: string;
	readonly evidence_record_digest?: string;
	readonly verification_outcome?: VerificationRecord["outcome"];
	readonly request_digest: string;
};

export type FinalizeInputs = {
	readonly state: ReviewState;
	readonly revision: string;
	readonly request: FinalizeRequest;
	/** Canonical digests of the captured results that this request closes. */
	readonly results: readonly string[] | null;
	readonly evidence: { readonly record: VerificationRecord; readonly payload: Uint8Array } | undefined;
};

export function finalizeAttempt(inputs: FinalizeInputs): FinalizeAttempt {
	const { state, revision, request, results, evidence } = inputs;
	const used = request.captured_evidence ? evidence : undefined;
	const payload = used === undefined ? null : Buffer.from(used.payload).toString("base64");
	const body = {
		lineage_id: state.lineage_id,
		expected_revision: revision,
		candidate_digest: finalizeInputDigest("candidate", state.current_snapshot),
		reviewer_results_digest: finalizeInputDigest("reviewer-results", results),
		correction_forecast_digest: finalizeInputDigest("correction-forecast", request.correction_lines ?? null),
		validation_digest: finalizeInputDigest("validation", request.validation ?? null),
		refuter_digest: finalizeInputDigest("refuter", { results: request.refuter ?? null }),
		evidence_digest: finalizeInputDigest("evidence", payload),
		failed_digest: finalizeInputDigest("failed", used !== undefined && used.record.outcome !== "passed"),
		...(used !== undefined && {
			evidence_record_digest: used.record.record_digest,
			verification_outcome: used.record.outcome,
		}),
	};
	return { ...body, request_digest: finalizeInputDigest("request", { ...body, request_digest: "" }) };
}

export function attemptJson(attempt: FinalizeAttempt): string {
	return canonicalJson(attempt);
}
