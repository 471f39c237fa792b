// INVALIDATE: gives up a review that nobody has answered yet, while its candidate is still the live one. A maintainer may
// then let a successor take it up.
import { type Lineage, maintainStore, readStore } from "../authority/index.ts";
import { invalidInput } from "../contract/errors.ts";
import { stateRevision } from "../contract/identities.ts";
import { LIMITS } from "../contract/limits.ts";
import { applyEvent, beforeInvalidation } from "../review/index.ts";
import { isoTime, type Workplace } from "./caller.ts";
import { requireLineage, requirePlain, requireRevision } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import { isStillLive } from "./still-live.ts";

export type InvalidateRequest = {
	readonly lineage: string;
	readonly expected_revision: string;
	readonly reason: string;
};

export type InvalidateOutcome = {
	readonly lineage_id: string;
	readonly state: "invalidated";
	readonly revision: string;
};

const NEXT = "Finish it, or retire it with `gentle-ai review end`";

function isReplay({ state }: Lineage, request: InvalidateRequest): boolean {
	return (
		state.state === "invalidated" &&
		state.invalidation === request.reason &&
		stateRevision(beforeInvalidation(state)) === request.expected_revision
	);
}

/** The lineage as it may be given up, or as this very request gave it up before. */
function read(place: Workplace, request: InvalidateRequest): { lineage: Lineage; replayed: boolean } {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const lineage = requireLineage(store, request.lineage);
		if (isReplay(lineage, request)) return { lineage, replayed: true };
		requireRevision(lineage, request.expected_revision);
		const { state } = lineage;
		const touched = store.hasResults(lineage.lineage_id) || state.reopenings !== undefined;
		if (state.state !== "reviewing" || touched) {
			const told = touched ? "that holds reviewer results" : `in state ${state.state}`;
			throw invalidInput("--lineage", request.lineage, `a review that nobody has answered: this is one ${told}`, NEXT);
		}
		return { lineage, replayed: false };
	} finally {
		store.close();
	}
}

export async function invalidate(place: Workplace, request: InvalidateRequest): Promise<InvalidateOutcome> {
	requireReviewsOn(place);
	requirePlain("--reason", request.reason);
	const { lineage, replayed } = read(place, request);
	const { lineage_id, state } = lineage;
	if (replayed) return { lineage_id, state: "invalidated", revision: lineage.revision };
	if (!(await isStillLive(place, state.initial_snapshot))) {
		const rule = "the review of the live candidate: that has changed since";
		throw invalidInput("--lineage", lineage_id, rule, NEXT);
	}
	const next = applyEvent(state, { type: "review/invalidate", reason: request.reason });
	const store = maintainStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		store.invalidate(lineage_id, request.expected_revision, next, isoTime(place.caller));
		return { lineage_id, state: "invalidated", revision: stateRevision(next) };
	} finally {
		store.close();
	}
}
