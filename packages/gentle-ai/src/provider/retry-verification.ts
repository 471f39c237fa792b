// RETRY-FINAL-VERIFICATION: opens the successor that verifies once more what a spoiled verification closed. Everything that
// was frozen and decided is taken over; the evidence is not. Every doubt is the same denial, and nothing has changed.
import {
	isDamaged,
	type Lineage,
	type LineageRow,
	readStore,
	type StoreReader,
	writeStore,
} from "../authority/index.ts";
import { sha256 } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { incidentBytes, receiptBytes } from "../contract/identities.ts";
import { LIMITS } from "../contract/limits.ts";
import type { FinalVerificationRetry, RetryOutcome } from "../contract/model.ts";
import type { Recovery } from "../contract/state.ts";
import { deriveReceipt, isPlainLine, retryAuthorization, retryVerification } from "../review/index.ts";
import { isoTime, type Workplace } from "./caller.ts";
import { requireReviewsOn } from "./mode.ts";
import { finalVerificationRetry } from "./retry.ts";
import { isStillLive } from "./still-live.ts";

export type RetryRequest = {
	readonly predecessor_lineage: string;
	readonly expected_predecessor_revision: string;
	readonly successor_lineage: string;
	readonly incident: Uint8Array;
	readonly actor: string;
	readonly reason: string;
	readonly authorization: string;
};

/** Why a retry is denied: the word is for whoever reads the cause, the code is one for all. */
const DENIALS = {
	invalid_request: "one trimmed line without control characters",
	ineligible_predecessor: "a closed review whose final verification failed for want of tools, and nothing else",
	already_succeeded: "a review that nothing has taken up, and that was not retried before in its whole ancestry",
	successor_taken: "an unused name",
	receipt_mismatch: "a review whose receipt is published as it was decided",
	evidence_mismatch: "a review whose failed evidence is kept as it was captured",
	live_target_drift: "a review whose candidate is still exactly the live one",
	incident_mismatch:
		"the exact incident of this review: its fields from STATUS in their order, compact, and a line feed",
	authorization_mismatch: "the twelve lines gentle-ai.review-final-verification-retry-authorization/v1, exactly",
} as const;

function denied(why: keyof typeof DENIALS, request: RetryRequest, field: string, value?: string): ReviewError {
	return new ReviewError("final_verification_retry_denied", {
		message: `the final verification is not retried (${why})`,
		field,
		...(value !== undefined && { value }),
		rule: DENIALS[why],
		next: "Run STATUS with --next-transition: it says whether a retry is possible, and what it must bind",
		lineage: request.predecessor_lineage,
	});
}

const PREDECESSOR = "--predecessor-lineage";

function requirePredecessor(store: StoreReader, request: RetryRequest): Lineage {
	const row = store.lineage(request.predecessor_lineage);
	if (row === undefined || isDamaged(row)) {
		throw denied("ineligible_predecessor", request, PREDECESSOR, request.predecessor_lineage);
	}
	if (row.revision !== request.expected_predecessor_revision) {
		const value = request.expected_predecessor_revision;
		throw denied("ineligible_predecessor", request, "--expected-predecessor-revision", value);
	}
	return row;
}

/** The same retry again, whatever has become of its successor since. */
function isReplay(successor: LineageRow, request: RetryRequest): successor is Lineage {
	if (isDamaged(successor)) return false;
	const { recovery } = successor.state;
	return (
		successor.lineage_id === request.successor_lineage &&
		recovery?.disposition === "final_verification_retry" &&
		recovery.predecessor_revision === request.expected_predecessor_revision &&
		recovery.incident_digest === sha256(request.incident) &&
		recovery.actor === request.actor &&
		recovery.reason === request.reason &&
		recovery.maintainer_authorization === request.authorization
	);
}

function requireIntact(store: StoreReader, lineage: Lineage, retry: FinalVerificationRetry, request: RetryRequest) {
	const receipt = deriveReceipt(lineage.state);
	const decided = receipt !== undefined && receiptBytes(receipt) === lineage.receipt;
	if (!decided || store.receiptStatus(lineage).status !== "published") {
		throw denied("receipt_mismatch", request, PREDECESSOR, request.predecessor_lineage);
	}
	const evidence = store.evidence(lineage.lineage_id, retry.validating_revision, retry.target_identity);
	const kept =
		evidence !== undefined &&
		evidence !== "invalid" &&
		evidence.record.record_digest === retry.failed_evidence_record_digest &&
		evidence.record.raw_payload_sha256 === retry.failed_evidence_hash;
	if (!kept) throw denied("evidence_mismatch", request, PREDECESSOR, request.predecessor_lineage);
}

/** What the caller says about the incident must be what the authority knows about it, byte for byte. */
function requireExact(lineage: Lineage, retry: FinalVerificationRetry, request: RetryRequest): void {
	const incident = incidentBytes({
		schema: retry.incident_schema,
		class: retry.incident_class,
		lineage_id: lineage.lineage_id,
		terminal_revision: lineage.revision,
		validating_revision: retry.validating_revision,
		target_identity: retry.target_identity,
		failed_evidence_hash: retry.failed_evidence_hash,
		finalize_request_digest: retry.finalize_request_digest,
	});
	if (!Buffer.from(incident).equals(request.incident)) throw denied("incident_mismatch", request, "--incident");
	const text = retryAuthorization({
		predecessor_lineage: lineage.lineage_id,
		predecessor_revision: lineage.revision,
		successor_lineage: request.successor_lineage,
		validating_revision: retry.validating_revision,
		target_identity: retry.target_identity,
		failed_evidence_hash: retry.failed_evidence_hash,
		finalize_request_digest: retry.finalize_request_digest,
		incident_digest: sha256(request.incident),
		actor: request.actor,
		reason: request.reason,
	});
	if (text !== request.authorization) {
		throw denied("authorization_mismatch", request, "--maintainer-authorization");
	}
}

/** The one place that says yes; asked before the repository is looked at, and again under the store's lock. */
function requireRetry(store: StoreReader, request: RetryRequest): Lineage {
	const lineage = requirePredecessor(store, request);
	const { successor_lineage } = request;
	const retry = finalVerificationRetry(store, lineage);
	if (retry === undefined) {
		const retried = lineage.state.evidence_outcome === "procedural_tooling_failed";
		throw denied(retried ? "already_succeeded" : "ineligible_predecessor", request, PREDECESSOR, lineage.lineage_id);
	}
	requireIntact(store, lineage, retry, request);
	requireExact(lineage, retry, request);
	if (store.isTaken(successor_lineage)) {
		throw denied("successor_taken", request, "--successor-lineage", successor_lineage);
	}
	return lineage;
}

/** The lineage that took up where the predecessor ended: the replay of this request, or the reason to deny it. */
function knownSuccessor(store: StoreReader, request: RetryRequest): Lineage | undefined {
	const successor = store.successorOf(request.predecessor_lineage);
	if (successor === undefined) return undefined;
	if (isReplay(successor, request)) return successor;
	throw denied("already_succeeded", request, PREDECESSOR, request.predecessor_lineage);
}

function recoveryOf(place: Workplace, request: RetryRequest): Recovery {
	return {
		predecessor_lineage_id: request.predecessor_lineage,
		predecessor_revision: request.expected_predecessor_revision,
		disposition: "final_verification_retry",
		reason: request.reason,
		actor: request.actor,
		recovered_at: isoTime(place.caller),
		maintainer_authorization: request.authorization,
		incident_digest: sha256(request.incident),
	};
}

function outcomeOf(store: StoreReader, { lineage_id, revision, state }: Lineage, request: RetryRequest): RetryOutcome {
	return {
		predecessor_lineage_id: request.predecessor_lineage,
		predecessor_revision: request.expected_predecessor_revision,
		lineage_id,
		revision: store.genesisRevision(lineage_id) ?? revision,
		target_identity: state.current_snapshot.identity,
		incident_digest: sha256(request.incident),
	};
}

function read(place: Workplace, request: RetryRequest): RetryOutcome | Lineage {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const successor = knownSuccessor(store, request);
		return successor === undefined ? requireRetry(store, request) : outcomeOf(store, successor, request);
	} finally {
		store.close();
	}
}

export async function retryFinalVerification(place: Workplace, request: RetryRequest): Promise<RetryOutcome> {
	requireReviewsOn(place);
	for (const name of ["actor", "reason"] as const) {
		if (!isPlainLine(request[name])) throw denied("invalid_request", request, `--${name}`, request[name]);
	}
	const known = read(place, request);
	if (!("state" in known)) return known;
	if (!(await isStillLive(place, known.state.initial_snapshot))) {
		throw denied("live_target_drift", request, PREDECESSOR, request.predecessor_lineage);
	}
	requireReviewsOn(place);
	const store = writeStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const { row } = store.create(
			{
				state: retryVerification(known.state, request.successor_lineage, recoveryOf(place, request)),
				frozen: known.frozen,
				lifecycle: known.lifecycle,
				pack_name: known.pack_name,
			},
			(now) => {
				const successor = knownSuccessor(now, request);
				if (successor === undefined) requireRetry(now, request);
				return successor;
			},
			() => {},
			isoTime(place.caller),
		);
		if (isDamaged(row)) throw denied("already_succeeded", request, PREDECESSOR, request.predecessor_lineage);
		return outcomeOf(store, row, request);
	} finally {
		store.close();
	}
}
