// Gates: may exactly these bytes be delivered? A pure comparison of receipts with the live target; it changes nothing.
import type { Snapshot } from "../contract/state.ts";
import type { Delivery, GateResult } from "../contract/vocabulary.ts";

export type GateReceipt = {
	readonly terminal_state: "approved" | "escalated";
	readonly base_tree: string;
	readonly final_candidate_tree: string;
	readonly genesis_paths: readonly string[];
	/** A correction may have taken a path back to its base, so that fewer paths are delivered than were reviewed. */
	readonly corrected?: boolean;
};

export type GateTarget = {
	readonly base_tree: string;
	readonly candidate_tree: string;
	readonly paths: readonly string[];
	/** Untracked files that the receipt did not freeze; they matter where the gate judges the work tree. */
	readonly extra_untracked: readonly string[];
};

export type GateVerdict = {
	readonly result: GateResult;
	readonly allowed: boolean;
	readonly action: "continue" | "explicit-maintainer-action" | "review.status" | "repository-policy";
	readonly denial?: { readonly stage: string; readonly code: string };
	readonly delivery?: Delivery;
};

function denied(result: Exclude<GateResult, "allow">, stage?: string, code?: string): GateVerdict {
	return {
		result,
		allowed: false,
		action: result === "escalated" ? "review.status" : "explicit-maintainer-action",
		...(stage !== undefined && code !== undefined && { denial: { stage, code } }),
	};
}

/** The two gates that judge bytes not committed yet. Candidate and paths come before the base. */
export function evaluateGate(receipt: GateReceipt, live: GateTarget): GateVerdict {
	if (receipt.terminal_state === "escalated") return denied("escalated");
	if (live.extra_untracked.length > 0) return denied("invalidated", "scope-validation", "untracked-out-of-scope");
	const reviewed = new Set(receipt.genesis_paths);
	const samePaths =
		live.paths.every((path) => reviewed.has(path)) &&
		(live.paths.length === reviewed.size || receipt.corrected === true);
	if (live.candidate_tree !== receipt.final_candidate_tree || !samePaths) {
		return denied("scope-changed", "receipt-binding", "candidate-or-paths-mismatch");
	}
	if (live.base_tree !== receipt.base_tree) return denied("invalidated", "receipt-binding", "base-mismatch");
	return { result: "allow", allowed: true, action: "continue" };
}

export type Assessment = "exact" | "scope-changed" | "unrelated";
export type Leaf = { readonly lineage: string; readonly assessment: Assessment };

/**
 * How close a terminal receipt is to the live target. What was committed exactly is history: with the live base equal to
 * its final tree, nothing of it is left to deliver.
 */
export function assessReceipt(receipt: GateReceipt, live: Omit<GateTarget, "extra_untracked">): Assessment {
	if (live.base_tree === receipt.base_tree && live.candidate_tree === receipt.final_candidate_tree) return "exact";
	const overlap = live.paths.some((path) => receipt.genesis_paths.includes(path));
	return overlap ? "scope-changed" : "unrelated";
}

export type DiscoveryCode = "receipt_missing" | "receipt_unrelated" | "receipt_scope_changed" | "receipt_ambiguous";
export type Discovery =
	| { readonly found: true; readonly lineage: string }
	| { readonly found: false; readonly code: DiscoveryCode; readonly candidates: readonly string[] };

export function discoverReceipt(leaves: readonly Leaf[]): Discovery {
	const named = (assessment: Assessment) =>
		leaves.filter((leaf) => leaf.assessment === assessment).map(({ lineage }) => lineage);
	const exact = named("exact");
	const [only, second] = exact;
	if (only !== undefined && second === undefined) return { found: true, lineage: only };
	if (exact.length > 1) return { found: false, code: "receipt_ambiguous", candidates: exact };
	if (leaves.length === 0) return { found: false, code: "receipt_missing", candidates: [] };
	const stale = named("scope-changed");
	if (stale.length > 1) return { found: false, code: "receipt_ambiguous", candidates: stale };
	if (stale.length === 1) return { found: false, code: "receipt_scope_changed", candidates: stale };
	return { found: false, code: "receipt_unrelated", candidates: [] };
}

/** A closed review as a gate sees it. */
export type ClosedReview = {
	readonly lineage: string;
	readonly receipt: GateReceipt;
	/** What was reviewed last. */
	readonly frozen: Pick<Snapshot, "kind" | "base_tree" | "candidate_tree" | "intended_untracked">;
};

/** What would be delivered, as one gate sees it. */
export type Delivered = {
	readonly base_tree: string;
	readonly candidate_tree: string;
	readonly paths: readonly string[];
	readonly untracked: readonly string[];
	/** Of the bases of ranged reviews near these bytes: the trees that HEAD's history holds. */
	readonly history: ReadonlySet<string>;
};

export function isRanged({ frozen }: Pick<ClosedReview, "frozen">): boolean {
	return frozen.kind === "base-diff" || frozen.kind === "base-workspace-overlay";
}

/**
 * A range is compared with its own base, but only with one that HEAD's history holds: a base that nobody ever committed
 * could hide anything.
 */
function comparable(review: ClosedReview, live: Delivered): Delivered {
	const { frozen, receipt } = review;
	const same = isRanged(review) && live.candidate_tree === frozen.candidate_tree && live.history.has(frozen.base_tree);
	if (!same) return live;
	return {
		...live,
		base_tree: frozen.base_tree,
		paths: receipt.genesis_paths,
		untracked: frozen.intended_untracked,
	};
}

/** Untracked files of the live work tree that the review never saw. */
export function unreviewedUntracked(review: ClosedReview, live: Delivered): string[] {
	const frozen = new Set(review.receipt.genesis_paths);
	return comparable(review, live).untracked.filter((path) => !frozen.has(path));
}

export function judgeDelivery(review: ClosedReview, live: Delivered): GateVerdict {
	const { base_tree, candidate_tree, paths } = comparable(review, live);
	const extra_untracked = unreviewedUntracked(review, live);
	return evaluateGate(review.receipt, { base_tree, candidate_tree, paths, extra_untracked });
}

/** Which of these closed reviews, if any, governs the delivery. */
export function selectReceipt(reviews: readonly ClosedReview[], live: Delivered): Discovery {
	return discoverReceipt(
		reviews.map((review) => ({
			lineage: review.lineage,
			assessment: assessReceipt(review.receipt, comparable(review, live)),
		})),
	);
}

/** What a discovery that found nothing means for the delivery. */
export function undiscovered(code: DiscoveryCode | "authority_corrupted"): GateVerdict {
	return denied(code === "receipt_scope_changed" ? "scope-changed" : "invalidated", "receipt-discovery", code);
}

/** A delivery that review does not govern: never an approval, never a block. */
export function unmanaged(delivery: Delivery, stage: string, code: string): GateVerdict {
	return { result: "invalidated", allowed: false, action: "repository-policy", delivery, denial: { stage, code } };
}
