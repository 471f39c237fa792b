// CAPTURE-EVIDENCE: what verification said about exactly this candidate at exactly this revision.
import { type Lineage, readStore, writeStore } from "../authority/index.ts";
import { sha256 } from "../contract/canonical.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { verificationRecordDigest } from "../contract/identities.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Snapshot, VerificationRecord } from "../contract/state.ts";
import type { VerificationOutcome } from "../contract/vocabulary.ts";
import { type StagedPack, stagePack } from "../git/index.ts";
import { afterCommit, type Workplace } from "./caller.ts";
import { correctedCandidate, type LiveCorrection } from "./correction.ts";
import { requireBinding, requireLineage, requireRevision } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import { sweepPacks } from "./packs.ts";

export type EvidenceRequest = {
	readonly lineage: string;
	readonly target: string;
	readonly expected_revision: string;
	readonly outcome: VerificationOutcome;
};

/** What the evidence is about, and what must be kept so that a validator can read it. */
type Verified = { readonly lineage: Lineage; readonly target: Snapshot; readonly corrected?: LiveCorrection };

/** The candidate that waits for evidence: the reviewed one, or the corrected one while a correction is open. */
async function verifiedTarget(place: Workplace, lineage: Lineage): Promise<Verified> {
	const { state } = lineage;
	if (state.state === "validating") return { lineage, target: state.current_snapshot };
	if (state.state !== "correction_required") {
		throw invalidInput(
			"--lineage",
			lineage.lineage_id,
			`waiting for evidence: it is in state ${state.state}`,
			"Run STATUS",
		);
	}
	const corrected = await correctedCandidate(place, lineage);
	if (corrected !== undefined) return { lineage, target: corrected.fix, corrected };
	const rule = "a forecast correction whose bytes differ from the frozen ones and stay in their scope";
	throw invalidInput("--lineage", lineage.lineage_id, rule, "Run STATUS; it says what the correction lacks");
}

async function verified(place: Workplace, request: EvidenceRequest): Promise<Verified> {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const lineage = requireLineage(store, request.lineage);
		requireRevision(lineage, request.expected_revision);
		const found = await verifiedTarget(place, lineage);
		requireBinding("--target", request.target, found.target.identity, "the target of this lineage");
		return found;
	} finally {
		store.close();
	}
}

/** The identity that evidence for this lineage must name now. */
export async function evidenceTarget(place: Workplace, lineage: Lineage): Promise<string> {
	return (await verifiedTarget(place, lineage)).target.identity;
}

function recordOf({ lineage, target }: Verified, request: EvidenceRequest, payload: Uint8Array): VerificationRecord {
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
}

/** The corrected candidate's own objects: from now on plain Git finds what the validator is asked about. */
async function packOf({ repository }: Workplace, { lineage, corrected }: Verified): Promise<StagedPack | undefined> {
	return corrected && stagePack(repository, await corrected.live.pack, lineage.lineage_id);
}

export async function captureEvidence(
	place: Workplace,
	request: EvidenceRequest,
	payload: Uint8Array,
): Promise<VerificationRecord> {
	requireReviewsOn(place);
	if (payload.byteLength === 0 || payload.byteLength > LIMITS.verificationPayloadBytes) {
		const rule = `between 1 and ${LIMITS.verificationPayloadBytes} bytes`;
		throw invalidInput("--input", `${payload.byteLength} bytes`, rule, "Pass the output of the verification");
	}
	const about = await verified(place, request);
	const record = recordOf(about, request, payload);
	const pack = await packOf(place, about);
	try {
		if (about.corrected !== undefined && !(await about.corrected.live.stillHolds())) throw movedOn();
		const store = writeStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
		try {
			if (store.captureEvidence(request.expected_revision, record, payload, pack) === "conflict") throw conflicting();
			if (pack !== undefined) await afterCommit(() => sweepPacks(place, store));
			return record;
		} finally {
			store.close();
		}
	} finally {
		pack?.discard();
	}
}

function movedOn(): ReviewError {
	return new ReviewError("invalid_request", {
		message: "the corrected candidate changed while its evidence was captured",
		field: "--target",
		rule: "the identity of the live corrected candidate",
		next: "Run STATUS again and verify what it prints",
	});
}

function conflicting(): ReviewError {
	return new ReviewError("invalid_request", {
		message: "other evidence was captured for this candidate and revision before",
		field: "--input",
		rule: "the same bytes and outcome as the captured evidence",
		next: "Run STATUS; it prints how to finalize with what was captured",
	});
}
