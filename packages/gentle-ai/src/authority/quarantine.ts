// Where pruned reviews go: one immutable file each, with every row that the store kept of it, so that nothing is lost that
// somebody may want to look at again.
import { join } from "node:path";
import { indentedJson } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { openForWriting } from "./database.ts";
import { publishImmutable } from "./files.ts";
import { stagingPath, storePath } from "./layout.ts";
import { MaintenanceStore } from "./maintenance.ts";
import type { Row } from "./rows.ts";
import { revisionConflict } from "./writer.ts";

/** Every table that holds something of one review. */
const TABLES = [
	"lineages",
	"results",
	"evidence",
	"attempts",
	"quarantined_results",
	"transitions",
	"endings",
] as const;

/** A review to be pruned: a living one at the revision that was judged, or one that was ended. */
export type Pruned = { readonly lineage_id: string; readonly revision: string | undefined };

export const PRUNED_REASON = "pruned";

function shown(value: unknown): unknown {
	return value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value;
}

function plain(row: Row): Row {
	return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, shown(value)]));
}

/** Where it goes, below the Git common directory. */
export function quarantineName({ lineage_id, revision }: { lineage_id: string; revision: string }): string {
	return `gentle-ai/quarantine/reviews/${lineage_id}-${revision.slice("sha256:".length, "sha256:".length + 12)}.json`;
}

export class PruningStore extends MaintenanceStore {
	/** All of them or none: each is written out, synced, and only then taken out of the store. */
	prune(reviews: readonly Pruned[], now: string): void {
		this.transaction(() => {
			const named = new Set(reviews.map(({ lineage_id }) => lineage_id));
			for (const review of reviews) this.requireUnchanged(review, named);
			for (const review of reviews) this.writeOut(review);
			for (const { lineage_id, revision } of reviews) {
				if (revision !== undefined) this.moveToEndings(lineage_id, now);
				this.open.prepare("UPDATE endings SET state_json = '' WHERE lineage_id = ?").run(lineage_id);
				this.open.prepare("DELETE FROM transitions WHERE lineage_id = ?").run(lineage_id);
			}
		});
	}

	/** Neither did it move on, nor has another review taken it up. */
	private requireUnchanged({ lineage_id, revision }: Pruned, named: ReadonlySet<string>): void {
		const successor = this.successorOf(lineage_id)?.lineage_id;
		const continued = revision !== undefined && successor !== undefined && !named.has(successor);
		if (continued || this.storedRevision(lineage_id) !== revision) throw revisionConflict();
	}

	private moveToEndings(lineage: string, now: string): void {
		this.open
			.prepare(
				`INSERT INTO endings (lineage_id, revision, reason, state_json, ended_at, predecessor, disposition)
				SELECT lineage_id, revision, ?, '', ?, predecessor, json_extract(state_json, '$.recovery.disposition')
				FROM lineages WHERE lineage_id = ?`,
			)
			.run(PRUNED_REASON, now, lineage);
		this.open.prepare("DELETE FROM lineages WHERE lineage_id = ?").run(lineage);
	}

	private writeOut({ lineage_id, revision }: Pruned): void {
		const tables = TABLES.map((table) => {
			const rows = this.rows(`SELECT * FROM ${table} WHERE lineage_id = ? ORDER BY rowid`, lineage_id);
			return [table, rows.map(plain)] as const;
		});
		const at = revision ?? this.ending(lineage_id)?.revision ?? "";
		const bytes = indentedJson({
			schema: "gentle-ai.review-quarantine/v1",
			lineage_id,
			revision: at,
			tables: Object.fromEntries(tables),
		});
		const path = join(this.commonDir, quarantineName({ lineage_id, revision: at }));
		if (publishImmutable(stagingPath(this.commonDir), path, bytes, 0o600) !== "conflict") return;
		throw new ReviewError("invalid_request", {
			message: "another file is in the place of this review in the quarantine",
			next: "Move the foreign file away, then prune again",
			lineage: lineage_id,
		});
	}
}

export function pruneStore(commonDir: string, waitMs: number): PruningStore {
	return new PruningStore(openForWriting(storePath(commonDir), waitMs), commonDir, waitMs);
}
