// PRUNE: moves closed and ended reviews out of the store into quarantine. Named one by one, a dry run unless told
// otherwise, and never what the work tree, its index or HEAD still holds.
import {
	isDamaged,
	type Lineage,
	type Pruned,
	pruneStore,
	quarantineName,
	readStore,
	type StoreReader,
} from "../authority/index.ts";
import { LIMITS } from "../contract/limits.ts";
import { isTerminal } from "../review/index.ts";
import { isoTime, type Workplace } from "./caller.ts";
import { claimTarget } from "./claims.ts";
import { tidyAfterEnd } from "./end.ts";
import { type LiveTarget, lookAtTarget } from "./target.ts";

export type PruneRequest = {
	/** Empty: say of every review whether it could be pruned. */
	readonly lineages: readonly string[];
	readonly apply: boolean;
};

/** Why a review stays where it is. */
const KEPT = {
	unknown: "no review of this id is kept",
	damaged: "its record cannot be read; end it first with `gentle-ai review end --damaged`",
	open: "it is not closed; finish it, or end it first with `gentle-ai review end`",
	unpublished: "its receipt is not published yet; run `gentle-ai review finalize --lineage` with its id first",
	live: "it answers for what the work tree, the index or HEAD holds now",
	chain: "it continues another review or is continued by one; name them all",
} as const;

export type PrunedReview = {
	readonly lineage_id: string;
	readonly decision: "prune" | "pruned" | "keep";
	/** Only of what is kept. */
	readonly reason?: keyof typeof KEPT;
	readonly explanation?: string;
	/** Where it goes, or went, below the Git folder. */
	readonly quarantine?: string;
};

export type PruneOutcome = {
	readonly schema: "gentle-ai.review-prune/v1";
	readonly applied: boolean;
	readonly reviews: readonly PrunedReview[];
};

type Judged = PrunedReview & { readonly move?: Pruned };

function keep(lineage_id: string, reason: keyof typeof KEPT): Judged {
	return { lineage_id, decision: "keep", reason, explanation: KEPT[reason] };
}

function move(lineage_id: string, revision: string, living: boolean): Judged {
	const quarantine = quarantineName({ lineage_id, revision });
	return { lineage_id, decision: "prune", quarantine, move: { lineage_id, revision: living ? revision : undefined } };
}

/** What the work tree, its index and HEAD hold, and the reviews that answer for it. */
type Live = {
	readonly trees: ReadonlySet<string>;
	readonly lineages: ReadonlySet<string>;
	readonly targets: LiveTarget[];
};

async function readLive(place: Workplace, store: StoreReader): Promise<Live> {
	const targets: LiveTarget[] = [];
	for (const projection of ["workspace", "staged"] as const) {
		targets.push(await lookAtTarget(place, { kind: "current-changes", projection }));
	}
	const claims = targets.map(({ snapshot }) => claimTarget(store, snapshot));
	return {
		trees: new Set(targets.flatMap(({ snapshot }) => [snapshot.base_tree, snapshot.candidate_tree])),
		lineages: new Set(
			claims.flatMap((match) =>
				match.kind === "one" ? [match.lineage.lineage_id] : match.kind === "several" ? match.ids : [],
			),
		),
		targets,
	};
}

function isLive({ lineage_id, state }: Lineage, live: Live): boolean {
	return live.lineages.has(lineage_id) || live.trees.has(state.current_snapshot.candidate_tree);
}

/** The living reviews right before and right after this one: pruned alone, it would leave one of them to answer. */
function neighbours(store: StoreReader, { lineage_id, state }: Lineage): string[] {
	const before = state.recovery?.predecessor_lineage_id;
	const after = store.successorOf(lineage_id)?.lineage_id;
	const living = before !== undefined && store.storedRevision(before) !== undefined ? [before] : [];
	return after === undefined ? living : [...living, after];
}

function judge(store: StoreReader, live: Live, id: string, named: ReadonlySet<string>): Judged {
	const row = store.lineage(id);
	if (row === undefined) {
		const ended = store.ending(id);
		if (ended === undefined) return keep(id, "unknown");
		const gone = move(id, ended.revision, false);
		return ended.state_json === ""
			? { lineage_id: id, decision: "pruned", ...(gone.quarantine && { quarantine: gone.quarantine }) }
			: gone;
	}
	if (isDamaged(row)) return keep(id, "damaged");
	if (!isTerminal(row.state.state)) return keep(id, "open");
	if (row.receipt !== undefined && store.receiptStatus(row).status === "absent") return keep(id, "unpublished");
	if (isLive(row, live)) return keep(id, "live");
	if (neighbours(store, row).some((other) => !named.has(other))) return keep(id, "chain");
	return move(id, row.revision, true);
}

function everyId(store: StoreReader): string[] {
	const living = store.listing(LIMITS.listedReviews).map(({ lineage_id }) => lineage_id);
	return [...living, ...store.keptEndings(LIMITS.listedReviews)];
}

function judgeAll(store: StoreReader, live: Live, ids: readonly string[]): Judged[] {
	const named = new Set(ids);
	const judged = ids.map((id) => judge(store, live, id, named));
	// A chain of which one review must stay, stays.
	const staying = new Set(judged.filter(({ decision }) => decision === "keep").map(({ lineage_id }) => lineage_id));
	for (let grown = -1; grown !== staying.size; ) {
		grown = staying.size;
		for (const id of ids) {
			const row = store.lineage(id);
			if (row === undefined || isDamaged(row)) continue;
			if (neighbours(store, row).some((other) => staying.has(other))) staying.add(id);
		}
	}
	return judged.map((each) =>
		each.decision === "prune" && staying.has(each.lineage_id) ? keep(each.lineage_id, "chain") : each,
	);
}

function told(judged: readonly Judged[], applied: boolean): PruneOutcome {
	const reviews = judged.map(({ move: moved, ...each }) =>
		applied && moved !== undefined ? { ...each, decision: "pruned" as const } : each,
	);
	return { schema: "gentle-ai.review-prune/v1", applied, reviews };
}

/** Nothing is moved unless all that was named may be; the same call again finishes what a kill left. */
export async function prune(place: Workplace, request: PruneRequest): Promise<PruneOutcome> {
	const { judged, live } = await judgeNamed(place, request);
	const refused = judged.some(({ decision }) => decision === "keep");
	if (!request.apply || refused || !(await stillHolds(live))) return told(judged, false);
	const store = pruneStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		store.prune(
			judged.flatMap(({ move: moved }) => moved ?? []),
			isoTime(place.caller),
		);
		for (const { lineage_id } of judged) tidyAfterEnd(place, store, lineage_id);
		return told(judged, true);
	} finally {
		store.close();
	}
}

async function judgeNamed(place: Workplace, request: PruneRequest): Promise<{ judged: Judged[]; live: Live }> {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const live = await readLive(place, store);
		return { judged: judgeAll(store, live, request.lineages.length > 0 ? request.lineages : everyId(store)), live };
	} finally {
		store.close();
	}
}

async function stillHolds({ targets }: Live): Promise<boolean> {
	for (const target of targets) if (!(await target.stillHolds())) return false;
	return true;
}
