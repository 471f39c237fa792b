// The order of a state's fields, on which its revision depends, and what is read off a state.
import type { ReviewState } from "../../contract/state.ts";
import type { State } from "../../contract/vocabulary.ts";

/** The optional fields, in the place that each has behind the required ones. */
const OPTIONAL_FIELDS = [
	"correction_forecast",
	"correction_attempt",
	"correction_attempt_inherited",
	"fix_delta_hash",
	"evidence_hash",
	"evidence_record_digest",
	"evidence_outcome",
	"evidence_target_identity",
	"evidence_authority_revision",
	"reopenings",
	"recovery",
	"invalidation",
] as const satisfies readonly (keyof ReviewState)[];

/** The revision is a digest of the state's JSON, so an optional field must always sit in the same place. */
export function ordered(state: ReviewState): ReviewState {
	const tail = OPTIONAL_FIELDS.flatMap((field) => (state[field] === undefined ? [] : [[field, state[field]] as const]));
	const head = Object.entries(state).filter(([field]) => !OPTIONAL_FIELDS.some((optional) => optional === field));
	return Object.fromEntries([...head, ...tail]) as ReviewState;
}

export function isTerminal(state: State): boolean {
	return state === "approved" || state === "escalated" || state === "invalidated";
}

/** Has the one correction of this ancestry been used up? */
export function isCorrectionConsumed(state: ReviewState): boolean {
	return state.correction_attempt !== undefined || state.correction_attempt_inherited === true;
}

/** Nothing to correct with: no line to spend, or the one correction is used up. */
export function isCorrectionExhausted(state: ReviewState): boolean {
	return state.correction_budget === 0 || isCorrectionConsumed(state);
}
