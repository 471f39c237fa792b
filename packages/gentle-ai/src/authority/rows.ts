// The rows of the store as values. A row is taken for what it says only when its content holds together: the JSON of the
// state is the truth, and what does not verify is told as damaged.

import { canonicalJson, sha256 } from "../contract/canonical.ts";
import { keptShape } from "../contract/check.ts";
import { ReviewError } from "../contract/errors.ts";
import { envelopeBytes, stateRevision, verificationRecordDigest } from "../contract/identities.ts";
import type { AdmittedResult, FrozenFacts, ReviewState, Snapshot, VerificationRecord } from "../contract/state.ts";
import type { Lifecycle } from "../contract/vocabulary.ts";

export type Lineage = {
	readonly lineage_id: string;
	readonly revision: string;
	readonly state: ReviewState;
	readonly frozen: FrozenFacts;
	readonly lifecycle: Lifecycle;
	readonly pack_name: string | undefined;
	readonly receipt: string | undefined;
};

/** A row whose content does not hold together. Its keys are all that may be used. */
export type DamagedLineage = { readonly lineage_id: string; readonly damaged: true };
export type LineageRow = Lineage | DamagedLineage;

export function isDamaged(row: LineageRow): row is DamagedLineage {
	return "damaged" in row;
}

export type DatedRow = { readonly row: LineageRow; readonly created_at: string; readonly updated_at: string };

export type StoredResult = { readonly envelope: AdmittedResult; readonly sha256: string; readonly raw: Uint8Array };
/** A slot's two texts, as they are stored. */
export type SlotBytes = { readonly envelope: string; readonly raw: Uint8Array };
export type SlotContent = StoredResult | "unverifiable" | undefined;
export type StoredEvidence = { readonly record: VerificationRecord; readonly payload: Uint8Array };

/** One FINALIZE as it was asked and what it committed, both as canonical JSON. */
export type StoredAttempt = { readonly request: string; readonly revisions: string };

/** What is left of a review that was ended. */
export type Ending = {
	readonly revision: string;
	readonly reason: string;
	readonly ended_at: string;
	readonly state_json: string;
	readonly predecessor: string | undefined;
	readonly disposition: string | undefined;
	readonly authorization: string | undefined;
};

export type Row = Record<string, unknown>;

function bytes(row: Row, column: string): Uint8Array {
	const value = row[column];
	return value instanceof Uint8Array ? value : new Uint8Array();
}

export function text(row: Row, column: string): string {
	const value = row[column];
	return typeof value === "string" ? value : "";
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

export function readLineage(row: Row): LineageRow {
	const lineage_id = text(row, "lineage_id");
	const state = keptShape("ReviewState", parsed(text(row, "state_json")));
	const frozen = keptShape("FrozenFacts", parsed(text(row, "frozen_json")));
	const revision = text(row, "revision");
	if (state === undefined || frozen === undefined) return { lineage_id, damaged: true };
	const canonical = canonicalJson(state) === text(row, "state_json");
	if (!canonical || stateRevision(state) !== revision || state.lineage_id !== lineage_id) {
		return { lineage_id, damaged: true };
	}
	const lifecycle = text(row, "lifecycle");
	return {
		lineage_id,
		revision,
		state,
		frozen,
		lifecycle: lifecycle === "atomic" ? "atomic" : "receipt",
		pack_name: text(row, "pack_name") || undefined,
		receipt: text(row, "receipt_bytes") || undefined,
	};
}

export function readSlot(row: Row): SlotContent {
	const bytes = text(row, "envelope");
	const envelope = keptShape("StoredEnvelope", parsed(bytes));
	const raw = row.raw;
	if (envelope === undefined || envelopeBytes(envelope) !== bytes) return "unverifiable";
	if (!(raw instanceof Uint8Array)) return "unverifiable";
	if (sha256(raw) !== text(row, "raw_sha256") || envelope.admission.raw_sha256 !== sha256(raw)) {
		return "unverifiable";
	}
	return { envelope, sha256: sha256(bytes), raw };
}

export function readSlotBytes(row: Row): SlotBytes {
	return { envelope: text(row, "envelope"), raw: bytes(row, "raw") };
}

export function readEvidence(row: Row): StoredEvidence | "invalid" {
	const json = text(row, "record_json");
	const record = keptShape("VerificationRecord", parsed(json));
	const payload = row.payload;
	if (record === undefined || !(payload instanceof Uint8Array) || canonicalJson(record) !== json) return "invalid";
	const { record_digest, ...body } = record;
	const bound =
		record.lineage_id === text(row, "lineage_id") &&
		record.authority_revision === text(row, "authority_revision") &&
		record.target_identity === text(row, "target_identity");
	const whole = verificationRecordDigest(body) === record_digest && sha256(payload) === record.raw_payload_sha256;
	return bound && whole ? { record, payload } : "invalid";
}

export function readEnding(row: Row): Ending {
	return {
		revision: text(row, "revision"),
		reason: text(row, "reason"),
		ended_at: text(row, "ended_at"),
		state_json: text(row, "state_json"),
		predecessor: text(row, "predecessor") || undefined,
		disposition: text(row, "disposition") || undefined,
		authorization: text(row, "authorization") || undefined,
	};
}

export function readDecline(row: Row): Snapshot {
	const record = parsed(text(row, "record"));
	const snapshot = typeof record === "object" && record !== null && "snapshot" in record ? record.snapshot : undefined;
	const shape = keptShape("Snapshot", snapshot);
	if (shape === undefined) {
		throw new ReviewError("authority_corrupted", { message: "a decline record of this candidate is damaged" });
	}
	return shape;
}
