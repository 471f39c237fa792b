// The corrected candidate: what the repository holds now while a forecast correction is open, as a target of its own.
import type { Lineage } from "../authority/index.ts";
import { intendedUntrackedProof } from "../contract/identities.ts";
import { readChanges, treeRecords } from "../git/index.ts";
import {
	type CorrectedCandidate,
	correctionTarget,
	isCorrectionExhausted,
	relate,
	validationRequest,
} from "../review/index.ts";
import { assessTarget } from "./assess.ts";
import type { Workplace } from "./caller.ts";
import { type FrozenTarget, freezeTarget, manifestOf, selectorOf } from "./target.ts";

export type LiveCorrection = CorrectedCandidate & {
	/** The whole corrected candidate on the frozen base. */
	readonly live: FrozenTarget;
};

/** The live bytes of a lineage that may still be corrected; undefined while they are the frozen ones or leave their scope. */
export async function liveCorrection(place: Workplace, lineage: Lineage): Promise<LiveCorrection | undefined> {
	const { state, revision } = lineage;
	if (state.state !== "correction_required" || isCorrectionExhausted(state)) return undefined;
	const { session, repository } = place;
	const { initial_snapshot } = state;
	const live = await freezeTarget(place, selectorOf(initial_snapshot));
	if (relate(state, live.snapshot).kind !== "correction") return undefined;
	const { candidate_tree } = live.snapshot;
	const changes = await readChanges(session, repository, initial_snapshot.candidate_tree, candidate_tree, live.objects);
	const records = await treeRecords(
		session,
		repository,
		candidate_tree,
		live.objects,
		initial_snapshot.intended_untracked,
	);
	const fix = correctionTarget(state, {
		candidate_tree,
		paths: changes.map(({ path }) => path),
		intended_untracked_proof: intendedUntrackedProof(records),
	});
	const measured = await assessTarget(place, { changes, manifest: manifestOf(changes, []), objects: live.objects });
	return { fix, actual_lines: measured.changed_lines, request: validationRequest(state, revision, fix), live };
}

/** The corrected candidate of a forecast correction. */
export async function correctedCandidate(place: Workplace, lineage: Lineage): Promise<LiveCorrection | undefined> {
	return lineage.state.correction_forecast === undefined ? undefined : liveCorrection(place, lineage);
}
