// The situations of STATUS as the published cases name them, and what one of them decides.
import type { State, VerificationOutcome } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	type AuthorityView,
	correctionTarget,
	nextTransition,
	type RouteFacts,
	type RouteRequest,
	relate,
	statusColumns,
	validationRequest,
} from "../../packages/gentle-ai/src/review/index.ts";
import { digest, fresh, SNAPSHOT, view } from "./states.ts";

export type Situation = {
	readonly applicability: "unrelated" | "ambiguous" | "corrupted" | "current_target";
	readonly target?: "staged-overlay";
	readonly candidates?: readonly string[];
	readonly state?: State;
	readonly selected_lenses?: number;
	readonly captured?: number | "unverifiable";
	readonly tier?: "low" | "high";
	readonly forecast?: number;
	readonly attempts?: number;
	readonly candidate?: "unchanged" | "changed" | "wider";
	readonly evidence?: VerificationOutcome | "invalid";
	readonly retry_eligible?: boolean;
	readonly receipt?: "present" | "absent";
};

export type Decided = {
	readonly action: string;
	readonly action_disposition?: string;
	readonly replayability: string;
	readonly receipt_status: string;
	readonly next_transition: { readonly kind: string; readonly reason_code: string };
};

const OTHER_TREE = "d".repeat(40);

function stateOf(input: Situation) {
	const lenses = input.selected_lenses ?? (input.tier === "low" ? 0 : input.tier === "high" ? 4 : 1);
	return {
		...fresh(lenses),
		state: input.state ?? "reviewing",
		...(input.forecast !== undefined && { correction_forecast: input.forecast, fix_finding_ids: ["R3-001"] }),
		...(input.attempts === 1 && { correction_attempt_inherited: true as const }),
	} as const;
}

function liveOf({ candidate }: Situation) {
	if (candidate === undefined || candidate === "unchanged") return SNAPSHOT;
	const moved = { ...SNAPSHOT, candidate_tree: OTHER_TREE, identity: digest("8") };
	return candidate === "changed" ? moved : { ...moved, paths: ["other.txt", "tracked.txt"], paths_digest: digest("9") };
}

/** The corrected candidate, where the live bytes are one. */
function correctionOf(
	input: Situation,
	state: ReturnType<typeof stateOf>,
): NonNullable<AuthorityView["correction"]> | undefined {
	if (input.forecast === undefined || relate(state, liveOf(input)).kind !== "correction") return undefined;
	const fix = correctionTarget(state, {
		candidate_tree: OTHER_TREE,
		paths: SNAPSHOT.paths,
		intended_untracked_proof: SNAPSHOT.intended_untracked_proof,
	});
	const request = validationRequest(state, view(state).revision, fix);
	return { fix, actual_lines: input.forecast, evidence: input.evidence, request };
}

const RETRY = {
	incident_schema: "gentle-ai.review-final-verification-incident/v1",
	incident_class: "procedural_tooling_failure",
	validating_revision: digest("a"),
	target_identity: SNAPSHOT.identity,
	failed_evidence_hash: digest("b"),
	finalize_request_digest: digest("c"),
} as const;

function authorityOf(input: Situation) {
	const state = stateOf(input);
	const correction = correctionOf(input, state);
	return view(state, typeof input.captured === "number" ? input.captured : 0, {
		...(input.captured === "unverifiable" && { slots: [{ status: "unverifiable" }] }),
		...(correction === undefined ? { evidence: input.evidence } : { correction }),
		...(input.retry_eligible === true && { retry: RETRY }),
		receipt: input.receipt === "present" ? { status: "published", identity: digest("7") } : { status: "absent" },
	});
}

export function factsOf(input: Situation): RouteFacts {
	switch (input.applicability) {
		case "unrelated": {
			const overlay = { ...SNAPSHOT, kind: "base-workspace-overlay", projection: "staged" } as const;
			const live = input.target === "staged-overlay" ? overlay : SNAPSHOT;
			return { applicability: "unrelated", live, reviews_on: true, lineage: "review-1" };
		}
		case "ambiguous":
			return { applicability: "ambiguous", live: SNAPSHOT, candidates: input.candidates ?? [] };
		case "corrupted":
			return { applicability: "corrupted", live: SNAPSHOT };
		case "current_target": {
			const live = liveOf(input);
			const authority = authorityOf(input);
			// What another candidate is to this review is decided by the rule that the program asks, not by the case.
			const relation = relate(authority.state, live);
			const recoverable = relation.kind === "recoverable" && { recoverable: relation.disposition };
			return { applicability: "current_target", live, authority, ...recoverable };
		}
	}
}

export function decide(facts: RouteFacts, request: Partial<RouteRequest> = {}): Decided {
	const { receipt, ...columns } = statusColumns(facts);
	const { kind, reason_code } = nextTransition(facts, {
		contract: "gentle-ai.review-integration/v2",
		gate: "pre-commit",
		selector: false,
		...request,
	});
	return { ...columns, receipt_status: receipt.status, next_transition: { kind, reason_code } };
}
