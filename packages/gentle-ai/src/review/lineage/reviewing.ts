// The review itself: the results are taken in together, and may be taken back together.
import type { AdmittedFinding, Reopening, ReviewState } from "../../contract/state.ts";
import { IllegalTransition, type LineageEvent } from "./events.ts";
import { isCorrectionConsumed, ordered } from "./shape.ts";

export function completeReview(
	state: ReviewState,
	event: Extract<LineageEvent, { type: "review/complete-review" }>,
): ReviewState {
	const lenses = event.results.map(({ result }) => result.lens);
	if (lenses.join() !== state.selected_lenses.join()) throw new IllegalTransition(state.state, event.type);
	const findings: AdmittedFinding[] = event.results.flatMap(({ result }) => result.findings);
	const { routed } = event;
	return ordered({
		...state,
		state: routed.state,
		lens_results: event.results.map(({ result, result_hash }) => ({
			lens: result.lens,
			evidence: result.evidence,
			result_hash,
		})),
		findings,
		classifications: { ...routed.classifications },
		outcomes: { ...routed.outcomes },
		fix_finding_ids: [...routed.fix_finding_ids],
		follow_ups: [...routed.follow_ups],
	});
}

/** Takes the results back and leaves scope, tier, lenses, lines and budget as they were frozen. */
export function reopen(state: ReviewState, reopening: Reopening): ReviewState {
	if (isCorrectionConsumed(state) || state.evidence_hash !== undefined) {
		throw new IllegalTransition(state.state, "review/reopen-results");
	}
	const { correction_forecast: _, ...kept } = state;
	return ordered({
		...kept,
		state: "reviewing",
		lens_results: [],
		findings: [],
		classifications: {},
		outcomes: {},
		fix_finding_ids: [],
		follow_ups: [],
		reopenings: [...(state.reopenings ?? []), reopening],
	});
}
