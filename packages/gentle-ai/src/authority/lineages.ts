// Which reviews there are: the connection, what it has read before, and every question that is answered with whole
// records. Reads never write.
import type { DatabaseSync } from "node:sqlite";
import { type Connection, storeError } from "./database.ts";
import { type DatedRow, type LineageRow, type Row, readLineage, text } from "./rows.ts";

/** No other lineage has taken up where this one ended. */
const IS_LEAF = "NOT EXISTS (SELECT 1 FROM lineages AS later WHERE later.predecessor = lineages.lineage_id)";

export class LineageReader {
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

	close(): void {
		this.closeConnection();
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
}
