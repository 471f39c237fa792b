// Handles and references that say nothing about where a thing is, and the digests of the build and of a clone's records.
import { canonicalJson, digestOfJson, type Sha256, sha256, sha256Hex } from "./canonical.ts";
import type { RepositoryLocation, ResultArtifact } from "./state.ts";

export function repositoryIdentity(location: RepositoryLocation): Sha256 {
	return sha256(canonicalJson(location));
}

/** An opaque handle of one revision of one lineage in one repository; says nothing about where that is. */
export function repositoryContextHandle(binding: {
	lineage_id: string;
	target_identity: string;
	revision: string;
	repository_identity: string;
}): string {
	const { lineage_id, target_identity, revision, repository_identity } = binding;
	return `rctx1_${sha256Hex(
		canonicalJson({
			schema: "gentle-ai.review-repository-context/v1",
			lineage_id,
			target_identity,
			revision,
			repository_identity,
		}),
	)}`;
}

export function resultArtifactReference(artifact: Omit<ResultArtifact, "path" | "reference">): string {
	return `rart1_${sha256Hex(
		canonicalJson({
			Schema: artifact.schema,
			Capability: artifact.capability,
			SHA256: artifact.sha256,
			LineageID: artifact.lineage_id,
			TargetIdentity: artifact.target_identity,
			Lens: artifact.lens,
			SubjectHash: artifact.subject_hash,
			SelectedOrder: artifact.selected_order,
			AdmissionDecision: artifact.admission_decision,
		}),
	)}`;
}

export function buildIdentity(build: object): Sha256 {
	return digestOfJson("gentle-ai.review-build-identity/v1", build);
}

export function modeOverrideRevision(record: object): Sha256 {
	return digestOfJson("gentle-ai.rdd-mode-override-digest/v1", { ...record, revision: "" });
}

export function declineReference(record: object): Sha256 {
	return digestOfJson("gentle-ai.rdd-candidate-decline-digest/v1", { ...record, authorization_ref: "" });
}
