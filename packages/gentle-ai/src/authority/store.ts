// What is kept of a repository's reviews, in its Git common directory. The JSON of the state is the truth; every other
// column is an index. Reads never write; every write compares the revision that it expects.

import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { canonicalJson, envelopeBytes, receiptBytes, sha256, stateRevision } from "../contract/canonical.ts";
import { keptShape } from "../contract/check.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import type {
	AdmittedResult,
	FrozenFacts,
	ReviewReceipt,
	ReviewState,
	Snapshot,
	VerificationRecord,
} from "../contract/state.ts";
import type { Lifecycle } from "../contract/vocabulary.ts";
import { type Connection, inTransaction, openForReading, openForWriting, storeError } from "./database.ts";
import { type Publication, publicationOf, publishImmutable } from "./files.ts";

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

/** No other lineage has taken up where this one ended. */
const IS_LEAF = "NOT EXISTS (SELECT 1 FROM lineages AS later WHERE later.predecessor = lineages.lineage_id)";

export type Step = { readonly operation: string; readonly state: ReviewState };

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

function readLineage(row: Row): LineageRow {
	const lineage_id = text(row, "lineage_id");
	const state = keptShape("ReviewState", parsed(text(row, "state_json")));
	const frozen = keptShape("FrozenFacts", parsed(text(row, "frozen_json")));
	const revision = text(row, "revision");
	if (state === undefined || frozen === undefined) return { lineage_id, damaged: true };
	if (stateRevision(state) !== revision || state.lineage_id !== lineage_id) {
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

export function storePath(commonDir: string): string {
	return join(commonDir, "gentle-ai", "authority.sqlite3");
}

export function receiptPath(commonDir: string, lineage: string): string {
	return join(commonDir, "gentle-ai", "receipts", `${lineage}.json`);
}

export function resultPath(commonDir: string, lineage: string, order: number, lens: string): string {
	return join(commonDir, "gentle-ai", "results", lineage, `${String(order).padStart(2, "0")}-${lens}.json`);
}

export function stagingPath(commonDir: string): string {
	return join(commonDir, "gentle-ai", "staging");
}

/** Questions to the store. Every method answers from one consistent read. */
export class StoreReader {
	protected readonly database: DatabaseSync | undefined;
	protected readonly commonDir: string;
	private readonly closeConnection: () => void;
	/** Does every question see what others have committed by then? */
	readonly isLive: boolean;
	/** Rows that were read before, by their bytes: checking a record costs more than fetching it. */
	private readonly readBefore = new Map<string, LineageRow>();

	constructor(connection: Connection | undefined, commonDir: string) {
		this.database = connection?.database;
		this.closeConnection = connection?.close ?? (() => {});
		this.isLive = connection?.live ?? false;
		this.commonDir = commonDir;
	}

	protected rows(sql: string, ...values: (string | number)[]): Row[] {
		try {
			return this.database?.prepare(sql).all(...values) ?? [];
		} catch (error) {
			throw storeError(error, 0);
		}
	}

	private lineages(sql: string, ...values: string[]): LineageRow[] {
		return this.rows(sql, ...values).map((row) => this.known(row));
	}

	private known(row: Row): LineageRow {
		const bytes = Object.values(row).join("\0");
		const read = this.readBefore.get(bytes) ?? readLineage(row);
		this.readBefore.set(bytes, read);
		return read;
	}

	lineage(id: string): LineageRow | undefined {
		return this.lineages("SELECT * FROM lineages WHERE lineage_id = ?", id)[0];
	}

	/** The review that was approved last on this base: its candidate, and the record for whoever has the time to read it. */
	latestApproved(base: string): { readonly candidate: string; readonly read: () => LineageRow } | undefined {
		const [row] = this.rows(
			"SELECT * FROM lineages WHERE base_tree = ? AND state = 'approved' ORDER BY updated_at DESC LIMIT 1",
			base,
		);
		return row && { candidate: text(row, "candidate_tree"), read: () => this.known(row) };
	}

	/** Every leaf whose key columns name exactly these two trees. */
	lineagesOfTarget(base: string, candidate: string): LineageRow[] {
		return this.lineages(
			`SELECT * FROM lineages WHERE base_tree = ? AND candidate_tree = ? AND ${IS_LEAF} ORDER BY lineage_id`,
			base,
			candidate,
		);
	}

	/** Leaves on this base that the live target may be a later form of: open corrections, and escalated ones of its scope. */
	lineagesNear(base: string, pathsDigest: string): LineageRow[] {
		return this.lineages(
			`SELECT * FROM lineages WHERE base_tree = ?1 AND state = 'correction_required' AND ${IS_LEAF}
			UNION SELECT * FROM lineages WHERE base_tree = ?1 AND paths_digest = ?2
				AND state = 'escalated' AND ${IS_LEAF} ORDER BY lineage_id`,
			base,
			pathsDigest,
		);
	}

	/** The lineage that took up where this one ended. */
	successorOf(id: string): LineageRow | undefined {
		return this.lineages("SELECT * FROM lineages WHERE predecessor = ?", id)[0];
	}

	/** The FINALIZE requests of a lineage, in order, each with the revisions that it committed. */
	attempts(id: string): StoredAttempt[] {
		return this.rows("SELECT * FROM attempts WHERE lineage_id = ? ORDER BY position", id).map((row) => ({
			request: text(row, "request_json"),
			revisions: text(row, "revisions_json"),
		}));
	}

	/** Closed lineages of this candidate: only they can hold an exact receipt of it. */
	closedOf(candidate: string): LineageRow[] {
		return this.lineages(
			`SELECT * FROM lineages WHERE candidate_tree = ? AND state IN ('approved', 'escalated') AND ${IS_LEAF}
			ORDER BY lineage_id`,
			candidate,
		);
	}

	/** Closed lineages that share the base or the candidate: what a gate must tell apart from an exact receipt. */
	closedNear(base: string, candidate: string): LineageRow[] {
		return this.lineages(
			`SELECT * FROM lineages WHERE base_tree = ?1 AND state IN ('approved', 'escalated') AND ${IS_LEAF}
			UNION SELECT * FROM lineages WHERE candidate_tree = ?2 AND state IN ('approved', 'escalated') AND ${IS_LEAF}
			ORDER BY lineage_id`,
			base,
			candidate,
		);
	}

	/** The first reviews by name, the damaged ones too. */
	listing(limit: number): LineageRow[] {
		return this.lineages(`SELECT * FROM lineages ORDER BY lineage_id LIMIT ${Math.trunc(limit)}`);
	}

	/** The same with the times of each, which decide nothing. */
	datedListing(limit: number): DatedRow[] {
		return this.rows("SELECT * FROM lineages ORDER BY updated_at DESC, lineage_id LIMIT ?", limit).map((row) => ({
			row: readLineage(row),
			created_at: text(row, "created_at"),
			updated_at: text(row, "updated_at"),
		}));
	}

	/** How many rows there are of each kind. */
	counts(): { readonly lineages: number; readonly ended: number; readonly declined: number } {
		const count = (table: string) => Number(this.rows(`SELECT count(*) AS n FROM ${table}`)[0]?.n ?? 0);
		return { lineages: count("lineages"), ended: count("endings"), declined: count("declines") };
	}

	/** Reviews that were ended and are still kept whole. */
	keptEndings(limit: number): string[] {
		const rows = this.rows(
			`SELECT DISTINCT lineage_id FROM endings WHERE state_json <> '' AND lineage_id NOT IN (SELECT lineage_id FROM lineages)
			ORDER BY lineage_id LIMIT ?`,
			limit,
		);
		return rows.map((row) => text(row, "lineage_id"));
	}

	hasClosed(): boolean {
		return this.rows("SELECT 1 FROM lineages WHERE state IN ('approved', 'escalated') LIMIT 1").length > 0;
	}

	/** Was this id ever used, by a living or an ended review? */
	isTaken(id: string): boolean {
		return (
			this.rows("SELECT 1 FROM lineages WHERE lineage_id = ?", id).length > 0 ||
			this.rows("SELECT 1 FROM endings WHERE lineage_id = ?", id).length > 0
		);
	}

	/** The revision column of a lineage whose record nobody parses. */
	storedRevision(id: string): string | undefined {
		const [row] = this.rows("SELECT revision FROM lineages WHERE lineage_id = ?", id);
		return row === undefined ? undefined : text(row, "revision");
	}

	ending(id: string): Ending | undefined {
		const [row] = this.rows("SELECT * FROM endings WHERE lineage_id = ? ORDER BY ended_at DESC LIMIT 1", id);
		if (row === undefined) return undefined;
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

	/** How ended reviews had taken up where this one ended; undefined for a record that could not be read. */
	endedSuccessions(id: string): (string | undefined)[] {
		const rows = this.rows("SELECT disposition FROM endings WHERE predecessor = ?", id);
		return rows.map((row) => text(row, "disposition") || undefined);
	}

	/** The revision that a lineage began with. */
	genesisRevision(id: string): string | undefined {
		const [row] = this.rows("SELECT revision FROM transitions WHERE lineage_id = ? ORDER BY position LIMIT 1", id);
		return row === undefined ? undefined : text(row, "revision");
	}

	slot(id: string, order: number): SlotContent {
		const [row] = this.rows("SELECT * FROM results WHERE lineage_id = ? AND selected_order = ?", id, order);
		if (row === undefined) return undefined;
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

	/** A slot as its bytes lie there, whether they verify or not. */
	slotBytes(id: string, order: number): SlotBytes | undefined {
		const [row] = this.rows("SELECT * FROM results WHERE lineage_id = ? AND selected_order = ?", id, order);
		return row === undefined ? undefined : { envelope: text(row, "envelope"), raw: bytes(row, "raw") };
	}

	hasResults(id: string): boolean {
		return this.rows("SELECT 1 FROM results WHERE lineage_id = ? LIMIT 1", id).length > 0;
	}

	evidence(id: string, revision: string, target: string): StoredEvidence | "invalid" | undefined {
		const [row] = this.rows(
			"SELECT * FROM evidence WHERE lineage_id = ? AND authority_revision = ? AND target_identity = ?",
			id,
			revision,
			target,
		);
		if (row === undefined) return undefined;
		const record = keptShape("VerificationRecord", parsed(text(row, "record_json")));
		const payload = row.payload;
		if (record === undefined || !(payload instanceof Uint8Array)) return "invalid";
		if (sha256(payload) !== record.raw_payload_sha256) return "invalid";
		return { record, payload };
	}

	/** The immutable copy of a receipt outside the database. */
	receiptStatus(lineage: Lineage): { status: "absent" | "published" | "conflict"; identity?: string } {
		if (lineage.receipt === undefined) return { status: "absent" };
		const status = publicationOf(receiptPath(this.commonDir, lineage.lineage_id), lineage.receipt);
		return status === "published" ? { status, identity: sha256(lineage.receipt) } : { status };
	}

	/** Decline records whose two trees are these. */
	declinesOf(base: string, candidate: string): Snapshot[] {
		return this.rows("SELECT record FROM declines WHERE base_tree = ? AND candidate_tree = ?", base, candidate).map(
			(row) => {
				const record = parsed(text(row, "record"));
				const snapshot =
					typeof record === "object" && record !== null && "snapshot" in record ? record.snapshot : undefined;
				const shape = keptShape("Snapshot", snapshot);
				if (shape === undefined) {
					throw new ReviewError("authority_corrupted", { message: "a decline record of this candidate is damaged" });
				}
				return shape;
			},
		);
	}

	/** Does the whole file hold together? Reads all of it, so only who is about to give it up asks. */
	isSound(): boolean {
		return this.rows("PRAGMA quick_check(1)").every((row) => row.quick_check === "ok");
	}

	/** The packs that living reviews need. */
	livingPacks(): ReadonlySet<string> {
		const rows = this.rows("SELECT DISTINCT pack_name FROM lineages WHERE pack_name IS NOT NULL");
		return new Set(rows.flatMap((row) => text(row, "pack_name").split(" ")));
	}

	openLineages(): string[] {
		return this.rows(
			"SELECT lineage_id FROM lineages WHERE state NOT IN ('approved', 'escalated', 'invalidated') ORDER BY lineage_id",
		).map((row) => text(row, "lineage_id"));
	}

	close(): void {
		this.closeConnection();
	}
}

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

export type NewLineage = {
	readonly state: ReviewState;
	readonly frozen: FrozenFacts;
	readonly lifecycle: Lifecycle;
	readonly pack_name: string | undefined;
};

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
		const { base_tree, candidate_tree } = state.initial_snapshot;
		return this.transaction(() => {
			const existing = find(this) ?? this.lineage(state.lineage_id);
			if (existing !== undefined) return { created: false, row: existing };
			if (this.ending(state.lineage_id) !== undefined) {
				const rule = "an unused name: a review of this name was ended";
				throw invalidInput("--lineage", state.lineage_id, rule, "Pass another name, or leave --lineage out");
			}
			install();
			const revision = stateRevision(state);
			this.open
				.prepare(
					`INSERT INTO lineages (lineage_id, revision, state_json, state, lifecycle, base_tree, candidate_tree,
						frozen_json, pack_name, receipt_bytes, created_at, updated_at, paths_digest, predecessor)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?)`,
				)
				.run(
					state.lineage_id,
					revision,
					canonicalJson(state),
					state.state,
					lineage.lifecycle,
					base_tree,
					candidate_tree,
					canonicalJson(lineage.frozen),
					lineage.pack_name ?? null,
					now,
					now,
					state.initial_snapshot.paths_digest,
					state.recovery?.predecessor_lineage_id ?? null,
				);
			// A new review of a declined candidate takes the decline back.
			this.open.prepare("DELETE FROM declines WHERE target_identity = ?").run(state.initial_snapshot.identity);
			this.recordTransition(state.lineage_id, genesisOperation(state), revision, now);
			const row = this.lineage(state.lineage_id);
			if (row === undefined) throw new Error("a row that was just written is gone");
			return { created: true, row };
		});
	}

	protected recordTransition(lineage: string, operation: string, revision: string, now: string): void {
		this.open
			.prepare(
				`INSERT INTO transitions (lineage_id, position, operation, revision, recorded_at)
				VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM transitions WHERE lineage_id = ?), ?, ?, ?)`,
			)
			.run(lineage, lineage, operation, revision, now);
	}

	private recordAttempt(lineage: string, request: string, steps: readonly Step[]): void {
		const revisions = steps.map(({ operation, state }) => ({ operation, revision: stateRevision(state) }));
		this.open
			.prepare(
				`INSERT INTO attempts (lineage_id, position, request_json, revisions_json)
				VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM attempts WHERE lineage_id = ?), ?, ?)`,
			)
			.run(lineage, lineage, request, canonicalJson(revisions));
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
			for (const step of steps) this.recordTransition(lineage, step.operation, stateRevision(step.state), now);
			if (request !== undefined) this.recordAttempt(lineage, request, steps);
			this.putState(lineage, last.state, receipt, now);
		});
	}

	protected putState(lineage: string, state: ReviewState, receipt: ReviewReceipt | undefined, now: string): void {
		this.open
			.prepare(
				`UPDATE lineages SET revision = ?, state_json = ?, state = ?, candidate_tree = ?, receipt_bytes = ?, updated_at = ?
				WHERE lineage_id = ?`,
			)
			.run(
				stateRevision(state),
				canonicalJson(state),
				state.state,
				state.current_snapshot.candidate_tree,
				receipt === undefined ? null : receiptBytes(receipt),
				now,
				lineage,
			);
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
		pack?: { readonly name: string | undefined; readonly install: () => void },
	): "captured" | "same" | "conflict" {
		return this.transaction(() => {
			const { lineage_id, authority_revision, target_identity } = record;
			const there = this.evidence(lineage_id, authority_revision, target_identity);
			if (there !== undefined) {
				return there !== "invalid" && there.record.record_digest === record.record_digest ? "same" : "conflict";
			}
			const current = this.lineage(lineage_id);
			if (current === undefined || isDamaged(current) || current.revision !== expected) throw revisionConflict();
			if (pack !== undefined) this.addPack(lineage_id, pack);
			this.open
				.prepare(
					"INSERT INTO evidence (lineage_id, authority_revision, target_identity, record_json, payload) VALUES (?, ?, ?, ?, ?)",
				)
				.run(lineage_id, authority_revision, target_identity, canonicalJson(record), payload);
			return "captured";
		});
	}

	private addPack(lineage: string, pack: { readonly name: string | undefined; readonly install: () => void }): void {
		if (pack.name === undefined) return;
		pack.install();
		this.open
			.prepare("UPDATE lineages SET pack_name = trim(coalesce(pack_name, '') || ' ' || ?) WHERE lineage_id = ?")
			.run(pack.name, lineage);
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
		if (lineage.receipt === undefined) return "conflict";
		const path = receiptPath(this.commonDir, lineage.lineage_id);
		return publishImmutable(stagingPath(this.commonDir), path, lineage.receipt, 0o644);
	}

	publishResult(lineage: string, order: number, stored: StoredResult): string {
		const path = resultPath(this.commonDir, lineage, order, stored.envelope.subject.lens);
		this.withdrawQuarantined(lineage);
		const published = publishImmutable(stagingPath(this.commonDir), path, envelopeBytes(stored.envelope), 0o600);
		if (published === "conflict") {
			throw new ReviewError("invalid_request", {
				message: "another file is in the place of this captured result",
				next: "Move the foreign file away, then capture the same result again",
			});
		}
		return path;
	}

	/** Removes the published copies of results that a reopening took out of their slots; the store keeps their bytes. */
	withdrawQuarantined(lineage: string): void {
		for (const row of this.rows("SELECT * FROM quarantined_results WHERE lineage_id = ?", lineage)) {
			const path = resultPath(this.commonDir, lineage, Number(row.selected_order), text(row, "lens"));
			if (publicationOf(path, text(row, "envelope")) === "published") rmSync(path);
		}
	}
}

/** Removes the published copies of an ended lineage. */
export function withdrawCopies(commonDir: string, lineage: string): void {
	rmSync(receiptPath(commonDir, lineage), { force: true });
	rmSync(join(commonDir, "gentle-ai", "results", lineage), { recursive: true, force: true });
}

/** Moves a store that cannot be read, and what it published, out of the way; all is kept, and reviews start fresh. The path it went to. */
export function quarantineStore(commonDir: string, stamp: string): string {
	const path = storePath(commonDir);
	const folder = join(commonDir, "gentle-ai", "quarantine");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const name = stamp.replaceAll(/[^0-9A-Za-z]/g, "-");
	const to = join(folder, `authority-${name}.sqlite3`);
	// First what it published: a fresh review may get the name of one that nobody can read any more.
	for (const copies of ["receipts", "results"]) {
		const from = join(commonDir, "gentle-ai", copies);
		if (existsSync(from)) renameSync(from, join(folder, `${copies}-${name}`));
	}
	renameSync(path, to);
	if (existsSync(`${path}-journal`)) renameSync(`${path}-journal`, `${to}-journal`);
	return to;
}

/** Opens the store for reading; an absent one answers like an empty one and is not created. */
export function readStore(commonDir: string, waitMs: number): StoreReader {
	return new StoreReader(openForReading(storePath(commonDir), waitMs), commonDir);
}

export function writeStore(commonDir: string, waitMs: number): StoreWriter {
	return new StoreWriter(openForWriting(storePath(commonDir), waitMs), commonDir, waitMs);
}
