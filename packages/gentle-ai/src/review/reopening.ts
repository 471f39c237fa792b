// What a reopening did and undid: the reviewing states of a lineage follow from its state alone, so each captured result
// can always be held against the subject that it answered.
import type { Reopening, ReviewState } from "../contract/state.ts";
import { isCorrectionConsumed, isTerminal, ordered } from "./lineage/index.ts";

/** The reviewing state in which the results of a reviewed lineage were captured. */
export function beforeReview(state: ReviewState): ReviewState {
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
	});
}

/** The reviewing state right after the first `count` reopenings. */
function afterReopenings(state: ReviewState, count: number): ReviewState {
	const { reopenings = [], ...kept } = beforeReview(state);
	return ordered(count === 0 ? kept : { ...kept, reopenings: reopenings.slice(0, count) });
}

function isQuarantined({ quarantined }: Reopening, order: number): boolean {
	return quarantined.some((entry) => entry.startsWith(`${order}:`));
}

/** The reviewing state that a slot was opened in: a result that a reopening retained still answers the earlier one. */
export function openedIn(state: ReviewState, order: number): ReviewState {
	const { reopenings = [] } = state;
	return reopenings.length === 0
		? state
		: afterReopenings(state, reopenings.findLastIndex((each) => isQuarantined(each, order)) + 1);
}

/** The state that the reopening at `revision` led to, with what was recorded of it. */
export function reopenedAt(
	state: ReviewState,
	revision: string,
): { readonly state: ReviewState; readonly reopening: Reopening } | undefined {
	const { reopenings = [] } = state;
	const index = reopenings.findIndex(({ previous_revision }) => previous_revision === revision);
	const reopening = reopenings[index];
	return reopening && { state: afterReopenings(state, index + 1), reopening };
}

/** Why the results of a lineage cannot be taken back; undefined when they can. */
export function refusesReopening(state: ReviewState): string | undefined {
	if (isTerminal(state.state)) return "open: a closed review keeps its results";
	if (state.state === "reviewing") return "reviewed: this one still collects results";
	if (isCorrectionConsumed(state)) return "without a correction that was used up";
	if (state.selected_lenses.length === 0) return "a review with reviewer results: this one has no lens";
	return undefined;
}
