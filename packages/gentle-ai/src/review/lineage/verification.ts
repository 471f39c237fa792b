// What a verification leaves in the state.
import type { ReviewState } from "../../contract/state.ts";
import type { VerificationEvidence } from "./events.ts";
import { ordered } from "./shape.ts";

/** The state with what its candidate was verified by. */
export function withEvidence(state: ReviewState, evidence: VerificationEvidence): ReviewState {
	return ordered({
		...state,
		evidence_hash: evidence.evidence_hash,
		...(evidence.record !== undefined && {
			evidence_record_digest: evidence.record.digest,
			evidence_outcome: evidence.outcome,
			evidence_target_identity: evidence.record.target_identity,
			evidence_authority_revision: evidence.record.authority_revision,
		}),
	});
}

export function completeVerification(state: ReviewState, evidence: VerificationEvidence): ReviewState {
	return withEvidence({ ...state, state: evidence.outcome === "passed" ? "approved" : "escalated" }, evidence);
}
