// Verification by structure alone: a low-risk candidate without a lens, and with the repository as it was.

import { sha256 } from "../../contract/canonical.ts";
import { nativeLowRiskEvidence } from "../../contract/identities.ts";
import type { ReviewState } from "../../contract/state.ts";
import { type FinalizePlan, type FinalizeView, type PlannedStep, refused, step } from "./request.ts";

/** Structure alone verifies a low-risk candidate: no lens, no finding, and the repository still says the same. */
export function nativeVerification(view: FinalizeView, state: ReviewState): PlannedStep {
	const evidence = nativeLowRiskEvidence(state, {
		level: "low",
		changed_lines: state.original_changed_lines,
		reasons: view.risk_reasons,
	});
	return step(state, {
		type: "review/complete-verification",
		evidence: { evidence_hash: sha256(evidence), outcome: "passed" },
	});
}

export function isNativelyVerifiable(state: ReviewState): boolean {
	return state.risk_level === "low" && state.selected_lenses.length === 0 && state.findings.length === 0;
}

export function changedSinceFrozen(state: ReviewState): FinalizePlan {
	const rule = "the candidate that was frozen: the repository has changed since";
	return refused("candidate", state.initial_snapshot.identity, rule);
}
