// The one correction: its target, its forecast, what its validator is asked, and whether it is accepted.

import { sortedByBytes } from "../contract/canonical.ts";
import { pathsDigest, targetedValidationRequestHash, targetIdentity } from "../contract/identities.ts";
import type { ReviewState, Snapshot, TargetedValidationRequest } from "../contract/state.ts";
import type { VerificationOutcome } from "../contract/vocabulary.ts";

/** The corrected candidate as a target of its own: what the correction changes in the frozen candidate. */
export function correctionTarget(
	state: ReviewState,
	corrected: {
		readonly candidate_tree: string;
		readonly paths: readonly string[];
		readonly intended_untracked_proof: string;
	},
): Snapshot {
	const { initial_snapshot } = state;
	const body = {
		kind: "fix-diff" as const,
		...(initial_snapshot.projection === "staged" && { projection: "staged" as const }),
		base_tree: initial_snapshot.candidate_tree,
		candidate_tree: corrected.candidate_tree,
		paths_digest: pathsDigest(corrected.paths),
		intended_untracked: initial_snapshot.intended_untracked,
		intended_untracked_proof: corrected.intended_untracked_proof,
		paths: [...corrected.paths],
		ledger_ids: sortedByBytes(state.fix_finding_ids),
	};
	return { ...body, identity: targetIdentity(body) };
}

/** What the targeted validator is asked: exactly this candidate, exactly these findings. */
export function validationRequest(state: ReviewState, revision: string, fix: Snapshot): TargetedValidationRequest {
	const body = {
		lineage_id: state.lineage_id,
		expected_revision: revision,
		target_identity: state.initial_snapshot.identity,
		fix_finding_ids: state.fix_finding_ids,
		projection: fix.projection ?? "workspace",
		correction_candidate_tree: fix.candidate_tree,
		correction_target_identity: fix.identity,
		correction_paths: fix.paths,
		correction_paths_digest: fix.paths_digest,
	} as const;
	const schema = "gentle-ai.review-targeted-validation-request/v1";
	return { schema, request_hash: targetedValidationRequestHash({ schema, ...body }), ...body };
}

export type Account = {
	readonly correction_budget: number;
	/** Lines that earlier corrections of this lineage have spent. */
	readonly spent: number;
	/** Corrections that this lineage has used up; one is all there is. */
	readonly attempts: number;
	readonly forecast: number | undefined;
};

export type EscalationCause = "budget_exceeded" | "original_criteria_failed" | "correction_regression_failed";

export type ForecastRuling =
	| { readonly accepted: false; readonly reason: "not_positive" | "forecast_exists" | "attempt_consumed" }
	| { readonly accepted: true; readonly state: "correction_required" }
	| {
			readonly accepted: true;
			readonly state: "escalated";
			readonly cause: "budget_exceeded";
			readonly spent: number;
			readonly remaining: number;
			readonly total: number;
	  };

/** A forecast above what is left is kept and ends the review: the correction would be another change. */
export function ruleForecast(account: Account, forecast: number): ForecastRuling {
	if (!Number.isSafeInteger(forecast) || forecast <= 0) return { accepted: false, reason: "not_positive" };
	if (account.attempts > 0) return { accepted: false, reason: "attempt_consumed" };
	if (account.forecast !== undefined) return { accepted: false, reason: "forecast_exists" };
	const spent = account.spent + forecast;
	if (spent <= account.correction_budget) return { accepted: true, state: "correction_required" };
	return {
		accepted: true,
		state: "escalated",
		cause: "budget_exceeded",
		spent,
		remaining: Math.max(0, account.correction_budget - spent),
		total: account.correction_budget,
	};
}

/** The one sentence about an escalated correction: lines used, left and allowed. */
export function accountingSentence(account: { spent: number; remaining: number; total: number }): string {
	return `The correction uses ${account.spent} of ${account.total} allowed lines; ${account.remaining} are left.`;
}

export type CorrectionMeasure = {
	readonly repository_outcome: VerificationOutcome;
	/** Measured lines of the correction, counted like authored lines. */
	readonly actual: number;
	readonly original_criteria: boolean;
	readonly correction_regression: boolean;
	/** The validator said that it could not look: that is no verdict. */
	readonly inspection_unavailable: boolean;
};

export type AcceptanceRuling =
	| {
			readonly accepted: false;
			readonly reason: "verification_failed" | "over_budget" | "inspection_unavailable";
	  }
	| { readonly accepted: true; readonly state: "approved" }
	| {
			readonly accepted: true;
			readonly state: "escalated";
			readonly cause?: EscalationCause;
			readonly attempts_consumed: 0 | 1;
	  };

/** Repository evidence first, then the measure, then the validator's two checks. */
export function ruleAcceptance(account: Account, measure: CorrectionMeasure): AcceptanceRuling {
	if (measure.repository_outcome === "verification_failed") return { accepted: false, reason: "verification_failed" };
	if (measure.repository_outcome === "procedural_tooling_failed") {
		return { accepted: true, state: "escalated", attempts_consumed: 0 };
	}
	if (measure.inspection_unavailable) return { accepted: false, reason: "inspection_unavailable" };
	if (account.spent + measure.actual > account.correction_budget) return { accepted: false, reason: "over_budget" };
	if (!measure.original_criteria) {
		return { accepted: true, state: "escalated", cause: "original_criteria_failed", attempts_consumed: 1 };
	}
	if (!measure.correction_regression) {
		return { accepted: true, state: "escalated", cause: "correction_regression_failed", attempts_consumed: 1 };
	}
	return { accepted: true, state: "approved" };
}
