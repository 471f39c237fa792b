// The subject of each reviewer slot: exactly what a result must be about, derived from the frozen state alone.
import { manifestDigest, stateRevision, subjectHash } from "../contract/identities.ts";
import type { ArtifactSubject, ManifestEntry, ReviewState } from "../contract/state.ts";
import { openedIn } from "./reopening.ts";

export function artifactSubjects(state: ReviewState, manifest: readonly ManifestEntry[]): ArtifactSubject[] {
	const manifestSha256 = manifestDigest(manifest);
	return state.selected_lenses.map((lens, selected_order) => {
		const subject = {
			schema: "gentle-ai.review-artifact-subject/v2",
			lineage_id: state.lineage_id,
			authority_revision: stateRevision(openedIn(state, selected_order)),
			target_identity: state.initial_snapshot.identity,
			base_tree: state.initial_snapshot.base_tree,
			candidate_tree: state.initial_snapshot.candidate_tree,
			changed_path_manifest_sha256: manifestSha256,
			lens,
			selected_order,
		} as const;
		const { schema, ...rest } = subject;
		return { schema, subject_hash: subjectHash(subject), ...rest };
	});
}
