// The one correction of a lineage: forecast, then closed by what the validator and the repository say.
import type { ReviewState } from "../../contract/state.ts";
import { IllegalTransition, type LineageEvent } from "./events.ts";
import { isCorrectionConsumed, ordered } from "./shape.ts";
import { withEvidence } from "./verification.ts";

export function beginCorrection(
	state: ReviewState,
	event: Extract<LineageEvent, { type: "review/begin-fix" }>,
): ReviewState {
	if (state.correction_forecast !== undefined || isCorrectionConsumed(state)) {
		throw new IllegalTransition(state.state, event.type);
	}
	return ordered({ ...state, state: event.state, correction_forecast: event.forecast });
}

function requireOpenCorrection(state: ReviewState, type: LineageEvent["type"]): void {
	if (state.correction_forecast === undefined || isCorrectionConsumed(state)) {
		throw new IllegalTransition(state.state, type);
	}
}

export function completeCorrection(
	state: ReviewState,
	event: Extract<LineageEvent, { type: "review/complete-correction-verification" }>,
): ReviewState {
	requireOpenCorrection(state, event.type);
	const { attempt, evidence } = event;
	const passed = attempt.original_criteria.passed && attempt.correction_regression.passed;
	if (!passed || evidence.outcome !== "passed") throw new IllegalTransition(state.state, event.type);
	return withEvidence(
		{
			...state,
			state: "approved",
			current_snapshot: attempt.fix_snapshot,
			correction_attempt: attempt,
			follow_ups: [...state.follow_ups, ...event.follow_ups],
			fix_delta_hash: event.fix_delta_hash,
		},
		evidence,
	);
}

export function escalateCorrection(
	state: ReviewState,
	event: Extract<LineageEvent, { type: "review/escalate-correction-verification" }>,
): ReviewState {
	requireOpenCorrection(state, event.type);
	const { attempt } = event;
	return withEvidence(
		{
			...state,
			state: "escalated",
			...(attempt !== undefined && { correction_attempt: attempt }),
			follow_ups: [...state.follow_ups, ...event.follow_ups],
		},
		event.evidence,
	);
}
