// The one next transition. STATUS, START, captures and FINALIZE all ask this function; nothing else invents a route.
import type { Transition } from "../../contract/transition.ts";
import { closed } from "./closed.ts";
import { correctionRequired } from "./correction.ts";
import type { RouteFacts, RouteRequest } from "./facts.ts";
import { type Current, stop } from "./parts.ts";
import { recover } from "./recover.ts";
import { reviewing } from "./reviewing.ts";
import { freshStart, selectLineage } from "./unclaimed.ts";
import { validating } from "./validating.ts";

export type {
	AuthorityView,
	CapturedSlot,
	RecoveryAnswer,
	RouteFacts,
	RouteRequest,
} from "./facts.ts";

export function nextTransition(facts: RouteFacts, request: RouteRequest): Transition {
	switch (facts.applicability) {
		case "unrelated":
			return freshStart(facts, request);
		case "ambiguous":
			return selectLineage(facts.live, facts.candidates);
		case "corrupted":
			return stop("corrupted_or_unverifiable_authority");
		case "current_target": {
			const next = claimedTransition(facts, request);
			return facts.reviews_off && advances(next) ? stop("rdd_disabled") : next;
		}
	}
}

function claimedTransition(
	facts: Extract<RouteFacts, { applicability: "current_target" }>,
	request: RouteRequest,
): Transition {
	return facts.recoverable === undefined
		? currentTransition(
				// What is bound is the frozen target; the live one may be the same trees under another selector.
				{ authority: facts.authority, target: facts.authority.state.initial_snapshot.identity },
				request,
			)
		: recover(facts.authority, facts.live, facts.recoverable, request);
}

/** Would what is asked for change a review? Only that is refused while reviews are switched off. */
function advances({ kind, reason_code }: Transition): boolean {
	return kind !== "stop" && reason_code !== "exact_receipt_replay" && reason_code !== "approved_receipt_ready";
}

function currentTransition(current: Current, request: RouteRequest): Transition {
	switch (current.authority.state.state) {
		case "reviewing":
			return reviewing(current);
		case "correction_required":
			return correctionRequired(current);
		case "validating":
			return validating(current);
		case "approved":
		case "escalated":
			return closed(current, request);
		case "invalidated":
			return stop("native_stop_required");
	}
}
