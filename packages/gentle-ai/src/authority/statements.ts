// What a mutation writes, statement by statement. Nothing is decided here: whoever calls has compared the revision, and
// runs inside the one transaction.
import type { DatabaseSync } from "node:sqlite";
import { canonicalJson } from "../contract/canonical.ts";
import { receiptBytes, stateRevision } from "../contract/identities.ts";
import type { FrozenFacts, ReviewReceipt, ReviewState } from "../contract/state.ts";
import type { Lifecycle } from "../contract/vocabulary.ts";

export type Step = { readonly operation: string; readonly state: ReviewState };

export type NewLineage = {
	readonly state: ReviewState;
	readonly frozen: FrozenFacts;
	readonly lifecycle: Lifecycle;
	readonly pack_name: string | undefined;
};

/** What a kept candidate has of its own, and how it is put into place. */
export type Pack = { readonly name: string | undefined; readonly install: () => void };

export function insertLineage(open: DatabaseSync, lineage: NewLineage, revision: string, now: string): void {
	const { state } = lineage;
	const { base_tree, candidate_tree } = state.initial_snapshot;
	open
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
}

export function recordTransition(
	open: DatabaseSync,
	lineage: string,
	operation: string,
	revision: string,
	now: string,
): void {
	open
		.prepare(
			`INSERT INTO transitions (lineage_id, position, operation, revision, recorded_at)
			VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM transitions WHERE lineage_id = ?), ?, ?, ?)`,
		)
		.run(lineage, lineage, operation, revision, now);
}

export function recordAttempt(open: DatabaseSync, lineage: string, request: string, steps: readonly Step[]): void {
	const revisions = steps.map(({ operation, state }) => ({ operation, revision: stateRevision(state) }));
	open
		.prepare(
			`INSERT INTO attempts (lineage_id, position, request_json, revisions_json)
			VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM attempts WHERE lineage_id = ?), ?, ?)`,
		)
		.run(lineage, lineage, request, canonicalJson(revisions));
}

/** The row of a lineage as its last state says it. */
export function putState(
	open: DatabaseSync,
	lineage: string,
	state: ReviewState,
	receipt: ReviewReceipt | undefined,
	now: string,
): void {
	open
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

export function addPack(open: DatabaseSync, lineage: string, pack: Pack): void {
	if (pack.name === undefined) return;
	pack.install();
	open
		.prepare("UPDATE lineages SET pack_name = trim(coalesce(pack_name, '') || ' ' || ?) WHERE lineage_id = ?")
		.run(pack.name, lineage);
}
