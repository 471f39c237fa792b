// FINALIZE as a plan: which transitions this request commits, in order, or why it commits none. The caller records it.
import { nativeLowRiskEvidence, sha256, stateRevision } from "../contract/canonical.ts";
import type { RefuterRow } from "../contract/payloads.ts";
import type { AdmittedResult, ReviewState, RiskReason, VerificationRecord } from "../contract/state.ts";
import type { CausalDisposition } from "../contract/vocabulary.ts";
import type { Location } from "./admission/location.ts";
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

function planReviewing(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state } = view;
	if (request.captured_evidence) {
		return refused("--captured-evidence", "true", "accepted before the reviewer results are finalized");
	}
	if (request.correction_lines !== undefined) {
		return refused("--correction-lines", String(request.correction_lines), "accepted in state reviewing");
	}
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
	if (!view.target_unchanged) {
		return refused(
			"candidate",
			state.initial_snapshot.identity,
			"the candidate that was frozen: the repository has changed since",
		);
	}
	return { kind: "advance", steps: [review, nativeVerification(view, review.state)] };
}

function planCorrection(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state } = view;
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
	if (request.captured_results) {
		return refused("--captured-results", "true", "accepted once the results are finalized");
	}
	if (!request.captured_evidence) {
		if (!isNativelyVerifiable(state)) {
			return refused("--captured-evidence", "", "given, although this review needs verification evidence");
		}
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

function hasInput(request: FinalizeRequest): boolean {
	return (
		request.captured_results ||
		request.captured_evidence ||
		request.failed !== undefined ||
		request.correction_lines !== undefined ||
		request.refuter !== undefined
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
			return hasInput(request)
				? refused(
						"--lineage",
						view.state.lineage_id,
						"open: a closed review takes no further input",
						"Run the command with --lineage alone; it answers from the receipt",
					)
				: { kind: "replay" };
	}
}
