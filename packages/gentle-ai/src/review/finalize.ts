// FINALIZE as a plan: which transitions this request commits, in order, or why it commits none. The caller records it.
import {
	fixDeltaHash,
	nativeLowRiskEvidence,
	sha256,
	stateRevision,
	validationCheckHash,
} from "../contract/canonical.ts";
import type { Location } from "../contract/location.ts";
import type { RefuterRow, ValidatorResult } from "../contract/payloads.ts";
import type {
	AdmittedResult,
	CorrectionAttempt,
	ReviewState,
	RiskReason,
	Snapshot,
	TargetedValidationRequest,
	VerificationRecord,
} from "../contract/state.ts";
import type { CausalDisposition } from "../contract/vocabulary.ts";
import { isSentinel, reportsUnavailableInspection } from "./admission/citations.ts";
import { ruleAcceptance, ruleForecast } from "./correction.ts";
import {
	applyEvent,
	isCorrectionConsumed,
	type LineageEvent,
	type LineageOperation,
	type VerificationEvidence,
} from "./lineage.ts";
import { routeFindings } from "./routing.ts";

export type FinalizeRequest = {
	readonly captured_results: boolean;
	readonly captured_evidence: boolean;
	/** The caller's own verdict; it may agree with the captured outcome, never override it. */
	readonly failed: boolean | undefined;
	readonly correction_lines: number | undefined;
	readonly refuter: readonly RefuterRow[] | undefined;
	readonly validation: ValidatorResult | undefined;
};

export type FinalizeView = {
	readonly state: ReviewState;
	/** One entry a selected lens, in order; undefined while the slot is open. */
	readonly results: readonly (AdmittedResult | undefined)[];
	readonly evidence: VerificationRecord | undefined;
	readonly risk_reasons: readonly RiskReason[];
	/** The corrected candidate that the repository holds now; undefined while it is the frozen one or out of scope. */
	readonly correction: CorrectedCandidate | undefined;
	/** The live target, rebuilt from the frozen selectors, is still the frozen one. */
	readonly target_unchanged: boolean;
	readonly proves: (location: Location, disposition: CausalDisposition) => boolean;
};

export type CorrectedCandidate = {
	readonly fix: Snapshot;
	readonly actual_lines: number;
	readonly request: TargetedValidationRequest;
};

export type PlannedStep = {
	readonly operation: LineageOperation;
	readonly state: ReviewState;
	readonly revision: string;
};

export type FinalizePlan =
	| { readonly kind: "advance"; readonly steps: readonly PlannedStep[] }
	/** Terminal at entry: publish the receipt again if it is missing; nothing else can happen. */
	| { readonly kind: "replay" }
	| {
			readonly kind: "refused";
			readonly field: string;
			readonly value: string;
			readonly rule: string;
			readonly next: string;
	  };

const STATUS_NEXT =
	"Run `gentle-ai review status --contract gentle-ai.review-integration/v2 --next-transition` and do what it prints";

function refused(field: string, value: string, rule: string, next: string = STATUS_NEXT): FinalizePlan {
	return { kind: "refused", field, value, rule, next };
}

function step(state: ReviewState, event: LineageEvent): PlannedStep {
	const next = applyEvent(state, event);
	return { operation: event.type, state: next, revision: stateRevision(next) };
}

type Input = "captured_results" | "captured_evidence" | "failed" | "correction_lines" | "refuter" | "validation";

const INPUT_FLAGS: Readonly<Record<Input, string>> = {
	captured_results: "--captured-results",
	captured_evidence: "--captured-evidence",
	failed: "--failed",
	correction_lines: "--correction-lines",
	refuter: "--refuter",
	validation: "--validation",
};

function given(request: FinalizeRequest, input: Input): boolean {
	const value = request[input];
	return value !== undefined && (input === "failed" || value !== false);
}

/** An input that this phase does not take is refused, never ignored. */
function refuseOthers(
	state: ReviewState,
	request: FinalizeRequest,
	accepted: readonly Input[],
): FinalizePlan | undefined {
	const inputs = Object.keys(INPUT_FLAGS) as Input[];
	const foreign = inputs.find((input) => given(request, input) && !accepted.includes(input));
	if (foreign === undefined) return undefined;
	const value = request[foreign];
	const shown = typeof value === "object" ? "given" : String(value);
	return refused(INPUT_FLAGS[foreign], shown, `accepted while the review is ${state.state}`);
}

/** Structure alone verifies a low-risk candidate: no lens, no finding, and the repository still says the same. */
function nativeVerification(view: FinalizeView, state: ReviewState): PlannedStep {
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

function isNativelyVerifiable(state: ReviewState): boolean {
	return state.risk_level === "low" && state.selected_lenses.length === 0 && state.findings.length === 0;
}

function changedSinceFrozen(state: ReviewState): FinalizePlan {
	const rule = "the candidate that was frozen: the repository has changed since";
	return refused("candidate", state.initial_snapshot.identity, rule);
}

function planReviewing(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state } = view;
	const foreign = refuseOthers(state, request, ["captured_results", "refuter"]);
	if (foreign !== undefined) return foreign;
	if (state.selected_lenses.length > 0 && !request.captured_results) {
		return refused("--captured-results", "", "given, although this review selected lenses");
	}
	const missing = state.selected_lenses.find((_, order) => view.results[order] === undefined);
	if (missing !== undefined)
		return refused("--captured-results", missing, "complete: this lens has no captured result");
	const results = view.results.flatMap((each) => each ?? []);
	const routed = routeFindings({
		findings: results.flatMap(({ result }) => result.findings),
		genesis_paths: state.genesis_paths,
		proves: view.proves,
		refuter: request.refuter ?? [],
	});
	if (!routed.routed) {
		return refused("--refuter", routed.finding_ids.join(","), `a complete refuter batch (${routed.reason})`);
	}
	const review = step(state, {
		type: "review/complete-review",
		results: results.map(({ result, admission }) => ({ result, result_hash: admission.result_hash })),
		routed,
	});
	if (review.state.state !== "validating" || !isNativelyVerifiable(review.state))
		return { kind: "advance", steps: [review] };
	if (!view.target_unchanged) return changedSinceFrozen(state);
	return { kind: "advance", steps: [review, nativeVerification(view, review.state)] };
}

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

function evidenceOf(record: VerificationRecord): VerificationEvidence {
	return {
		evidence_hash: record.raw_payload_sha256,
		outcome: record.outcome,
		record: {
			digest: record.record_digest,
			target_identity: record.target_identity,
			authority_revision: record.authority_revision,
		},
	};
}

/** A caller's own verdict may agree with the captured outcome, and nothing else. */
function disagreement(request: FinalizeRequest, evidence: VerificationRecord): FinalizePlan | undefined {
	if (request.failed === undefined || request.failed === (evidence.outcome !== "passed")) return undefined;
	const rule = `in agreement with the captured outcome ${evidence.outcome}`;
	return refused("--failed", String(request.failed), rule);
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
	const spoken = [
		...(validation?.original_criteria.evidence ?? []),
		...(validation?.correction_regression.evidence ?? []),
	];
	const ruling = ruleAcceptance(
		{ correction_budget: state.correction_budget, spent: 0, attempts: 0, forecast: state.correction_forecast },
		{
			repository_outcome: evidence.outcome,
			actual: corrected.actual_lines,
			original_criteria: validation?.original_criteria.passed === true,
			correction_regression: validation?.correction_regression.passed === true,
			inspection_unavailable: reportsUnavailableInspection(spoken),
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

function planCorrection(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
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

function planValidating(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state, evidence } = view;
	const accepted: Input[] = request.captured_evidence ? ["captured_evidence", "failed"] : [];
	const foreign = refuseOthers(state, request, accepted);
	if (foreign !== undefined) return foreign;
	if (!request.captured_evidence) {
		if (!isNativelyVerifiable(state)) {
			return refused("--captured-evidence", "", "given, although this review needs verification evidence");
		}
		if (!view.target_unchanged) return changedSinceFrozen(state);
		return { kind: "advance", steps: [nativeVerification(view, state)] };
	}
	if (evidence === undefined) {
		return refused("--captured-evidence", "true", "backed by evidence captured for this revision and candidate");
	}
	return (
		disagreement(request, evidence) ?? {
			kind: "advance",
			steps: [step(state, { type: "review/complete-verification", evidence: evidenceOf(evidence) })],
		}
	);
}

export function planFinalize(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	switch (view.state.state) {
		case "reviewing":
			return planReviewing(view, request);
		case "correction_required":
			return planCorrection(view, request);
		case "validating":
			return planValidating(view, request);
		case "approved":
		case "escalated":
		case "invalidated":
			return refuseOthers(view.state, request, []) ?? { kind: "replay" };
	}
}
