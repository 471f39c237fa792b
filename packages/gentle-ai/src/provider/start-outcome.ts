// What START answers about a lineage, and the patch that it shows under the contract that transports one.
import { type Lineage, publishContext } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import type { StartOutcome } from "../contract/model.ts";
import type { CandidateDiff } from "../contract/patch.ts";
import { candidateDiff } from "../git/index.ts";
import { artifactSubjects } from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import { frozenDiff } from "./slots.ts";
import type { FrozenTarget } from "./target.ts";

export function startOutcome(place: Workplace, lineage: Lineage, action: StartOutcome["action"]): StartOutcome {
	const { state, revision, frozen } = lineage;
	const open = (action === "created" || action === "resumed") && state.state === "reviewing";
	const binding = { lineage_id: state.lineage_id, target_identity: state.initial_snapshot.identity, revision };
	return {
		action,
		lineage_id: state.lineage_id,
		state: state.state,
		risk_level: state.risk_level,
		selected_lenses: state.selected_lenses,
		target: state.initial_snapshot,
		changed_lines: state.original_changed_lines,
		correction_budget: state.correction_budget,
		risk_reasons: frozen.risk_reasons,
		manifest: frozen.manifest,
		subjects: artifactSubjects(state, frozen.manifest),
		...(open && {
			context: {
				handle: publishContext(place.caller.home, place.repository.location, binding),
				revision,
				target_identity: binding.target_identity,
			},
		}),
	};
}

export function targetDiff(place: Workplace, { snapshot, objects }: FrozenTarget): Promise<CandidateDiff> {
	return candidateDiff(place.session, place.repository, snapshot.base_tree, snapshot.candidate_tree, objects);
}

/** The patch of what the lineage froze; that is another one when the live target is its correction. */
export async function lineageDiff(
	place: Workplace,
	lineage: Lineage,
	{ snapshot }: FrozenTarget,
	diff: CandidateDiff | undefined,
): Promise<CandidateDiff> {
	const { base_tree, candidate_tree } = lineage.state.initial_snapshot;
	const same = base_tree === snapshot.base_tree && candidate_tree === snapshot.candidate_tree;
	if (same && diff !== undefined) return diff;
	try {
		return await frozenDiff(place, lineage);
	} catch (error) {
		// The review is there: its name is what the caller needs to go on.
		if (error instanceof ReviewError)
			throw new ReviewError(error.code, { ...error.detail, lineage: lineage.lineage_id });
		throw error;
	}
}
