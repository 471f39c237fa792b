// Choices that lead to what chance seldom comes to: what each is named after. They follow the dice in the order in which
// a walk rolls them, and a walk that rolls differently no longer gets there: its test says so.

/** A medium-risk edit and its START; then the choices up to a verification that waits, with or without a blocker. */
const STARTED = [3, 0, 0, 0, 0, 0, 0, 0];
const REVIEWED = [...STARTED, 0, 0, 0];
const BLOCKED = [...STARTED, 0, 0, 1];
const CORRECTED = [...BLOCKED, 0, 0, 0, 0, 0, 0, 0];
const DAMAGE = [1, 6, 0];

export const STORIES: Readonly<Record<string, readonly number[]>> = {
	captured_artifacts_unverifiable: [...REVIEWED, ...DAMAGE, 1],
	captured_verification_evidence_invalid: [...REVIEWED, 0, 0, 0, ...DAMAGE, 2],
	exact_receipt_replay: [...REVIEWED, 0, 0, 0, 0, ...DAMAGE, 0],
	lineage_selection_required: [6],
	// The validator refuses the correction; what it refused is taken up by a successor, which has a blocker too.
	unchanged_or_unverified_authority: [...CORRECTED, 0, 1, 0, 0, 0, 0, 0, 1],
};
