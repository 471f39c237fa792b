// CAPTURE-EVIDENCE: what verification said about exactly this candidate at exactly this revision.
import { readStore, writeStore } from "../authority/index.ts";
import { sha256, verificationRecordDigest } from "../contract/canonical.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import type { VerificationRecord } from "../contract/state.ts";
import { LIMITS, type VerificationOutcome } from "../contract/vocabulary.ts";
import type { Workplace } from "./caller.ts";
import { requireBinding, requireLineage, requireRevision } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";

export type EvidenceRequest = {
	readonly lineage: string;
	readonly target: string;
	readonly expected_revision: string;
	readonly outcome: VerificationOutcome;
};

export function captureEvidence(place: Workplace, request: EvidenceRequest, payload: Uint8Array): VerificationRecord {
	requireReviewsOn(place);
	if (payload.byteLength === 0 || payload.byteLength > LIMITS.verificationPayloadBytes) {
		const rule = `between 1 and ${LIMITS.verificationPayloadBytes} bytes`;
		throw invalidInput("--input", `${payload.byteLength} bytes`, rule, "Pass the output of the verification");
	}
	const record = recordFor(place, request, payload);
	const store = writeStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		if (store.captureEvidence(request.expected_revision, record, payload) === "conflict") {
			throw new ReviewError("invalid_request", {
				message: "other evidence was captured for this candidate and revision before",
				field: "--input",
				rule: "the same bytes and outcome as the captured evidence",
				next: "Run STATUS; it prints how to finalize with what was captured",
			});
		}
		return record;
	} finally {
		store.close();
	}
}

function recordFor(place: Workplace, request: EvidenceRequest, payload: Uint8Array): VerificationRecord {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const lineage = requireLineage(store, request.lineage);
		requireRevision(lineage, request.expected_revision);
		if (lineage.state.state !== "validating") {
			const rule = `waiting for evidence: it is in state ${lineage.state.state}`;
			throw invalidInput("--lineage", request.lineage, rule, "Run STATUS");
		}
		const target = lineage.state.current_snapshot;
		requireBinding("--target", request.target, target.identity, "the target of this lineage");
		const record = {
			schema: "gentle-ai.review-verification-evidence/v2",
			version: 2,
			lineage_id: lineage.lineage_id,
			authority_revision: lineage.revision,
			target_identity: target.identity,
			candidate_tree: target.candidate_tree,
			paths_digest: target.paths_digest,
			paths: target.paths,
			ledger_ids: target.ledger_ids ?? [],
			raw_payload_sha256: sha256(payload),
			raw_payload_bytes: payload.byteLength,
			outcome: request.outcome,
		} as const;
		return { ...record, record_digest: verificationRecordDigest(record) };
	} finally {
		store.close();
	}
}
