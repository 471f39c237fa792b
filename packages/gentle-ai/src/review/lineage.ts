// The life of a review: its states, and every legal transition as one exhaustive reducer. What is immutable for the
// life of a lineage (target, policy, tier, lenses, lines, budget) no event can touch.
import { EMPTY_DIGEST } from "../contract/canonical.ts";
import type {
	AdmittedFinding,
	CorrectionAttempt,
	LensResult,
	Recovery,
	Reopening,
	ReviewReceipt,
	ReviewState,
	Snapshot,
} from "../contract/state.ts";
import type { Lens, State, Tier, VerificationOutcome } from "../contract/vocabulary.ts";
import type { Routed } from "./routing.ts";

export type Genesis = {
	readonly lineage_id: string;
	readonly snapshot: Snapshot;
	readonly policy_hash: string;
	readonly tier: Tier;
	readonly lenses: readonly Lens[];
	readonly changed_lines: number;
	readonly correction_budget: number;
};

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

const FROM: Readonly<Record<LineageEvent["type"], readonly State[]>> = {
	"review/complete-review": ["reviewing"],
	"review/begin-fix": ["correction_required"],
	"review/complete-correction-verification": ["correction_required"],
	"review/escalate-correction-verification": ["correction_required"],
	"review/complete-verification": ["validating"],
	"review/reopen-results": ["validating", "correction_required"],
	"review/invalidate": ["reviewing"],
};

export function isTerminal(state: State): boolean {
	return state === "approved" || state === "escalated" || state === "invalidated";
}

/** `succeeds` names what a recovered lineage continues; it inherits that a correction was used up, and nothing else. */
export type Succession = {
	readonly generation: number;
	readonly recovery: Recovery;
	readonly correction_attempt_inherited: boolean;
};

export function beginLineage(genesis: Genesis, succeeds?: Succession): ReviewState {
	return ordered({
		schema: "gentle-ai.review-state/v2",
		lineage_id: genesis.lineage_id,
		generation: succeeds?.generation ?? 1,
		state: "reviewing",
		initial_snapshot: genesis.snapshot,
		current_snapshot: genesis.snapshot,
		genesis_paths: genesis.snapshot.paths,
		policy_hash: genesis.policy_hash,
		risk_level: genesis.tier,
		selected_lenses: [...genesis.lenses],
		original_changed_lines: genesis.changed_lines,
		correction_budget: genesis.correction_budget,
		lens_results: [],
		findings: [],
		classifications: {},
		outcomes: {},
		fix_finding_ids: [],
		follow_ups: [],
		fix_delta_hash: EMPTY_DIGEST,
		...(succeeds?.correction_attempt_inherited && { correction_attempt_inherited: true as const }),
		...(succeeds !== undefined && { recovery: succeeds.recovery }),
	});
}

/** Has the one correction of this ancestry been used up? */
export function isCorrectionConsumed(state: ReviewState): boolean {
	return state.correction_attempt !== undefined || state.correction_attempt_inherited === true;
}

/** Nothing to correct with: no line to spend, or the one correction is used up. */
export function isCorrectionExhausted(state: ReviewState): boolean {
	return state.correction_budget === 0 || isCorrectionConsumed(state);
}

/** The bug that no caller may cause: an event in a state that does not admit it. */
export class IllegalTransition extends Error {
	constructor(state: State, event: LineageEvent["type"]) {
		super(`${event} is not legal in state ${state}`);
		this.name = "IllegalTransition";
	}
}

export function applyEvent(state: ReviewState, event: LineageEvent): ReviewState {
	if (!FROM[event.type].includes(state.state)) throw new IllegalTransition(state.state, event.type);
	switch (event.type) {
		case "review/complete-review":
			return completeReview(state, event);
		case "review/begin-fix":
			if (state.correction_forecast !== undefined || isCorrectionConsumed(state)) {
				throw new IllegalTransition(state.state, event.type);
			}
			return ordered({ ...state, state: event.state, correction_forecast: event.forecast });
		case "review/complete-correction-verification":
			return completeCorrection(state, event);
		case "review/escalate-correction-verification":
			return escalateCorrection(state, event);
		case "review/complete-verification":
			return withEvidence(
				{ ...state, state: event.evidence.outcome === "passed" ? "approved" : "escalated" },
				event.evidence,
			);
		case "review/reopen-results":
			return reopen(state, event.reopening);
		case "review/invalidate":
			if (event.reason.trim() === "") throw new IllegalTransition(state.state, event.type);
			return ordered({ ...state, state: "invalidated", invalidation: event.reason });
		default:
			return unreachable(event);
	}
}

function unreachable(event: never): never {
	throw new Error(`unknown event ${JSON.stringify(event)}`);
}

function completeReview(
	state: ReviewState,
	event: Extract<LineageEvent, { type: "review/complete-review" }>,
): ReviewState {
	const lenses = event.results.map(({ result }) => result.lens);
	if (lenses.join() !== state.selected_lenses.join()) throw new IllegalTransition(state.state, event.type);
	const findings: AdmittedFinding[] = event.results.flatMap(({ result }) => result.findings);
	const { routed } = event;
	return ordered({
		...state,
		state: routed.state,
		lens_results: event.results.map(({ result, result_hash }) => ({
			lens: result.lens,
			evidence: result.evidence,
			result_hash,
		})),
		findings,
		classifications: { ...routed.classifications },
		outcomes: { ...routed.outcomes },
		fix_finding_ids: [...routed.fix_finding_ids],
		follow_ups: [...routed.follow_ups],
	});
}

function requireOpenCorrection(state: ReviewState, type: LineageEvent["type"]): void {
	if (state.correction_forecast === undefined || isCorrectionConsumed(state)) {
		throw new IllegalTransition(state.state, type);
	}
}

function completeCorrection(
	state: ReviewState,
	event: Extract<LineageEvent, { type: "review/complete-correction-verification" }>,
): ReviewState {
	requireOpenCorrection(state, event.type);
	const { attempt, evidence } = event;
	const passed = attempt.original_criteria.passed && attempt.correction_regression.passed;
	if (!passed || evidence.outcome !== "passed") throw new IllegalTransition(state.state, event.type);
	return withEvidence(
		{
			...state,
			state: "approved",
			current_snapshot: attempt.fix_snapshot,
			correction_attempt: attempt,
			follow_ups: [...state.follow_ups, ...event.follow_ups],
			fix_delta_hash: event.fix_delta_hash,
		},
		evidence,
	);
}

function escalateCorrection(
	state: ReviewState,
	event: Extract<LineageEvent, { type: "review/escalate-correction-verification" }>,
): ReviewState {
	requireOpenCorrection(state, event.type);
	const { attempt } = event;
	return withEvidence(
		{
			...state,
			state: "escalated",
			...(attempt !== undefined && { correction_attempt: attempt }),
			follow_ups: [...state.follow_ups, ...event.follow_ups],
		},
		event.evidence,
	);
}

/** Takes the results back and leaves scope, tier, lenses, lines and budget as they were frozen. */
function reopen(state: ReviewState, reopening: Reopening): ReviewState {
	if (isCorrectionConsumed(state) || state.evidence_hash !== undefined) {
		throw new IllegalTransition(state.state, "review/reopen-results");
	}
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
		reopenings: [...(state.reopenings ?? []), reopening],
	});
}

function withEvidence(state: ReviewState, evidence: VerificationEvidence): ReviewState {
	return ordered({
		...state,
		evidence_hash: evidence.evidence_hash,
		...(evidence.record !== undefined && {
			evidence_record_digest: evidence.record.digest,
			evidence_outcome: evidence.outcome,
			evidence_target_identity: evidence.record.target_identity,
			evidence_authority_revision: evidence.record.authority_revision,
		}),
	});
}

/** The reviewing state that an invalidated lineage was given up in. */
export function beforeInvalidation(state: ReviewState): ReviewState {
	const { invalidation: _, ...kept } = state;
	return ordered({ ...kept, state: "reviewing" });
}

/** The successor of a failed final verification: everything that was frozen and decided, without the evidence. */
export function retryVerification(state: ReviewState, lineage_id: string, recovery: Recovery): ReviewState {
	const {
		evidence_hash: _hash,
		evidence_record_digest: _digest,
		evidence_outcome: _outcome,
		evidence_target_identity: _target,
		evidence_authority_revision: _revision,
		...kept
	} = state;
	return ordered({ ...kept, lineage_id, generation: state.generation + 1, state: "validating", recovery });
}

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

/** The receipt of an approved or escalated lineage; a pure function of the state. */
export function deriveReceipt(state: ReviewState): ReviewReceipt | undefined {
	if (state.state !== "approved" && state.state !== "escalated") return undefined;
	return {
		schema: "gentle-ai.review-receipt/v2",
		lineage_id: state.lineage_id,
		...(state.initial_snapshot.projection === "staged" && { projection: "staged" }),
		generation: state.generation,
		base_tree: state.initial_snapshot.base_tree,
		initial_review_tree: state.initial_snapshot.candidate_tree,
		final_candidate_tree: state.current_snapshot.candidate_tree,
		paths_digest: state.initial_snapshot.paths_digest,
		fix_delta_hash: state.fix_delta_hash,
		policy_hash: state.policy_hash,
		evidence_hash: state.evidence_hash ?? EMPTY_DIGEST,
		...(state.evidence_record_digest !== undefined && { evidence_record_digest: state.evidence_record_digest }),
		...(state.evidence_outcome !== undefined && { evidence_outcome: state.evidence_outcome }),
		...(state.evidence_target_identity !== undefined && { evidence_target_identity: state.evidence_target_identity }),
		...(state.evidence_authority_revision !== undefined && {
			evidence_authority_revision: state.evidence_authority_revision,
		}),
		risk_level: state.risk_level,
		selected_lenses: state.selected_lenses,
		resolved_finding_ids: state.fix_finding_ids.length > 0 ? state.fix_finding_ids : null,
		terminal_state: state.state,
	};
}
