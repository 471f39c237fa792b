// Changes of the store. Every mutation is one transaction, and every one compares the revision that it expects.
import type { DatabaseSync } from "node:sqlite";
import { canonicalJson, sha256 } from "../contract/canonical.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { envelopeBytes, stateRevision } from "../contract/identities.ts";
import type { AdmittedResult, ReviewReceipt, ReviewState, Snapshot, VerificationRecord } from "../contract/state.ts";
import { publishReceipt, publishResult, withdrawResult } from "./copies.ts";
import { type Connection, inTransaction, openForWriting, storeError } from "./database.ts";
import type { Publication } from "./files.ts";
import { storePath } from "./layout.ts";
import { StoreReader } from "./reader.ts";
import { isDamaged, type Lineage, type LineageRow, type StoredResult } from "./rows.ts";
import {
	addPack,
	insertLineage,
	type NewLineage,
	type Pack,
	putState,
	recordAttempt,
	recordTransition,
	type Step,
} from "./statements.ts";

export function revisionConflict(): ReviewError {
	return new ReviewError("authority_revision_conflict", {
		message: "another process advanced this review in the meantime",
		next: "Run STATUS again and continue from what it prints",
	});
}

function genesisOperation({ recovery }: ReviewState): string {
	if (recovery === undefined) return "review/start";
	return recovery.disposition === "final_verification_retry" ? "review/retry-final-verification" : "review/recover";
}

/** One mutation. Every method is one transaction; `now` is an ISO time that decides nothing. */
export class StoreWriter extends StoreReader {
	protected readonly open: DatabaseSync;
	private readonly waitMs: number;

	constructor(connection: Connection, commonDir: string, waitMs: number) {
		super(connection, commonDir);
		this.open = connection.database;
		this.waitMs = waitMs;
	}

	protected transaction<Result>(work: () => Result): Result {
		try {
			return inTransaction(this.open, work);
		} catch (error) {
			throw storeError(error, this.waitMs);
		}
	}

	/** Creates a lineage unless one exists for its id, or `find` knows one; then answers what exists. */
	create(
		lineage: NewLineage,
		/** Under the write lock: the lineage that already answers for this target. A damaged one may be it. */
		find: (store: StoreReader) => LineageRow | undefined,
		/** Puts the frozen objects into place; runs under the write lock, before the row exists. */
		install: () => void,
		now: string,
	): { created: boolean; row: LineageRow } {
		const { state } = lineage;
		return this.transaction(() => {
			const existing = find(this) ?? this.lineage(state.lineage_id);
			if (existing !== undefined) return { created: false, row: existing };
			if (this.ending(state.lineage_id) !== undefined) {
				const rule = "an unused name: a review of this name was ended";
				throw invalidInput("--lineage", state.lineage_id, rule, "Pass another name, or leave --lineage out");
			}
			install();
			const revision = stateRevision(state);
			insertLineage(this.open, lineage, revision, now);
			// A new review of a declined candidate takes the decline back.
			this.open.prepare("DELETE FROM declines WHERE target_identity = ?").run(state.initial_snapshot.identity);
			recordTransition(this.open, state.lineage_id, genesisOperation(state), revision, now);
			const row = this.lineage(state.lineage_id);
			if (row === undefined) throw new Error("a row that was just written is gone");
			return { created: true, row };
		});
	}

	/** Commits the steps in order, and the receipt with the last one, when the revision is still the expected one. */
	advance(
		lineage: string,
		expected: string,
		steps: readonly Step[],
		receipt: ReviewReceipt | undefined,
		now: string,
		/** The request that is answered by these steps; kept with them. */
		request?: string,
	): void {
		this.transaction(() => {
			const last = steps.at(-1);
			if (last === undefined) return;
			const current = this.lineage(lineage);
			if (current === undefined || isDamaged(current)) throw revisionConflict();
			// An exact retry finds its own result and converges.
			if (current.revision === stateRevision(last.state)) return;
			if (current.revision !== expected) throw revisionConflict();
			for (const step of steps) recordTransition(this.open, lineage, step.operation, stateRevision(step.state), now);
			if (request !== undefined) recordAttempt(this.open, lineage, request, steps);
			putState(this.open, lineage, last.state, receipt, now);
		});
	}

	/** Fills a slot once. The same raw bytes again are the same capture; other bytes never replace it. */
	capture(
		lineage: string,
		expected: string,
		order: number,
		envelope: AdmittedResult,
		raw: Uint8Array,
	): "captured" | "same" | "occupied" {
		return this.transaction(() => {
			const there = this.slot(lineage, order);
			if (there !== undefined) {
				return there !== "unverifiable" && there.envelope.admission.raw_sha256 === sha256(raw) ? "same" : "occupied";
			}
			const current = this.lineage(lineage);
			if (current === undefined || isDamaged(current) || current.revision !== expected) throw revisionConflict();
			this.open
				.prepare("INSERT INTO results (lineage_id, selected_order, envelope, raw, raw_sha256) VALUES (?, ?, ?, ?, ?)")
				.run(lineage, order, envelopeBytes(envelope), raw, sha256(raw));
			return "captured";
		});
	}

	/** Keeps evidence once for one revision and candidate; different bytes or another outcome conflict. */
	captureEvidence(
		expected: string,
		record: VerificationRecord,
		payload: Uint8Array,
		/** What a corrected candidate has of its own; kept for as long as the lineage lives. */
		pack?: Pack,
	): "captured" | "same" | "conflict" {
		return this.transaction(() => {
			const { lineage_id, authority_revision, target_identity } = record;
			const there = this.evidence(lineage_id, authority_revision, target_identity);
			if (there !== undefined) {
				return there !== "invalid" && there.record.record_digest === record.record_digest ? "same" : "conflict";
			}
			const current = this.lineage(lineage_id);
			if (current === undefined || isDamaged(current) || current.revision !== expected) throw revisionConflict();
			if (pack !== undefined) addPack(this.open, lineage_id, pack);
			this.open
				.prepare(
					"INSERT INTO evidence (lineage_id, authority_revision, target_identity, record_json, payload) VALUES (?, ?, ?, ?, ?)",
				)
				.run(lineage_id, authority_revision, target_identity, canonicalJson(record), payload);
			return "captured";
		});
	}

	decline(record: { schema: string; snapshot: Snapshot; authorization_ref: string }): void {
		const { identity, base_tree, candidate_tree } = record.snapshot;
		this.transaction(() => {
			this.open
				.prepare(
					"INSERT OR IGNORE INTO declines (target_identity, base_tree, candidate_tree, record) VALUES (?, ?, ?, ?)",
				)
				.run(identity, base_tree, candidate_tree, canonicalJson(record));
		});
	}

	/** Takes a lineage out of the living ones by its id alone; its record is never parsed. */
	end(id: string, expected: string, reason: string, now: string, authorization?: string): void {
		this.transaction(() => {
			if (this.storedRevision(id) !== expected) throw revisionConflict();
			this.open
				.prepare(
					`INSERT INTO endings (lineage_id, revision, reason, state_json, ended_at, predecessor, disposition, authorization)
					SELECT lineage_id, revision, ?, state_json, ?, predecessor, CASE WHEN json_valid(state_json)
						THEN json_extract(state_json, '$.recovery.disposition') END, ? FROM lineages WHERE lineage_id = ?`,
				)
				.run(reason, now, authorization ?? null, id);
			this.open.prepare("DELETE FROM lineages WHERE lineage_id = ?").run(id);
		});
	}

	/** Work that must not race with another process's START, such as removing packs that no review needs. */
	underLock(work: () => void): void {
		this.transaction(work);
	}

	publishReceipt(lineage: Lineage): Publication {
		return publishReceipt(this.commonDir, lineage);
	}

	publishResult(lineage: string, order: number, stored: StoredResult): string {
		this.withdrawQuarantined(lineage);
		return publishResult(this.commonDir, lineage, order, stored);
	}

	/** Removes the published copies of results that a reopening took out of their slots; the store keeps their bytes. */
	withdrawQuarantined(lineage: string): void {
		for (const row of this.rows("SELECT * FROM quarantined_results WHERE lineage_id = ?", lineage)) {
			withdrawResult(this.commonDir, lineage, row);
		}
	}
}

export function writeStore(commonDir: string, waitMs: number): StoreWriter {
	return new StoreWriter(openForWriting(storePath(commonDir), waitMs), commonDir, waitMs);
}
