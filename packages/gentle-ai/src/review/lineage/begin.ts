// How a lineage begins: fresh, or as the successor of one that ended. What is set here (target, policy, tier, lenses,
// lines, budget) no event can touch.
import { EMPTY_DIGEST } from "../../contract/canonical.ts";
import type { Recovery, ReviewState, Snapshot } from "../../contract/state.ts";
import type { Lens, Tier } from "../../contract/vocabulary.ts";
import { ordered } from "./shape.ts";

export type Genesis = {
	readonly lineage_id: string;
	readonly snapshot: Snapshot;
	readonly policy_hash: string;
	readonly tier: Tier;
	readonly lenses: readonly Lens[];
	readonly changed_lines: number;
	readonly correction_budget: number;
};

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
