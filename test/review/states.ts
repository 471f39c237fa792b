// States and views of one review, for the tests of what follows from them.
import { stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { ManifestEntry, ReviewState, Snapshot } from "../../packages/gentle-ai/src/contract/state.ts";
import { LENSES, type Lens } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	type AuthorityView,
	artifactSubjects,
	beginLineage,
	type CapturedSlot,
} from "../../packages/gentle-ai/src/review/index.ts";

export function digest(letter: string): string {
	return `sha256:${letter.repeat(64)}`;
}

export const SNAPSHOT: Snapshot = {
	kind: "current-changes",
	base_tree: "b".repeat(40),
	candidate_tree: "c".repeat(40),
	paths_digest: digest("1"),
	intended_untracked: [],
	intended_untracked_proof: digest("2"),
	paths: ["tracked.txt"],
	identity: digest("3"),
};

export const MANIFEST: readonly ManifestEntry[] = [
	{
		path: "tracked.txt",
		status: "M",
		old_mode: "100644",
		new_mode: "100644",
		deleted: false,
		type_changed: false,
		mode_only: false,
		intended_untracked: false,
	},
];

/** A fresh review with this many lenses: none is low, one is medium, four are high. */
export function fresh(lensCount: number, changed_lines = 20): ReviewState {
	return beginLineage({
		lineage_id: "review-1",
		snapshot: SNAPSHOT,
		policy_hash: digest("4"),
		tier: lensCount === 0 ? "low" : lensCount === 1 ? "medium" : "high",
		lenses: lensCount === 1 ? ["review-reliability"] : LENSES.slice(0, lensCount),
		changed_lines,
		correction_budget: Math.ceil(changed_lines / 2),
	});
}

export function capturedSlot(state: ReviewState, lens: Lens, order: number): CapturedSlot {
	return {
		status: "captured",
		artifact: {
			schema: "gentle-ai.review-result-artifact/v2",
			capability: "review.native_result_artifact",
			sha256: digest("5"),
			lineage_id: state.lineage_id,
			target_identity: state.initial_snapshot.identity,
			lens,
			selected_order: order,
			subject_hash: artifactSubjects(state, MANIFEST)[order]?.subject_hash ?? "",
			admission_decision: "completed",
		},
	};
}

/** The view of a review whose first `captured` slots are filled. */
export function view(state: ReviewState, captured = 0, changes: Partial<AuthorityView> = {}): AuthorityView {
	return {
		state,
		revision: stateRevision(state),
		manifest: MANIFEST,
		subjects: artifactSubjects(state, MANIFEST),
		slots: state.selected_lenses.map((lens, order) =>
			order < captured ? capturedSlot(state, lens, order) : { status: "open" },
		),
		to_refute: [],
		evidence: undefined,
		receipt: { status: "absent" },
		repository_context: `rctx1_${"6".repeat(64)}`,
		...changes,
	};
}
