// What a gate would let through: the index that Git hands it, or the work tree, and the closed reviews near those bytes.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isDamaged, type Lineage, type LineageRow, type StoreReader } from "../authority/index.ts";
import { invalidInput } from "../contract/errors.ts";
import type { Gate } from "../contract/vocabulary.ts";
import {
	hasTree,
	lookAtIndex,
	lookAtWorktree,
	readHead,
	readIndexEntries,
	type TreeEntry,
	treesInHistory,
} from "../git/index.ts";
import { type ClosedReview, type Delivered, deriveReceipt, isRanged, reviewedTarget } from "../review/index.ts";
import type { Workplace } from "./caller.ts";

export type LiveDelivery = Delivered & {
	/** What differs from another tree; undefined when that is gone from the repository. */
	readonly against: (tree: string) => Promise<TreeEntry[] | undefined>;
	readonly stillHolds: () => Promise<boolean>;
};

/** The index that Git hands to a hook, or the repository's own. */
function indexOf({ repository, caller }: Workplace): string {
	const handed = caller.environment.GIT_INDEX_FILE;
	if (handed === undefined) return repository.indexPath;
	// Git hands a path that is relative to the root of the work tree. Whatever it hands is what it will commit.
	const index = resolve(repository.root, handed);
	if (existsSync(index)) return index;
	const next = "Unset GIT_INDEX_FILE, or run the gate from a hook";
	throw invalidInput("GIT_INDEX_FILE", handed, "an existing index file", next);
}

/** Compares, or says that the other tree is gone; what Git fails at for another reason stays a failure. */
function whereThere(
	{ session, repository }: Workplace,
	compare: (tree: string) => Promise<TreeEntry[]>,
): LiveDelivery["against"] {
	return async (tree) => {
		try {
			return await compare(tree);
		} catch (error) {
			if (await hasTree(session, repository, tree)) throw error;
			return undefined;
		}
	};
}

/**
 * The common case: the index holds what was approved last on this base. The two trees are then those of that review, and
 * equal trees have equal differences, so the index need neither be compared with the base nor hashed.
 */
async function asApproved(
	place: Workplace,
	store: StoreReader,
	base: string,
	index: string,
): Promise<LiveDelivery | undefined> {
	const { session, repository } = place;
	const latest = store.latestApproved(base);
	if (latest === undefined) return undefined;
	const against = whereThere(place, (tree) => readIndexEntries(session, repository, tree, index));
	// A tree that is gone cannot be compared with; the candidate is then found the long way.
	const holds = async () => (await against(latest.candidate))?.length === 0;
	const holding = holds();
	const lineage = latest.read();
	if (!(await holding) || isDamaged(lineage)) return undefined;
	const { base_tree, candidate_tree, paths } = lineage.state.current_snapshot;
	if (base_tree !== base || candidate_tree !== latest.candidate) return undefined;
	return { base_tree, candidate_tree, paths, untracked: [], against, stillHolds: holds, history: new Set() };
}

/** Pre-commit judges an index and never the work tree. */
export async function lookAtDelivery(place: Workplace, gate: Gate, store: StoreReader): Promise<LiveDelivery> {
	const { session, repository } = place;
	const index = indexOf(place);
	const head = await readHead(session, repository);
	const approved = gate === "pre-commit" ? await asApproved(place, store, head.tree, index) : undefined;
	if (approved !== undefined) return approved;
	const looked =
		gate === "pre-commit"
			? await lookAtIndex(session, repository, head.tree, index)
			: await lookAtWorktree(session, repository, head.tree);
	return {
		base_tree: head.tree,
		candidate_tree: looked.tree,
		paths: looked.entries.map(({ path }) => path),
		untracked: looked.intended_untracked,
		against: whereThere(place, looked.against),
		stillHolds: looked.stillHolds,
		history: new Set(),
	};
}

/** A lineage as a gate sees it; undefined while it is open. */
export function closedReview(lineage: Lineage): ClosedReview | undefined {
	const receipt = deriveReceipt(lineage.state);
	if (receipt === undefined) return undefined;
	const { terminal_state, base_tree, final_candidate_tree } = receipt;
	return {
		lineage: lineage.lineage_id,
		receipt: {
			terminal_state,
			base_tree,
			final_candidate_tree,
			genesis_paths: lineage.state.genesis_paths,
			corrected: lineage.state.correction_attempt !== undefined,
		},
		frozen: {
			...reviewedTarget(lineage.state),
			intended_untracked: lineage.state.initial_snapshot.intended_untracked,
		},
	};
}

export type Near = { readonly lineage: Lineage; readonly review: ClosedReview };

/** The closed reviews of exactly this candidate. */
export function reviewsOfCandidate(store: StoreReader, live: Delivered): Near[] {
	return closedReviews(store.closedOf(live.candidate_tree));
}

/** The closed reviews that share the base or the candidate. */
export function reviewsNear(store: StoreReader, live: Delivered): Near[] {
	return closedReviews(store.closedNear(live.base_tree, live.candidate_tree));
}

/** Damaged ones of other bytes are nobody's business here. */
function closedReviews(rows: readonly LineageRow[]): Near[] {
	return rows.flatMap((lineage) => {
		const review = isDamaged(lineage) ? undefined : closedReview(lineage);
		return isDamaged(lineage) || review === undefined ? [] : [{ lineage, review }];
	});
}

/** Walks the history only when a ranged review could apply. */
export async function withHistory(
	place: Workplace,
	live: LiveDelivery,
	reviews: readonly ClosedReview[],
): Promise<LiveDelivery> {
	const bases = reviews
		.filter((review) => isRanged(review) && review.frozen.candidate_tree === live.candidate_tree)
		.map(({ frozen }) => frozen.base_tree);
	if (bases.length === 0) return live;
	return { ...live, history: await treesInHistory(place.session, place.repository, bases) };
}
