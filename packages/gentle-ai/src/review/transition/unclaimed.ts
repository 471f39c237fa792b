// Targets that no lineage answers for alone: a fresh START, or the choice between several.
import { sortedByBytes } from "../../contract/canonical.ts";
import type { Snapshot } from "../../contract/state.ts";
import { plainArgument, reviewCommand, type TransitionArgument, tokenArgument } from "../../contract/tokens.ts";
import type { Transition } from "../../contract/transition.ts";
import type { RouteFacts, RouteRequest } from "./facts.ts";
import { projectionOf, stop } from "./parts.ts";

export function freshStart(
	facts: Extract<RouteFacts, { applicability: "unrelated" }>,
	request: RouteRequest,
): Transition {
	const { live } = facts;
	if (live.kind === "base-workspace-overlay" && live.projection === "staged") {
		return stop("staged_workspace_overlay_recovery_unavailable");
	}
	if (!facts.reviews_on) return stop("rdd_disabled");
	if (live.base_tree === live.candidate_tree) return emptyCandidate(live);
	const args = [
		tokenArgument("contract", request.contract),
		tokenArgument("target", live.identity),
		tokenArgument("projection", projectionOf(live)),
		...(live.kind === "base-diff"
			? [tokenArgument("base-ref", live.base_tree), tokenArgument("committed-only", "true")]
			: []),
		...(live.kind === "base-workspace-overlay"
			? [tokenArgument("base-ref", live.base_tree), tokenArgument("workspace-overlay", "true")]
			: []),
		tokenArgument("lineage", facts.lineage),
	];
	return {
		kind: "execute",
		reason_code: "fresh_target_ready",
		execute: {
			operation: "review.start",
			command: reviewCommand("start", args),
			arguments: args,
			preconditions: [plainArgument("target_identity", live.identity)],
			binding: { lineage_id: facts.lineage, target_identity: live.identity },
		},
	};
}

function targetArguments(live: Snapshot): TransitionArgument[] {
	return [
		plainArgument("target_identity", live.identity),
		plainArgument("projection", projectionOf(live)),
		plainArgument("base_tree", live.base_tree),
		plainArgument("candidate_tree", live.candidate_tree),
	];
}

function emptyCandidate(live: Snapshot): Transition {
	return {
		kind: "collect",
		reason_code: "empty_candidate_base_ref_required",
		inputs: [
			{
				name: "base_ref",
				schema: "gentle-ai.review-base-ref-selection/v1",
				capture_operation: "external.select_base_ref",
				arguments: targetArguments(live),
			},
		],
	};
}

export function selectLineage(live: Snapshot, candidates: readonly string[]): Transition {
	return {
		kind: "collect",
		reason_code: "lineage_selection_required",
		inputs: [
			{
				name: "lineage_selection",
				schema: "gentle-ai.review-lineage-selection/v1",
				capture_operation: "external.select_lineage",
				arguments: [...targetArguments(live), plainArgument("candidates", sortedByBytes(candidates).join(","))],
			},
		],
	};
}
