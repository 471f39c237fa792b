// FINALIZE as a plan: which transitions this request commits, in order, or why it commits none. The caller records it.
import { nativeLowRiskEvidence, sha256, stateRevision } from "../contract/canonical.ts";
import type { Location } from "../contract/location.ts";
import type { RefuterRow } from "../contract/payloads.ts";
import type { AdmittedResult, ReviewState, RiskReason, VerificationRecord } from "../contract/state.ts";
import type { CausalDisposition } from "../contract/vocabulary.ts";
import { ruleForecast } from "./correction.ts";
import { applyEvent, type LineageEvent, type LineageOperation } from "./lineage.ts";
import { routeFindings } from "./routing.ts";

export type FinalizeRequest = {
	readonly captured_results: boolean;
	readonly captured_evidence: boolean;
	/** The caller's own verdict; it may agree with the captured outcome, never override it. */
	readonly failed: boolean | undefined;
	readonly correction_lines: number | undefined;
	readonly refuter: readonly RefuterRow[] | undefined;
};

export type FinalizeView = {
	readonly state: ReviewState;
	/** One entry a selected lens, in order; undefined while the slot is open. */
	readonly results: readonly (AdmittedResult | undefined)[];
	readonly evidence: VerificationRecord | undefined;
	readonly risk_reasons: readonly RiskReason[];
	/** The live target, rebuilt from the frozen selectors, is still the frozen one. */
	readonly target_unchanged: boolean;
	readonly proves: (location: Location, disposition: CausalDisposition) => boolean;
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

type Input = "captured_results" | "captured_evidence" | "failed" | "correction_lines" | "refuter";

const INPUT_FLAGS: Readonly<Record<Input, string>> = {
	captured_results: "--captured-results",
	captured_evidence: "--captured-evidence",
	failed: "--failed",
	correction_lines: "--correction-lines",
	refuter: "--refuter",
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

function planCorrection(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state } = view;
	const foreign = refuseOthers(state, request, ["correction_lines"]);
	if (foreign !== undefined) return foreign;
	const forecast = request.correction_lines;
	if (forecast === undefined) {
		return refused(
			"--correction-lines",
			"",
			"given, although blockers are open",
			"Pass the number of lines that the correction will change",
		);
	}
	const ruling = ruleForecast(
		{
			correction_budget: state.correction_budget,
			spent: 0,
			attempts: 0,
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
	if (request.failed !== undefined && request.failed !== (evidence.outcome !== "passed")) {
		return refused("--failed", String(request.failed), `in agreement with the captured outcome ${evidence.outcome}`);
	}
	return {
		kind: "advance",
		steps: [
			step(state, {
				type: "review/complete-verification",
				evidence: {
					evidence_hash: evidence.raw_payload_sha256,
					outcome: evidence.outcome,
					record: {
						digest: evidence.record_digest,
						target_identity: evidence.target_identity,
						authority_revision: evidence.authority_revision,
					},
				},
			}),
		],
	};
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
