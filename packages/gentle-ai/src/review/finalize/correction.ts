// The one correction at FINALIZE: its forecast, and its acceptance with repository evidence and a validator in one step.
import { fixDeltaHash, validationCheckHash } from "../../contract/identities.ts";
import type { ValidatorResult } from "../../contract/payloads.ts";
import type {
	CorrectionAttempt,
	ReviewState,
	TargetedValidationRequest,
	VerificationRecord,
} from "../../contract/state.ts";
import { isSentinel, reportsUnavailableInspection } from "../admission/citations.ts";
import { ruleAcceptance, ruleForecast } from "../correction.ts";
import { isCorrectionConsumed } from "../lineage/index.ts";
import {
	type CorrectedCandidate,
	disagreement,
	evidenceOf,
	type FinalizePlan,
	type FinalizeRequest,
	type FinalizeView,
	type Input,
	refused,
	refuseOthers,
	step,
} from "./request.ts";

function planForecast(state: ReviewState, forecast: number): FinalizePlan {
	const ruling = ruleForecast(
		{
			correction_budget: state.correction_budget,
			spent: 0,
			attempts: isCorrectionConsumed(state) ? 1 : 0,
			forecast: state.correction_forecast,
		},
		forecast,
	);
	if (!ruling.accepted) {
		const rule = ruling.reason === "not_positive" ? "a positive whole number" : "the first forecast of this review";
		return refused("--correction-lines", String(forecast), rule);
	}
	return { kind: "advance", steps: [step(state, { type: "review/begin-fix", forecast, state: ruling.state })] };
}

/** The validator's answer must be about exactly this candidate and this question, and must say something. */
function refuseValidation(validation: ValidatorResult, request: TargetedValidationRequest): FinalizePlan | undefined {
	if (validation.targeted_validation_request_hash !== request.request_hash) {
		const value = validation.targeted_validation_request_hash;
		return refused(
			"--validation",
			value,
			"about the request that STATUS prints: targeted_validation_request_hash is its request_hash",
		);
	}
	if (validation.correction_target_identity !== request.correction_target_identity) {
		const value = validation.correction_target_identity;
		return refused(
			"--validation",
			value,
			"about the corrected candidate: correction_target_identity is that of the request",
		);
	}
	const said = [
		...validation.original_criteria.evidence,
		...validation.correction_regression.evidence,
		...validation.follow_ups.flatMap(({ proof_refs }) => proof_refs),
	];
	const sentinel = said.find(isSentinel);
	return sentinel === undefined ? undefined : refused("--validation", sentinel, "concrete evidence in every string");
}

function attemptOf(corrected: CorrectedCandidate, validation: ValidatorResult): CorrectionAttempt {
	const { original_criteria, correction_regression } = validation;
	return {
		fix_snapshot: corrected.fix,
		validation_request_hash: corrected.request.request_hash,
		actual_lines: corrected.actual_lines,
		original_criteria: {
			passed: original_criteria.passed,
			evidence_hash: validationCheckHash("original-criteria", original_criteria),
		},
		correction_regression: {
			passed: correction_regression.passed,
			evidence_hash: validationCheckHash("correction-regression", correction_regression),
		},
	};
}

const NOT_ACCEPTED = {
	verification_failed: [
		"--captured-evidence",
		"of a verification that passed: this one failed, so the correction stays open",
	],
	over_budget: ["candidate", "within the correction budget; it may shrink, nothing was used up"],
	inspection_unavailable: ["--validation", "a verdict: it says that it could not inspect the candidate"],
} as const;

function planValidatedCorrection(
	view: FinalizeView,
	request: FinalizeRequest,
	corrected: CorrectedCandidate,
	evidence: VerificationRecord,
): FinalizePlan {
	const { state } = view;
	const { validation } = request;
	if (evidence.outcome === "procedural_tooling_failed") {
		if (validation !== undefined)
			return refused("--validation", "given", "left out: the tools failed, not the candidate");
		const event = { evidence: evidenceOf(evidence), follow_ups: [] };
		return { kind: "advance", steps: [step(state, { type: "review/escalate-correction-verification", ...event })] };
	}
	if (evidence.outcome === "passed" && validation === undefined) {
		return refused("--validation", "", "given, although this correction needs its validator");
	}
	const foreign = validation === undefined ? undefined : refuseValidation(validation, corrected.request);
	if (foreign !== undefined) return foreign;
	// Each check stands on its own evidence: one that nobody could look at is not carried by the other.
	const checks = validation === undefined ? [] : [validation.original_criteria, validation.correction_regression];
	const ruling = ruleAcceptance(
		{ correction_budget: state.correction_budget, spent: 0, attempts: 0, forecast: state.correction_forecast },
		{
			repository_outcome: evidence.outcome,
			actual: corrected.actual_lines,
			original_criteria: validation?.original_criteria.passed === true,
			correction_regression: validation?.correction_regression.passed === true,
			inspection_unavailable: checks.some((check) => reportsUnavailableInspection(check.evidence)),
		},
	);
	if (!ruling.accepted || validation === undefined) {
		const [field, rule] = NOT_ACCEPTED[ruling.accepted ? "verification_failed" : ruling.reason];
		return refused(field, String(field === "candidate" ? corrected.actual_lines : evidence.outcome), rule);
	}
	const event = {
		attempt: attemptOf(corrected, validation),
		evidence: evidenceOf(evidence),
		follow_ups: validation.follow_ups.map(({ observation, proof_refs }) => ({
			observation,
			proof_refs: [...proof_refs],
		})),
	};
	return {
		kind: "advance",
		steps: [
			ruling.state === "approved"
				? step(state, {
						type: "review/complete-correction-verification",
						fix_delta_hash: fixDeltaHash(corrected.fix),
						...event,
					})
				: step(state, { type: "review/escalate-correction-verification", ...event }),
		],
	};
}

export function planCorrection(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state, correction, evidence } = view;
	const forecast = request.correction_lines;
	const accepted: readonly Input[] = request.captured_evidence
		? ["captured_evidence", "failed", "validation"]
		: ["correction_lines"];
	const foreign = refuseOthers(state, request, accepted);
	if (foreign !== undefined) return foreign;
	if (!request.captured_evidence) {
		if (forecast !== undefined) return planForecast(state, forecast);
		return state.correction_forecast === undefined
			? refused(
					"--correction-lines",
					"",
					"given, although blockers are open",
					"Pass the number of lines that the correction will change",
				)
			: refused("--captured-evidence", "", "given: this correction needs its verification evidence and its validator");
	}
	if (state.correction_forecast === undefined || isCorrectionConsumed(state)) {
		return refused("--captured-evidence", "true", "given after the forecast of an open correction");
	}
	if (correction === undefined) {
		return refused(
			"candidate",
			state.initial_snapshot.identity,
			"changed within the frozen scope: there is no correction",
		);
	}
	if (evidence === undefined) {
		return refused("--captured-evidence", "true", "backed by evidence captured for this revision and candidate");
	}
	return disagreement(request, evidence) ?? planValidatedCorrection(view, request, correction, evidence);
}
