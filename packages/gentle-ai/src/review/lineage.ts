// The life of a review: its states, and every legal transition as one exhaustive reducer. What is immutable for the
// life of a lineage (target, policy, tier, lenses, lines, budget) no event can touch.
import { EMPTY_DIGEST } from "../contract/canonical.ts";
import type { AdmittedFinding, LensResult, ReviewReceipt, ReviewState, Snapshot } from "../contract/state.ts";
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
	| { readonly type: "review/complete-verification"; readonly evidence: VerificationEvidence };

export type VerificationEvidence = {
	readonly evidence_hash: string;
	readonly outcome: VerificationOutcome;
	/** Absent for the native verification of a low-risk candidate. */
	readonly record?: { readonly digest: string; readonly target_identity: string; readonly authority_revision: string };
};

export type LineageOperation = "review/start" | LineageEvent["type"];

const FROM: Readonly<Record<LineageEvent["type"], State>> = {
	"review/complete-review": "reviewing",
	"review/begin-fix": "correction_required",
	"review/complete-verification": "validating",
};

export function isTerminal(state: State): boolean {
	return state === "approved" || state === "escalated" || state === "invalidated";
}

export function beginLineage(genesis: Genesis): ReviewState {
	return {
		schema: "gentle-ai.review-state/v2",
		lineage_id: genesis.lineage_id,
		generation: 1,
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
	};
}

/** The bug that no caller may cause: an event in a state that does not admit it. */
export class IllegalTransition extends Error {
	constructor(state: State, event: LineageEvent["type"]) {
		super(`${event} is not legal in state ${state}`);
		this.name = "IllegalTransition";
	}
}

export function applyEvent(state: ReviewState, event: LineageEvent): ReviewState {
	if (FROM[event.type] !== state.state) throw new IllegalTransition(state.state, event.type);
	switch (event.type) {
		case "review/complete-review":
			return completeReview(state, event);
		case "review/begin-fix":
			if (state.correction_forecast !== undefined) throw new IllegalTransition(state.state, event.type);
			return ordered({ ...state, state: event.state, correction_forecast: event.forecast });
		case "review/complete-verification":
			return completeVerification(state, event.evidence);
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

function completeVerification(state: ReviewState, evidence: VerificationEvidence): ReviewState {
	return ordered({
		...state,
		state: evidence.outcome === "passed" ? "approved" : "escalated",
		evidence_hash: evidence.evidence_hash,
		...(evidence.record !== undefined && {
			evidence_record_digest: evidence.record.digest,
			evidence_outcome: evidence.outcome,
			evidence_target_identity: evidence.record.target_identity,
			evidence_authority_revision: evidence.record.authority_revision,
		}),
	});
}

/** The revision is a digest of the state's JSON, so an optional field must always sit in the same place. */
function ordered(state: ReviewState): ReviewState {
	const { correction_forecast, fix_delta_hash, evidence_hash, ...rest } = state;
	const { evidence_record_digest, evidence_outcome, evidence_target_identity, evidence_authority_revision, ...head } =
		rest;
	return {
		...head,
		...(correction_forecast !== undefined && { correction_forecast }),
		fix_delta_hash,
		...(evidence_hash !== undefined && { evidence_hash }),
		...(evidence_record_digest !== undefined && { evidence_record_digest }),
		...(evidence_outcome !== undefined && { evidence_outcome }),
		...(evidence_target_identity !== undefined && { evidence_target_identity }),
		...(evidence_authority_revision !== undefined && { evidence_authority_revision }),
	};
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
