// Questions to the store. Reads never write, and an absent store answers like an empty one.
import type { Snapshot } from "../contract/state.ts";
import { type ReceiptCopy, receiptStatus } from "./copies.ts";
import { openForReading } from "./database.ts";
import { storePath } from "./layout.ts";
import { LineageReader } from "./lineages.ts";
import {
	type Ending,
	type Lineage,
	readDecline,
	readEnding,
	readEvidence,
	readSlot,
	readSlotBytes,
	type SlotBytes,
	type SlotContent,
	type StoredAttempt,
	type StoredEvidence,
	text,
} from "./rows.ts";

/** Questions to the store. Every method answers from one consistent read. */
export class StoreReader extends LineageReader {
	/** The FINALIZE requests of a lineage, in order, each with the revisions that it committed. */
	attempts(id: string): StoredAttempt[] {
		return this.rows("SELECT * FROM attempts WHERE lineage_id = ? ORDER BY position", id).map((row) => ({
			request: text(row, "request_json"),
			revisions: text(row, "revisions_json"),
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
		return row && readEnding(row);
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
		return row && readSlot(row);
	}

	/** A slot as its bytes lie there, whether they verify or not. */
	slotBytes(id: string, order: number): SlotBytes | undefined {
		const [row] = this.rows("SELECT * FROM results WHERE lineage_id = ? AND selected_order = ?", id, order);
		return row && readSlotBytes(row);
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
		return row && readEvidence(row);
	}

	/** The immutable copy of a receipt outside the database. */
	receiptStatus(lineage: Lineage): ReceiptCopy {
		return receiptStatus(this.commonDir, lineage);
	}

	/** Decline records whose two trees are these. */
	declinesOf(base: string, candidate: string): Snapshot[] {
		const rows = this.rows("SELECT record FROM declines WHERE base_tree = ? AND candidate_tree = ?", base, candidate);
		return rows.map(readDecline);
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
}

/** Opens the store for reading; an absent one answers like an empty one and is not created. */
export function readStore(commonDir: string, waitMs: number): StoreReader {
	return new StoreReader(openForReading(storePath(commonDir), waitMs), commonDir);
}
