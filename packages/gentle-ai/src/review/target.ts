// Which authority applies to the live target, and how: the same bytes, a correction of them, or a scope that moved on.
// A damaged or merely similar stranger never answers.
import type { ReviewState, Snapshot } from "../contract/state.ts";
import type { RecoveryDisposition, TargetKind } from "../contract/vocabulary.ts";

import { isCorrectionExhausted } from "./lineage/index.ts";

export type LiveTarget = Pick<Snapshot, "kind" | "base_tree" | "candidate_tree" | "projection">;

/** A committed range and the work tree that it was committed from are one target. */
function kindGroup(kind: TargetKind): string {
	return kind === "base-diff" || kind === "current-changes" ? "changes" : kind;
}

function sameSelector(frozen: LiveTarget, live: LiveTarget): boolean {
	return (
		kindGroup(frozen.kind) === kindGroup(live.kind) &&
		(frozen.projection ?? "workspace") === (live.projection ?? "workspace") &&
		frozen.base_tree === live.base_tree
	);
}

/**
 * Same base, same candidate, same projection, compatible kind. Untracked membership is history, not identity: a file
 * that has become tracked since is the same file. Paths and their digest follow from the two trees.
 */
export function isSameTarget(frozen: LiveTarget, live: LiveTarget): boolean {
	return sameSelector(frozen, live) && frozen.candidate_tree === live.candidate_tree;
}

/** What a lineage is about now: the frozen target, with the bytes that its correction made of it. */
export function reviewedTarget(state: ReviewState): LiveTarget {
	return { ...state.initial_snapshot, candidate_tree: state.current_snapshot.candidate_tree };
}

export type Relation =
	| { readonly kind: "same" }
	/** Other bytes of the frozen scope, while a correction is open. */
	| { readonly kind: "correction" }
	/** The candidate moved on in a way that a successor can take up. */
	| { readonly kind: "recoverable"; readonly disposition: RecoveryDisposition }
	| { readonly kind: "unrelated" };

const UNRELATED: Relation = { kind: "unrelated" };

function recoverable(disposition: RecoveryDisposition): Relation {
	return { kind: "recoverable", disposition };
}

function sameScope(state: ReviewState, live: Snapshot): boolean {
	return live.paths_digest === state.initial_snapshot.paths_digest;
}

/**
 * May a maintainer say that this target continues an approved review, although STATUS takes it for another change? What
 * was approved stays approved: other bytes are a fresh review, with or without a predecessor.
 */
export function continuesApproved(state: ReviewState, live: Snapshot): boolean {
	const reviewed = reviewedTarget(state);
	const moved = live.candidate_tree !== reviewed.candidate_tree && live.candidate_tree !== live.base_tree;
	return state.state === "approved" && moved && sameSelector(reviewed, live);
}

/** How a lineage relates to the live target. Only leaves are asked: a superseded lineage answers for nothing. */
export function relate(state: ReviewState, live: Snapshot): Relation {
	const reviewed = reviewedTarget(state);
	if (!sameSelector(reviewed, live)) return UNRELATED;
	if (reviewed.candidate_tree === live.candidate_tree) {
		return state.state === "invalidated" ? recoverable("invalidated") : { kind: "same" };
	}
	if (live.base_tree === live.candidate_tree) return UNRELATED;
	switch (state.state) {
		case "correction_required": {
			// Without a correction left, only a new review can take the change up.
			if (isCorrectionExhausted(state)) return UNRELATED;
			const frozen = new Set(state.genesis_paths);
			if (live.paths.every((path) => frozen.has(path))) return { kind: "correction" };
			return live.paths.some((path) => frozen.has(path)) ? recoverable("scope_changed") : UNRELATED;
		}
		case "escalated":
			return sameScope(state, live) ? recoverable("escalated") : UNRELATED;
		default:
			return UNRELATED;
	}
}

export type Claim = { readonly lineage: string; readonly relation: Relation };

export type Claimed =
	| { readonly kind: "none" }
	| { readonly kind: "one"; readonly lineage: string; readonly relation: Exclude<Relation, { kind: "unrelated" }> }
	| { readonly kind: "several"; readonly lineages: readonly string[] };

/** The same bytes come before a correction, a correction before a scope that moved on; of the last, only a lone one. */
export function claim(claims: readonly Claim[]): Claimed {
	const of = (kind: Relation["kind"]) => claims.filter(({ relation }) => relation.kind === kind);
	for (const kind of ["same", "correction", "recoverable"] as const) {
		const [only, second] = of(kind);
		if (only === undefined) continue;
		if (second === undefined && only.relation.kind !== "unrelated") {
			return { kind: "one", lineage: only.lineage, relation: only.relation };
		}
		if (kind !== "recoverable") return { kind: "several", lineages: of(kind).map(({ lineage }) => lineage) };
	}
	return { kind: "none" };
}
