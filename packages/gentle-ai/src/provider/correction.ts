// The corrected candidate: what the repository holds now while a forecast correction is open, as a target of its own.
import type { Lineage } from "../authority/index.ts";
import { intendedUntrackedProof } from "../contract/canonical.ts";
import { readChanges, treeRecords } from "../git/index.ts";
import {
	type CorrectedCandidate,
	correctionTarget,
	isCorrectionConsumed,
	relate,
	validationRequest,
} from "../review/index.ts";
import { assessTarget } from "./assess.ts";
import type { Workplace } from "./caller.ts";
import { freezeTarget, manifestOf, selectorOf } from "./target.ts";

export type Corrected = CorrectedCandidate & {
	/** Where objects that only the corrected candidate has are; undefined when the repository has them all. */
	readonly objects: string | undefined;
	readonly stillHolds: () => Promise<boolean>;
};

/** Undefined while no correction is open, and while the bytes are the frozen ones or leave the frozen scope. */
export async function correctedCandidate(place: Workplace, lineage: Lineage): Promise<Corrected | undefined> {
	const { state, revision } = lineage;
	const open = state.state === "correction_required" && state.correction_forecast !== undefined;
	if (!open || isCorrectionConsumed(state)) return undefined;
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
	return {
		fix,
		actual_lines: measured.changed_lines,
		request: validationRequest(state, revision, fix),
		objects: live.objects,
		stillHolds: live.stillHolds,
	};
}
