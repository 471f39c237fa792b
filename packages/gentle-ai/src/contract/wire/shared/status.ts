// What STATUS answers, as documents.
import type { StatusOutcome } from "../../model.ts";
import type { Snapshot } from "../../state.ts";
import type { ProjectionShape } from "./parts.ts";
import type { StatusHead } from "./status-shapes.ts";

export function renderStatusHead(outcome: StatusOutcome): StatusHead {
	const { authority } = outcome;
	return {
		operation: "review.status",
		applicability: outcome.applicability,
		...(authority !== undefined && {
			authority: {
				version: "compact-v2",
				lineage_id: authority.lineage_id,
				state: authority.state,
				generation: authority.generation,
				revision: authority.revision,
			},
		}),
		receipt: outcome.receipt,
		action: outcome.action,
		...(outcome.action_disposition !== undefined && { action_disposition: outcome.action_disposition }),
		replayability: outcome.replayability,
		...(authority !== undefined && {
			frozen: {
				tier: authority.tier,
				original_changed_lines: authority.original_changed_lines,
				correction_budget: authority.correction_budget,
			},
		}),
		target_identity: outcome.live.identity,
	};
}

export function renderAuthorityTarget({ authority, live }: StatusOutcome) {
	return authority === undefined || authority.current.identity === live.identity
		? {}
		: { authority_target_identity: authority.current.identity };
}

export function renderProjection({ live, authority }: StatusOutcome): ProjectionShape {
	const initial: Snapshot = authority?.initial ?? live;
	return {
		schema: "gentle-ai.review-integration.projection/v1",
		kind: live.kind,
		projection: live.projection ?? "workspace",
		base_tree: live.base_tree,
		initial_review_tree: initial.candidate_tree,
		current_candidate_tree: live.candidate_tree,
		paths_digest: live.paths_digest,
		paths: live.paths,
		intended_untracked: live.intended_untracked,
		intended_untracked_proof: live.intended_untracked_proof,
		initial_snapshot_identity: initial.identity,
		current_snapshot_identity: live.identity,
	};
}

export function renderReconciliation({ action }: StatusOutcome) {
	return action === "reconcile_finalize" ? { reconciliation: { required: true as const } } : {};
}
