// The reviewer transport of contract v1: the candidate as one patch. Its subjects bind the digest of that patch where
// those of contract v2 bind the two trees; everything else about a slot is the same.
import { type Sha256, sha256 } from "./canonical.ts";
import { subjectHash } from "./identities.ts";
import type { PatchSubject } from "./patch-schemas.ts";
import type { ArtifactSubject } from "./state.ts";

export type { PatchSubject } from "./patch-schemas.ts";

/** The exact bytes of the candidate's patch, and their digest. */
export type CandidateDiff = { readonly bytes: Uint8Array; readonly sha256: Sha256 };

export function candidateDiffOf(bytes: Uint8Array): CandidateDiff {
	return { bytes, sha256: sha256(bytes) };
}

/** The same slot, bound to a patch. */
export function patchSubject(subject: ArtifactSubject, diffSha256: Sha256): PatchSubject {
	const { lineage_id, authority_revision, target_identity, correction_target_identity } = subject;
	const bound = {
		schema: "gentle-ai.review-artifact-subject/v1",
		lineage_id,
		authority_revision,
		target_identity,
		candidate_diff_sha256: diffSha256,
		changed_path_manifest_sha256: subject.changed_path_manifest_sha256,
		lens: subject.lens,
		selected_order: subject.selected_order,
		...(correction_target_identity !== undefined && { correction_target_identity }),
	} as const;
	const { schema, ...rest } = bound;
	return { schema, subject_hash: subjectHash(bound), ...rest };
}
