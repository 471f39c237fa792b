// The receipt that a closed review leaves.
import { EMPTY_DIGEST } from "../../contract/canonical.ts";
import type { ReviewReceipt, ReviewState } from "../../contract/state.ts";

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
