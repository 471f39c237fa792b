// REOPEN-RESULTS: takes unusable reviewer results out of their slots and lets the same lenses answer again about the same
// frozen candidate. Scope, tier, lenses, lines and budget stay; the results that still hold stay where they are.
import { type Lineage, maintainStore, readStore } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import { stateRevision } from "../contract/identities.ts";
import { LIMITS } from "../contract/limits.ts";
import type { State } from "../contract/vocabulary.ts";
import { applyEvent, reopenedAt } from "../review/index.ts";
import { afterCommit, isoTime, type Workplace } from "./caller.ts";
import { requireBinding, requireLineage, requirePlain } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import {
	type Audit,
	authorizationOf,
	type Classified,
	namedLenses,
	planReopening,
	type ReopenRequest,
} from "./reopen-plan.ts";
import { publishReviewing } from "./reviewing-context.ts";

export type ReopenPlan = Audit & {
	readonly lineage_id: string;
	readonly revision: string;
	readonly target_identity: string;
	readonly required_maintainer_authorization: string;
};

export type ReopenRecord = Omit<Audit, "authorized_lenses"> & {
	readonly lineage_id: string;
	readonly previous_revision: string;
	readonly revision: string;
	readonly state: State;
	readonly replayed: boolean;
};

export type ReopenOutcome =
	| { readonly prepared: true; readonly plan: ReopenPlan }
	| { readonly prepared: false; readonly record: ReopenRecord };

function requireAuthorization(wanted: string, request: ReopenRequest): void {
	if (request.authorization === wanted) return;
	throw new ReviewError("invalid_request", {
		message: "the maintainer authorization is not the exact text for this reopening",
		field: "--maintainer-authorization",
		rule: "the required_maintainer_authorization that --prepare prints, unchanged",
		next: "Run the same command with --prepare, and pass what it prints",
		lineage: request.lineage,
	});
}

/** The record of a reopening that was committed before: the same request again answers the same. */
function replayed(place: Workplace, lineage: Lineage, request: ReopenRequest): ReopenRecord | undefined {
	const done = reopenedAt(lineage.state, request.expected_revision);
	if (done === undefined) return undefined;
	const { reopening, state } = done;
	const named = namedLenses(lineage, request).join();
	const same =
		reopening.actor === request.actor &&
		reopening.reason === request.reason &&
		(reopening.authorized_lenses ?? []).join() === named;
	// Another request is judged like any other at a revision that is not the current one.
	if (!same) return undefined;
	requireAuthorization(authorizationOf(place, lineage, request, reopening), request);
	return {
		lineage_id: lineage.lineage_id,
		previous_revision: request.expected_revision,
		revision: stateRevision(state),
		state: "reviewing",
		quarantined: reopening.quarantined,
		retained: reopening.retained,
		replayed: true,
	};
}

/** What this very request did before, by this call or by another one at the same time. */
function readReplay(place: Workplace, request: ReopenRequest): ReopenRecord | undefined {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const lineage = requireLineage(store, request.lineage);
		requireBinding("--target", request.target, lineage.state.initial_snapshot.identity, "the target of this lineage");
		return request.authorization === undefined ? undefined : replayed(place, lineage, request);
	} finally {
		store.close();
	}
}

async function readPlan(place: Workplace, request: ReopenRequest): Promise<Classified> {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		return await planReopening(place, store, requireLineage(store, request.lineage), request);
	} finally {
		store.close();
	}
}

async function reopen(place: Workplace, request: ReopenRequest): Promise<ReopenOutcome> {
	const classified = await readPlan(place, request);
	const { lineage, audit } = classified;
	const wanted = authorizationOf(place, lineage, request, audit);
	if (request.authorization === undefined) {
		const { lineage_id, revision, state } = lineage;
		const target_identity = state.initial_snapshot.identity;
		return {
			prepared: true,
			plan: { lineage_id, revision, target_identity, ...audit, required_maintainer_authorization: wanted },
		};
	}
	requireAuthorization(wanted, request);
	return { prepared: false, record: await commit(place, classified, request) };
}

function settledReplay(place: Workplace, request: ReopenRequest): ReopenOutcome | undefined {
	const record = readReplay(place, request);
	if (record === undefined) return undefined;
	settle(place, request.lineage);
	return { prepared: false, record };
}

export async function reopenResults(place: Workplace, request: ReopenRequest): Promise<ReopenOutcome> {
	if (request.authorization !== undefined) requireReviewsOn(place);
	requirePlain("--actor", request.actor);
	requirePlain("--reason", request.reason);
	const known = settledReplay(place, request);
	if (known !== undefined) return known;
	try {
		return await reopen(place, request);
	} catch (error) {
		const overtaken = error instanceof ReviewError && error.code === "authority_revision_conflict";
		const same = overtaken ? settledReplay(place, request) : undefined;
		if (same === undefined) throw error;
		return same;
	}
}

async function commit(place: Workplace, { lineage, slots, audit }: Classified, request: ReopenRequest) {
	const { lineage_id, revision: previous_revision } = lineage;
	const { actor, reason } = request;
	const reopening = { previous_revision, ...audit, actor, reason };
	const next = applyEvent(lineage.state, { type: "review/reopen-results", reopening });
	const store = maintainStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		store.reopen(lineage_id, previous_revision, next, slots, isoTime(place.caller));
	} finally {
		store.close();
	}
	await afterCommit(() => settle(place, lineage_id));
	const { quarantined, retained } = audit;
	const { state } = next;
	return {
		lineage_id,
		previous_revision,
		revision: stateRevision(next),
		state,
		quarantined,
		retained,
		replayed: false,
	};
}

/** What a kill may have kept the first from: reviewers find the reopened revision, and no file claims a taken-back result. */
function settle(place: Workplace, id: string): void {
	const store = maintainStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		store.withdrawQuarantined(id);
		publishReviewing(place, requireLineage(store, id));
	} finally {
		store.close();
	}
}
