// Every legal transition of a review, as one exhaustive reducer. What is immutable for the life of a lineage (target,
// policy, tier, lenses, lines, budget) no event can touch.
import type { ReviewState } from "../../contract/state.ts";
import { beginCorrection, completeCorrection, escalateCorrection } from "./correction.ts";
import { FROM, IllegalTransition, type LineageEvent } from "./events.ts";
import { completeReview, reopen } from "./reviewing.ts";
import { ordered } from "./shape.ts";
import { completeVerification } from "./verification.ts";

export function applyEvent(state: ReviewState, event: LineageEvent): ReviewState {
	if (!FROM[event.type].includes(state.state)) throw new IllegalTransition(state.state, event.type);
	switch (event.type) {
		case "review/complete-review":
			return completeReview(state, event);
		case "review/begin-fix":
			return beginCorrection(state, event);
		case "review/complete-correction-verification":
			return completeCorrection(state, event);
		case "review/escalate-correction-verification":
			return escalateCorrection(state, event);
		case "review/complete-verification":
			return completeVerification(state, event.evidence);
		case "review/reopen-results":
			return reopen(state, event.reopening);
		case "review/invalidate":
			if (event.reason.trim() === "") throw new IllegalTransition(state.state, event.type);
			return ordered({ ...state, state: "invalidated", invalidation: event.reason });
		default:
			return unreachable(event);
	}
}

function unreachable(event: never): never {
	throw new Error(`unknown event ${JSON.stringify(event)}`);
}
