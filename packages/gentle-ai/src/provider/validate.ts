// VALIDATE: may exactly these bytes be delivered? Reads receipts and the live target, decides, and looks a second time
// before it says yes. It changes nothing.
import { isDamaged, type Lineage, readMode, readStore, type StoreReader } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { GateOutcome } from "../contract/model.ts";
import { EVALUATED_GATES, type Gate, isEvaluated } from "../contract/vocabulary.ts";
import { readHead } from "../git/index.ts";
import { type Delivered, type DiscoveryCode, judgeDelivery, selectReceipt, unmanaged } from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import {
	closedReview,
	type LiveDelivery,
	lookAtDelivery,
	type Near,
	reviewsNear,
	reviewsOfCandidate,
	withHistory,
} from "./delivered.ts";
import {
	contextOf,
	deniedBy,
	deniedDamaged,
	deniedUndiscovered,
	emptyContext,
	type GateAnswer,
	type Governed,
	outcomeOf,
} from "./gate-answers.ts";
import { requireLineage } from "./lookup.ts";

export type GateRequest = { readonly gate: Gate; readonly lineage: string | undefined };

function requireClosed(lineage: Lineage): Near {
	const review = closedReview(lineage);
	if (review !== undefined) return { lineage, review };
	throw new ReviewError("receipt_missing", {
		message: "this review is not closed yet",
		lineage: lineage.lineage_id,
		next: "Run STATUS; it prints how to go on",
	});
}

/** The receipt file must be there and equal what the authority decided. */
function requirePublished(store: StoreReader, lineage: Lineage): void {
	const { status } = store.receiptStatus(lineage);
	if (status === "published") return;
	if (status === "conflict") {
		throw new ReviewError("authority_corrupted", {
			message: "the published receipt is not the one of this review",
			lineage: lineage.lineage_id,
		});
	}
	throw new ReviewError("receipt_missing", {
		message: "the review is closed, but its receipt is not published yet",
		lineage: lineage.lineage_id,
		next: `Run \`gentle-ai review finalize --lineage ${lineage.lineage_id}\``,
	});
}

/** Deliveries that review does not govern: a declined candidate, or a switched-off clone. Never over an exact receipt. */
function unmanagedDelivery(
	place: Workplace,
	store: StoreReader,
	gate: Gate,
	live: Delivered,
	code: DiscoveryCode | "authority_corrupted",
): GateOutcome | undefined {
	if (gate === "pre-commit" && store.declinesOf(live.base_tree, live.candidate_tree).length > 0) {
		const verdict = unmanaged("candidate_declined/unmanaged", "candidate-decline", "exact_candidate");
		const reason = "this exact candidate was declined; ordinary repository policy applies";
		return outcomeOf(verdict, reason, emptyContext(gate, verdict.denial));
	}
	const mode = readMode(place.caller.home, place.repository.commonDir);
	if (mode.effective === "on" || mode.unreadable !== undefined) return undefined;
	const verdict = unmanaged("disabled/unmanaged", "receipt-discovery", code);
	const reason = "reviews are switched off; ordinary repository policy applies";
	return outcomeOf(verdict, reason, emptyContext(gate, verdict.denial));
}

function isUnchanged(store: StoreReader, lineage: Lineage): boolean {
	const now = store.lineage(lineage.lineage_id);
	return now !== undefined && !isDamaged(now) && now.revision === lineage.revision;
}

/** What the store holds by now; a recovered copy would only repeat itself. */
function isStillUnchanged(place: Workplace, store: StoreReader, lineage: Lineage): boolean {
	if (store.isLive) return isUnchanged(store, lineage);
	const fresh = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		return isUnchanged(fresh, lineage);
	} finally {
		fresh.close();
	}
}

/** Before yes: the same question again, of Git and of the store. A change in between is a denial. */
async function confirm(place: Workplace, store: StoreReader, { lineage, live }: Governed): Promise<void> {
	const { session, repository } = place;
	// The longer question first: starting a child takes as long as the shorter one.
	const [holds, head] = await Promise.all([live.stillHolds(), readHead(session, repository)]);
	if (head.tree === live.base_tree && holds && isStillUnchanged(place, store, lineage)) return;
	throw new ReviewError("gate_invalidated", {
		message: "the repository or the review changed while the gate looked",
		lineage: lineage.lineage_id,
		next: "Run the gate again",
	});
}

async function governedAnswer(
	place: Workplace,
	store: StoreReader,
	gate: Gate,
	governed: Governed,
): Promise<GateAnswer> {
	requirePublished(store, governed.lineage);
	const verdict = judgeDelivery(governed.review, governed.live);
	if (!verdict.allowed) return deniedBy(gate, governed, verdict);
	await confirm(place, store, governed);
	return { outcome: outcomeOf(verdict, "exactly these bytes were approved", contextOf(gate, governed, verdict)) };
}

async function select(place: Workplace, seen: LiveDelivery, near: readonly Near[]) {
	const reviews = near.map(({ review }) => review);
	const live = await withHistory(place, seen, reviews);
	return { near, live, discovery: selectReceipt(reviews, live) };
}

async function discovered(place: Workplace, store: StoreReader, gate: Gate, seen: LiveDelivery): Promise<GateAnswer> {
	const damaged = store.lineagesOfTarget(seen.base_tree, seen.candidate_tree).find(isDamaged);
	if (damaged !== undefined) {
		const free = unmanagedDelivery(place, store, gate, seen, "authority_corrupted");
		return free === undefined ? deniedDamaged(gate, damaged.lineage_id) : { outcome: free };
	}
	// An exact receipt is one of this candidate. Only when there is none do its neighbours matter: they say why.
	const own = await select(place, seen, reviewsOfCandidate(store, seen));
	const { near, live, discovery } = own.discovery.found ? own : await select(place, seen, reviewsNear(store, seen));
	const governed = (ids: readonly string[]): Governed[] =>
		near.filter(({ lineage }) => ids.includes(lineage.lineage_id)).map((each) => ({ ...each, live }));
	if (discovery.found) {
		const [only] = governed([discovery.lineage]);
		if (only !== undefined) return governedAnswer(place, store, gate, only);
	}
	// Nothing near: say whether this repository holds receipts for other bytes.
	const nothingNear = discovery.found || discovery.code === "receipt_missing";
	const code = nothingNear ? (store.hasClosed() ? "receipt_unrelated" : "receipt_missing") : discovery.code;
	const free = unmanagedDelivery(place, store, gate, live, code);
	if (free !== undefined) return { outcome: free };
	return deniedUndiscovered(gate, code, discovery.found ? [] : governed(discovery.candidates));
}

export async function validate(place: Workplace, { gate, lineage }: GateRequest): Promise<GateAnswer> {
	if (!isEvaluated(gate)) {
		const rule = `a gate that this version evaluates (${EVALUATED_GATES.join(", ")})`;
		throw invalidInput("--gate", gate, rule, "The delivery gates beyond the commit come with a later version");
	}
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const seen = await lookAtDelivery(place, gate, store);
		if (lineage === undefined) return await discovered(place, store, gate, seen);
		const named = requireClosed(requireLineage(store, lineage));
		const live = await withHistory(place, seen, [named.review]);
		return await governedAnswer(place, store, gate, { ...named, live });
	} finally {
		store.close();
	}
}
