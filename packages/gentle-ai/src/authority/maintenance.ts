// The rare mutations: what takes results back, and what a maintainer gives up.
import { sha256 } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { stateRevision } from "../contract/identities.ts";
import type { ReviewState } from "../contract/state.ts";
import type { Lens } from "../contract/vocabulary.ts";
import { openForWriting } from "./database.ts";
import { storePath } from "./layout.ts";
import { isDamaged, type SlotBytes } from "./rows.ts";
import { putState, recordTransition } from "./statements.ts";
import { revisionConflict, StoreWriter } from "./writer.ts";

/** One slot as it was classified, and whether its result leaves it. */
export type ClassifiedSlot = {
	readonly order: number;
	readonly lens: Lens;
	readonly digest: string;
	readonly raw_digest: string;
	readonly quarantined: boolean;
};

export function slotDigests({ envelope, raw }: SlotBytes): Pick<ClassifiedSlot, "digest" | "raw_digest"> {
	return { digest: sha256(envelope), raw_digest: sha256(raw) };
}

export class MaintenanceStore extends StoreWriter {
	/** Takes the quarantined results out of their slots and puts the lineage into `next`, if nothing changed meanwhile. */
	reopen(lineage: string, expected: string, next: ReviewState, slots: readonly ClassifiedSlot[], now: string): void {
		this.transaction(() => {
			if (this.isAt(lineage, expected, next)) return;
			for (const slot of slots) this.requireSame(lineage, slot);
			for (const slot of slots.filter(({ quarantined }) => quarantined)) this.quarantine(lineage, expected, slot);
			this.step(lineage, "review/reopen-results", next, now);
		});
	}

	/** Gives up a review that nobody has answered. */
	invalidate(lineage: string, expected: string, next: ReviewState, now: string): void {
		this.transaction(() => {
			if (this.isAt(lineage, expected, next)) return;
			if (this.hasResults(lineage)) throw revisionConflict();
			this.step(lineage, "review/invalidate", next, now);
		});
	}

	/** True when another call has led there already; a lineage that is anywhere else is refused. */
	private isAt(lineage: string, expected: string, next: ReviewState): boolean {
		const current = this.lineage(lineage);
		if (current === undefined || isDamaged(current)) throw revisionConflict();
		if (current.revision === stateRevision(next)) return true;
		if (current.revision !== expected) throw revisionConflict();
		return false;
	}

	private requireSame(lineage: string, { order, digest, raw_digest }: ClassifiedSlot): void {
		const there = this.slotBytes(lineage, order);
		const now = there && slotDigests(there);
		if (now?.digest === digest && now.raw_digest === raw_digest) return;
		throw new ReviewError("authority_revision_conflict", {
			message: "a captured result changed while it was judged",
			next: "Run the same command with --prepare again",
			lineage,
		});
	}

	private quarantine(lineage: string, revision: string, { order, lens }: ClassifiedSlot): void {
		this.open
			.prepare(
				`INSERT INTO quarantined_results (lineage_id, previous_revision, selected_order, lens, envelope, raw, raw_sha256)
				SELECT lineage_id, ?, selected_order, ?, envelope, raw, raw_sha256 FROM results
				WHERE lineage_id = ? AND selected_order = ?`,
			)
			.run(revision, lens, lineage, order);
		this.open.prepare("DELETE FROM results WHERE lineage_id = ? AND selected_order = ?").run(lineage, order);
	}

	private step(lineage: string, operation: string, next: ReviewState, now: string): void {
		recordTransition(this.open, lineage, operation, stateRevision(next), now);
		putState(this.open, lineage, next, undefined, now);
	}
}

export function maintainStore(commonDir: string, waitMs: number): MaintenanceStore {
	return new MaintenanceStore(openForWriting(storePath(commonDir), waitMs), commonDir, waitMs);
}
