// Gates: may exactly these bytes be delivered? A pure comparison of receipts with the live target; it changes nothing.
import type { Delivery, GateResult } from "../contract/vocabulary.ts";

export type GateReceipt = {
	readonly terminal_state: "approved" | "escalated";
	readonly base_tree: string;
	readonly final_candidate_tree: string;
	readonly genesis_paths: readonly string[];
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
	const samePaths =
		live.paths.length === receipt.genesis_paths.length &&
		live.paths.every((path, index) => path === receipt.genesis_paths[index]);
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

/** A delivery that review does not govern: never an approval, never a block. */
export function unmanaged(delivery: Delivery, stage: string, code: string): GateVerdict {
	return { result: "invalidated", allowed: false, action: "repository-policy", delivery, denial: { stage, code } };
}
