// STATUS: reconstructs what applies to the live target and says the one next transition. It writes nothing, anywhere.
import { readMode, readStore, type StoreReader } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { StatusOutcome } from "../contract/model.ts";
import type { CandidateDiff } from "../contract/patch.ts";
import type { Transition } from "../contract/transition.ts";
import type { ContractName, Gate } from "../contract/vocabulary.ts";
import { isTerminal, nextTransition, type RecoveryAnswer, type RouteFacts, statusOutcome } from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import { claimTarget } from "./claims.ts";
import { freeLineageId } from "./lineage-id.ts";
import { frozenChanges, frozenDiff } from "./slots.ts";
import { type LiveTarget, lookAtTarget, type Selector } from "./target.ts";
import { viewAuthority } from "./view.ts";

export type StatusRequest = {
	readonly contract: ContractName;
	readonly selector: Selector;
	/** The caller named a target other than the default one. */
	readonly selected: boolean;
	readonly lineage: string | undefined;
	readonly gate: Gate;
	readonly action_eligibility?: boolean;
	readonly next_transition: boolean;
	/** What the caller answers to a recovery that an earlier STATUS asked for. */
	readonly recovery: RecoveryAnswer | undefined;
};

async function routeFacts(
	place: Workplace,
	store: StoreReader,
	target: LiveTarget,
	asked: string | undefined,
): Promise<RouteFacts> {
	const live = target.snapshot;
	const match = claimTarget(store, live, asked);
	const reviews_on = readMode(place.caller.home, place.repository.commonDir).effective === "on";
	switch (match.kind) {
		case "several":
			return { applicability: "ambiguous", live, candidates: match.ids };
		case "damaged":
			return { applicability: "corrupted", live };
		case "one": {
			const { lineage, relation } = match;
			const authority = await viewAuthority(place, store, lineage, () => frozenChanges(place, lineage));
			// Something else in the place of the receipt: what this review decided cannot be told from it.
			if (authority.receipt.status === "conflict") return { applicability: "corrupted", live };
			// A closed review publishes its receipt before anything takes up where it ended.
			const pending = isTerminal(lineage.state.state) && authority.receipt.status === "absent";
			const recoverable =
				relation.kind !== "recoverable" || (pending && lineage.state.state !== "invalidated")
					? undefined
					: relation.disposition;
			return {
				applicability: "current_target",
				live,
				authority,
				...(recoverable !== undefined && { recoverable }),
				...(!reviews_on && { reviews_off: true }),
			};
		}
		case "none": {
			const free = asked !== undefined && !store.isTaken(asked) ? asked : freeLineageId(store, live.identity);
			return { applicability: "unrelated", live, reviews_on, lineage: free };
		}
	}
}

export type StatusAnswer = {
	readonly outcome: StatusOutcome;
	readonly transition: Transition;
	readonly target: LiveTarget;
};

function isDamage(error: unknown): boolean {
	return error instanceof ReviewError && error.code === "authority_corrupted";
}

export async function status(place: Workplace, request: StatusRequest): Promise<StatusAnswer> {
	const looking = lookAtTarget(place, request.selector);
	// Opened while Git looks at the target.
	const store = openStore(place, looking);
	try {
		const target = await looking;
		const facts = await readFacts(place, store, target, request.lineage);
		const transition = nextTransition(facts, {
			contract: request.contract,
			gate: request.gate,
			selector: request.selected,
			...(request.recovery !== undefined && { recovery: request.recovery }),
		});
		const diff = request.next_transition ? await patchOf(place, request, transition, facts) : undefined;
		const outcome = statusOutcome(facts, transition, request);
		return { outcome: { ...outcome, ...(diff !== undefined && { candidate_diff: diff }) }, transition, target };
	} finally {
		if (store !== "damaged") store.close();
	}
}

/** A store that is no store of ours is an answer too. */
function openStore({ repository }: Workplace, looking: Promise<unknown>): StoreReader | "damaged" {
	try {
		return readStore(repository.commonDir, LIMITS.startLockWaitMs);
	} catch (error) {
		if (isDamage(error)) return "damaged";
		looking.catch(() => {});
		throw error;
	}
}

/** The patch that contract v1 shows to reviewers, while a slot waits for one. */
async function patchOf(
	place: Workplace,
	request: StatusRequest,
	transition: Transition,
	facts: RouteFacts,
): Promise<CandidateDiff | undefined> {
	if (request.contract !== "gentle-ai.review-integration/v1" || facts.applicability !== "current_target")
		return undefined;
	if (transition.kind !== "collect" || transition.inputs.every(({ slot }) => slot === undefined)) return undefined;
	return frozenDiff(place, facts.authority);
}

/** The authority of a damaged store cannot be verified: that is an answer, not a failure. */
async function readFacts(
	place: Workplace,
	store: StoreReader | "damaged",
	target: LiveTarget,
	asked: string | undefined,
): Promise<RouteFacts> {
	const corrupted = { applicability: "corrupted", live: target.snapshot } as const;
	if (store === "damaged") return corrupted;
	try {
		return await routeFacts(place, store, target, asked);
	} catch (error) {
		if (isDamage(error)) return corrupted;
		throw error;
	}
}
