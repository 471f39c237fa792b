// What may happen to a review, and in which state each of it is legal.
import type { CorrectionAttempt, LensResult, Reopening, ReviewState } from "../../contract/state.ts";
import type { State, VerificationOutcome } from "../../contract/vocabulary.ts";
import type { Routed } from "../routing.ts";

export type LineageEvent =
	| {
			readonly type: "review/complete-review";
			readonly results: readonly { readonly result: LensResult; readonly result_hash: string }[];
			readonly routed: Routed;
	  }
	| {
			readonly type: "review/begin-fix";
			readonly forecast: number;
			readonly state: "correction_required" | "escalated";
	  }
	/** Correction, validator and repository evidence in one step. */
	| {
			readonly type: "review/complete-correction-verification";
			readonly attempt: CorrectionAttempt;
			readonly fix_delta_hash: string;
			readonly evidence: VerificationEvidence;
			readonly follow_ups: ReviewState["follow_ups"];
	  }
	/** `attempt` only when a validator spoke; evidence that could not be produced consumes nothing. */
	| {
			readonly type: "review/escalate-correction-verification";
			readonly attempt?: CorrectionAttempt;
			readonly evidence: VerificationEvidence;
			readonly follow_ups: ReviewState["follow_ups"];
	  }
	| { readonly type: "review/complete-verification"; readonly evidence: VerificationEvidence }
	| { readonly type: "review/reopen-results"; readonly reopening: Reopening }
	| { readonly type: "review/invalidate"; readonly reason: string };

export type VerificationEvidence = {
	readonly evidence_hash: string;
	readonly outcome: VerificationOutcome;
	/** Absent for the native verification of a low-risk candidate. */
	readonly record?: { readonly digest: string; readonly target_identity: string; readonly authority_revision: string };
};

export type LineageOperation = "review/start" | LineageEvent["type"];

export const FROM: Readonly<Record<LineageEvent["type"], readonly State[]>> = {
	"review/complete-review": ["reviewing"],
	"review/begin-fix": ["correction_required"],
	"review/complete-correction-verification": ["correction_required"],
	"review/escalate-correction-verification": ["correction_required"],
	"review/complete-verification": ["validating"],
	"review/reopen-results": ["validating", "correction_required"],
	"review/invalidate": ["reviewing"],
};

/** The bug that no caller may cause: an event in a state that does not admit it. */
export class IllegalTransition extends Error {
	constructor(state: State, event: LineageEvent["type"]) {
		super(`${event} is not legal in state ${state}`);
		this.name = "IllegalTransition";
	}
}
