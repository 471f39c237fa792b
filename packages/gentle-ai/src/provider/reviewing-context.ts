// The opaque context of a revision that reviewers may answer: written by whatever led to it, so that they can do so from
// anywhere.
import { type Lineage, publishContext } from "../authority/index.ts";
import type { Workplace } from "./caller.ts";

export function publishReviewing({ caller, repository }: Workplace, { state, revision }: Lineage): void {
	if (state.state !== "reviewing") return;
	publishContext(caller.home, repository.location, {
		lineage_id: state.lineage_id,
		target_identity: state.initial_snapshot.identity,
		revision,
	});
}
