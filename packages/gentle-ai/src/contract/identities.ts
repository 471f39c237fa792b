// Every identity on the wire is derived here and in handles.ts, from the canonical bytes of what it names, and nowhere else.
import {
	canonicalJson,
	digestOfJson,
	digestOfValues,
	EMPTY_DIGEST,
	indentedJson,
	lengthPrefixed,
	type Sha256,
	sha256,
} from "./canonical.ts";
import type { PatchSubject } from "./patch.ts";
import type {
	AdmittedFinding,
	ArtifactSubject,
	ManifestEntry,
	ReviewReceipt,
	ReviewState,
	Snapshot,
	VerificationRecord,
} from "./state.ts";

// ---- what Git says ------------------------------------------------------------------------------------------------

export function pathsDigest(paths: readonly string[]): Sha256 {
	return digestOfValues("gentle-ai.paths/v1", paths);
}

/** `record` is the complete `ls-tree -z` record of the path in the candidate, its NUL included. */
export function intendedUntrackedProof(entries: readonly { path: string; record: string }[]): Sha256 {
	return digestOfValues(
		"gentle-ai.intended-untracked/v1",
		entries.flatMap(({ path, record }) => [path, record]),
	);
}

/** The inventory's own domain is length-prefixed like its values. */
export function untrackedInventoryDigest(paths: readonly string[]): Sha256 {
	return sha256(["gentle-ai.intended-untracked-inventory/v1", ...paths].map(lengthPrefixed).join(""));
}

export function targetIdentity(
	target: Pick<Snapshot, "kind" | "projection" | "base_tree" | "candidate_tree" | "paths_digest" | "ledger_ids">,
): Sha256 {
	const staged = target.projection === "staged";
	const domain =
		target.kind === "base-workspace-overlay"
			? "gentle-ai.review-snapshot/base-workspace-overlay/v2"
			: `gentle-ai.review-snapshot/${staged ? "v4" : "v3"}`;
	return digestOfValues(domain, [
		target.kind,
		...(staged ? ["staged"] : []),
		target.base_tree,
		target.candidate_tree,
		target.paths_digest,
		...(target.ledger_ids ?? []),
	]);
}

export function manifestDigest(manifest: readonly ManifestEntry[]): Sha256 {
	return digestOfJson("gentle-ai.review-changed-path-manifest/v1", manifest);
}

export function fixDeltaHash(
	fix: Pick<Snapshot, "base_tree" | "candidate_tree" | "paths_digest" | "intended_untracked_proof" | "ledger_ids">,
): Sha256 {
	return digestOfValues("gentle-ai.fix-delta/v1", [
		fix.base_tree,
		fix.candidate_tree,
		fix.paths_digest,
		fix.intended_untracked_proof,
		...(fix.ledger_ids ?? []),
	]);
}

// ---- what is kept -------------------------------------------------------------------------------------------------

/** The name of one version of a lineage: changes exactly when its state does. */
export function stateRevision(state: ReviewState): Sha256 {
	return digestOfJson("gentle-ai.review-state/v2", state);
}

export function lensResultHash(result: {
	lens: string;
	findings: readonly AdmittedFinding[];
	evidence: readonly string[];
}): Sha256 {
	return digestOfJson("gentle-ai.lens-result/v1", result);
}

export function ledgerHash(findings: readonly AdmittedFinding[]): Sha256 {
	if (findings.length === 0) return EMPTY_DIGEST;
	const rows = findings.map(({ id, lens, location, severity, claim, proof_refs }) => ({
		id,
		lens,
		location,
		severity,
		claim,
		proof_refs,
	}));
	return sha256(canonicalJson({ schema: "gentle-ai.review-ledger/v1", findings: rows }));
}

/** The bytes whose digest stands for "this low-risk candidate was verified by structure alone". */
export function nativeLowRiskEvidence(
	state: ReviewState,
	risk: { level: "low"; changed_lines: number; reasons: readonly object[] },
): string {
	const domain = "gentle-ai.native-low-risk-verification/v1";
	return `${domain}\0${canonicalJson({
		schema: domain,
		lineage_id: state.lineage_id,
		generation: state.generation,
		snapshot: state.current_snapshot,
		policy_hash: state.policy_hash,
		risk,
		selected_lenses: state.selected_lenses,
		correction_budget: state.correction_budget,
		original_changed_lines: state.original_changed_lines,
		fix_delta_hash: state.fix_delta_hash,
	})}`;
}

/** The exact bytes of a published receipt; their SHA-256 is the receipt's identity. */
export function receiptBytes(receipt: ReviewReceipt): string {
	return indentedJson(receipt);
}

export function verificationRecordDigest(record: Omit<VerificationRecord, "record_digest">): Sha256 {
	return digestOfJson("gentle-ai.review-verification-evidence-record/v2", { ...record, record_digest: "" });
}

// ---- what is exchanged --------------------------------------------------------------------------------------------

/** The subject's own hash: version 2 binds the two trees, version 1 the digest of the candidate diff. */
export function subjectHash(
	subject: Omit<ArtifactSubject, "subject_hash"> | Omit<PatchSubject, "subject_hash">,
): Sha256 {
	return digestOfJson(subject.schema, subject);
}

export function correctionPlanRequestHash(request: object): Sha256 {
	return digestOfJson("gentle-ai.review-correction-plan-request/v1", request);
}

export function targetedValidationRequestHash(request: object): Sha256 {
	return digestOfJson("gentle-ai.review-targeted-validation-request/v1", request);
}

/** What stands in the state for a validator's check: its verdict and its evidence. */
export function validationCheckHash(
	check: "original-criteria" | "correction-regression",
	value: { readonly passed: boolean; readonly evidence: readonly string[] },
): Sha256 {
	return digestOfJson(`gentle-ai.facade-${check}/v1`, { passed: value.passed, evidence: value.evidence });
}

/** The exact bytes of an incident file. */
export function incidentBytes(incident: object): string {
	return `${canonicalJson(incident)}\n`;
}

export function finalizeInputDigest(kind: string, value: unknown): Sha256 {
	return digestOfJson(`gentle-ai.finalize-input/${kind}`, value);
}

export function finalizeReplayDigest(request: object): Sha256 {
	return digestOfJson("gentle-ai.facade-finalize-replay-request/v1", request);
}

/** The exact bytes of a stored admitted result. */
export function envelopeBytes(envelope: object): string {
	return `${canonicalJson(envelope)}\n`;
}
