// RECOVER: opens the successor of a review whose candidate moved on. The successor is reviewed from the beginning; it
// inherits that a correction was used up, and nothing that would approve.
import { isDamaged, type Lineage, readStore, type StoreReader } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Recovery } from "../contract/state.ts";
import type { RecoveryDisposition, ShortLens } from "../contract/vocabulary.ts";
import { sweepStaging } from "../git/index.ts";
import {
	continuesApproved,
	isCorrectionConsumed,
	isPlainLine,
	recoveryAuthorization,
	relate,
} from "../review/index.ts";
import { afterCommit, isoTime, type Workplace } from "./caller.ts";
import { freeLineageId } from "./lineage-id.ts";
import { requireLineage, requirePlain, requireRevision } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import { createLineage, type Frozen, judgeTarget } from "./new-lineage.ts";
import { publishReviewing } from "./reviewing-context.ts";
import { freezeTarget, type LiveTarget, type Selector } from "./target.ts";

export type RecoverRequest = {
	readonly predecessor_lineage: string;
	readonly expected_predecessor_revision: string;
	readonly successor_lineage: string;
	readonly disposition: RecoveryDisposition;
	readonly reason: string;
	readonly actor: string;
	/** The exact text of a maintainer; only the successor of an approved review may do without it. */
	readonly authorization: string | undefined;
	/** Without one: what differs from HEAD, in the projection of the review that is continued. */
	readonly selector: Selector | undefined;
	/** The target was selected explicitly: the authorization binds the successor's name too. */
	readonly selected: boolean;
	readonly focus: ShortLens;
	readonly policy: Uint8Array | undefined;
};

export type RecoverOutcome = { readonly lineage: Lineage; readonly recovery: Recovery };

const NEXT = "Run STATUS with --next-transition and use the values that it prints";

function predecessorOf(store: StoreReader, request: RecoverRequest): Lineage {
	const lineage = requireLineage(store, request.predecessor_lineage);
	requireRevision(lineage, request.expected_predecessor_revision);
	return lineage;
}

/** The candidate must have moved on from the predecessor in the way that the caller names. */
function requireRecoverable(predecessor: Lineage, target: LiveTarget, request: RecoverRequest): void {
	if (request.disposition === "scope_changed" && continuesApproved(predecessor.state, target.snapshot)) return;
	const relation = relate(predecessor.state, target.snapshot);
	if (relation.kind === "recoverable" && relation.disposition === request.disposition) return;
	const told = relation.kind === "recoverable" ? relation.disposition : relation.kind;
	const rule = `what STATUS says about this target: the repository says ${told}`;
	throw invalidInput("--disposition", request.disposition, rule, NEXT);
}

/** Nothing is normalised: a text that is almost right is refused, and never echoed. */
function requireAuthorization(predecessor: Lineage, target: LiveTarget, request: RecoverRequest): void {
	const free = request.disposition === "scope_changed" && predecessor.state.state === "approved";
	if (request.authorization === undefined && free) return;
	const facts = {
		predecessor_lineage: predecessor.lineage_id,
		predecessor_revision: predecessor.revision,
		target_identity: target.snapshot.identity,
		actor: request.actor,
		reason: request.reason,
	};
	const bound = recoveryAuthorization({ ...facts, successor_lineage: request.successor_lineage });
	// Not every selector of STATUS is one of this command: the text that binds more is always good enough.
	if (request.authorization === bound) return;
	if (!request.selected && request.authorization === recoveryAuthorization(facts)) return;
	throw new ReviewError("invalid_request", {
		message: "the maintainer authorization is not the exact text for this recovery",
		field: "--maintainer-authorization",
		rule: "the lines gentle-ai.review-recovery-authorization/v1, predecessor_lineage, predecessor_revision, target_identity, successor_lineage where a target was selected, actor, reason",
		next: NEXT,
	});
}

/** The same recovery again answers the same; another one is refused. */
function replayed(successor: Lineage, request: RecoverRequest, target: LiveTarget): Lineage {
	const same =
		successor.lineage_id === request.successor_lineage &&
		successor.state.recovery?.disposition === request.disposition &&
		successor.state.recovery.predecessor_revision === request.expected_predecessor_revision &&
		successor.state.initial_snapshot.identity === target.snapshot.identity;
	if (same) return successor;
	const rule = "a review without a successor: another one took up where it ended";
	throw invalidInput("--predecessor-lineage", request.predecessor_lineage, rule, NEXT);
}

function recoveryOf(place: Workplace, request: Omit<RecoverRequest, "selector" | "selected">): Recovery {
	return {
		predecessor_lineage_id: request.predecessor_lineage,
		predecessor_revision: request.expected_predecessor_revision,
		disposition: request.disposition,
		reason: request.reason,
		actor: request.actor,
		recovered_at: isoTime(place.caller),
		...(request.authorization !== undefined && { maintainer_authorization: request.authorization }),
	};
}

type Known = { readonly predecessor: Lineage; readonly successor: Lineage | undefined };

function readKnown(place: Workplace, request: RecoverRequest): Known {
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const predecessor = predecessorOf(store, request);
		const successor = store.successorOf(predecessor.lineage_id);
		if (successor === undefined || isDamaged(successor)) return { predecessor, successor: undefined };
		return { predecessor, successor };
	} finally {
		store.close();
	}
}

export async function recover(place: Workplace, request: RecoverRequest): Promise<RecoverOutcome> {
	requireReviewsOn(place);
	requirePlain("--actor", request.actor);
	requirePlain("--reason", request.reason);
	const { predecessor, successor } = readKnown(place, request);
	const { projection = "workspace" } = predecessor.state.initial_snapshot;
	const target = await freezeTarget(place, request.selector ?? { kind: "current-changes", projection });
	if (successor !== undefined) {
		const lineage = replayed(successor, request, target);
		publishReviewing(place, lineage);
		// Killed after its commit, the first attempt may have left the folder of its pack.
		sweepStaging(place.repository, place.caller.now().getTime());
		return { lineage, recovery: lineage.state.recovery ?? recoveryOf(place, request) };
	}
	requireRecoverable(predecessor, target, request);
	requireAuthorization(predecessor, target, request);
	return succeed(place, await judgeTarget(place, target), predecessor, request);
}

async function succeed(
	place: Workplace,
	frozen: Frozen,
	predecessor: Lineage,
	request: Omit<RecoverRequest, "selector" | "selected">,
): Promise<RecoverOutcome> {
	const recovery = recoveryOf(place, request);
	const { lineage } = await createLineage(place, frozen, {
		lineage: request.successor_lineage,
		focus: request.focus,
		policy: request.policy,
		succeeds: {
			generation: predecessor.state.generation + 1,
			recovery,
			correction_attempt_inherited: isCorrectionConsumed(predecessor.state),
		},
		answering: (store) => {
			requireRevision(requireLineage(store, predecessor.lineage_id), predecessor.revision);
			return store.successorOf(predecessor.lineage_id);
		},
	});
	const kept = lineage.state.recovery;
	if (kept === undefined || lineage.lineage_id !== request.successor_lineage) {
		const rule = "an unused name: a review of this name exists";
		throw invalidInput("--successor-lineage", request.successor_lineage, rule, "Pass another name");
	}
	await afterCommit(() => publishReviewing(place, lineage));
	return { lineage, recovery: kept };
}

/** The recovery of a person who sees both candidates: the authorization is theirs, and the name is a free one. */
export async function continueReview(
	place: Workplace,
	frozen: Frozen,
	predecessor: Lineage,
	by: {
		readonly disposition: RecoveryDisposition;
		readonly focus: ShortLens;
		readonly actor: string;
		readonly reason: string;
	},
): Promise<Lineage> {
	const request = {
		predecessor_lineage: predecessor.lineage_id,
		expected_predecessor_revision: predecessor.revision,
		successor_lineage: freeName(place, frozen.target),
		disposition: by.disposition,
		reason: by.reason,
		actor: isPlainLine(by.actor) ? by.actor : "unknown",
	};
	const authorization = recoveryAuthorization({
		predecessor_lineage: predecessor.lineage_id,
		predecessor_revision: predecessor.revision,
		target_identity: frozen.target.snapshot.identity,
		actor: request.actor,
		reason: request.reason,
	});
	return (await succeed(place, frozen, predecessor, { ...request, authorization, focus: by.focus, policy: undefined }))
		.lineage;
}

function freeName(place: Workplace, target: LiveTarget): string {
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		return freeLineageId(store, target.snapshot.identity);
	} finally {
		store.close();
	}
}
