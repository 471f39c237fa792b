// The product's own derivation for every published vector, by the domain that the vector names.
import { EMPTY_DIGEST, sha256 } from "../../packages/gentle-ai/src/contract/canonical.ts";
import {
	buildIdentity,
	declineReference,
	modeOverrideRevision,
	repositoryContextHandle,
	repositoryIdentity,
	resultArtifactReference,
} from "../../packages/gentle-ai/src/contract/handles.ts";
import {
	correctionPlanRequestHash,
	finalizeInputDigest,
	finalizeReplayDigest,
	fixDeltaHash,
	incidentBytes,
	intendedUntrackedProof,
	ledgerHash,
	lensResultHash,
	manifestDigest,
	nativeLowRiskEvidence,
	pathsDigest,
	receiptBytes,
	stateRevision,
	subjectHash,
	targetedValidationRequestHash,
	targetIdentity,
	untrackedInventoryDigest,
	validationCheckHash,
	verificationRecordDigest,
} from "../../packages/gentle-ai/src/contract/identities.ts";
import { candidateDiffOf, type PatchSubject } from "../../packages/gentle-ai/src/contract/patch.ts";
import type {
	AdmittedFinding,
	ArtifactSubject,
	LensResult,
	ManifestEntry,
	RepositoryLocation,
	ReviewReceipt,
	ReviewState,
	VerificationRecord,
} from "../../packages/gentle-ai/src/contract/state.ts";
import {
	abandonAuthorization,
	recoveryAuthorization,
	reopenAuthorization,
	retryAuthorization,
} from "../../packages/gentle-ai/src/review/index.ts";
import {
	type Check,
	type Derive,
	type LowRisk,
	lowRiskState,
	payload,
	targetOf,
	textOf,
	valuesOf,
	word,
} from "./vector-input.ts";

const finalizeInput: Derive = (input) => {
	const kind = String(input.domain).slice("gentle-ai.finalize-input/".length);
	return finalizeInputDigest(kind, input.value);
};

const diffDigest: Derive = (input) => candidateDiffOf(Buffer.from(input.base64 as string, "base64")).sha256;

/** The published lines of an authorization, taken apart into its facts and written by the product again. */
function authorization(write: (facts: never) => string): Derive {
	return (input) => {
		const rows = (input.lines as string[]).slice(1).map((line) => line.split(/=(.*)/s).slice(0, 2));
		return sha256(write(Object.fromEntries(rows) as never));
	};
}

/** The same where some lines hold a list. */
function listed(write: (facts: never) => string, ...lists: readonly string[]): Derive {
	return (input) => {
		const rows = (input.lines as string[]).slice(1).map((line) => {
			const [key = "", value = ""] = line.split(/=(.*)/s);
			return [key, lists.includes(key) ? value.split(",").filter((each) => each !== "") : value];
		});
		return sha256(write(Object.fromEntries(rows) as never));
	};
}

/** By the domain of the preimage, or by `file: name` where the preimage has none. */
export const DERIVED: Readonly<Record<string, Derive>> = {
	"gentle-ai.paths/v1": (input) => pathsDigest(valuesOf(input)),
	"gentle-ai.intended-untracked/v1": (input) => {
		const values = valuesOf(input);
		const entries = values.flatMap((path, index) =>
			index % 2 === 0 ? [{ path, record: word(values, index + 1) }] : [],
		);
		return intendedUntrackedProof(entries);
	},
	"gentle-ai.review-snapshot/v3": (input) => targetIdentity(targetOf(input)),
	"gentle-ai.review-snapshot/v4": (input) => targetIdentity(targetOf(input)),
	"gentle-ai.review-snapshot/base-workspace-overlay/v2": (input) => targetIdentity(targetOf(input)),
	"gentle-ai.fix-delta/v1": (input) => {
		const values = valuesOf(input);
		return fixDeltaHash({
			base_tree: word(values, 0),
			candidate_tree: word(values, 1),
			paths_digest: word(values, 2),
			intended_untracked_proof: word(values, 3),
			ledger_ids: values.slice(4),
		});
	},
	"snapshot.json: untracked inventory digest": (input) => untrackedInventoryDigest(valuesOf(input).slice(1)),
	"snapshot.json: fix_delta_hash without correction": () => EMPTY_DIGEST,
	"gentle-ai.review-changed-path-manifest/v1": (input) => manifestDigest(payload<ManifestEntry[]>(input)),
	"artifact-subjects.json: candidate_diff_sha256 v1/fixtures/start-v2.fixture.json": diffDigest,
	"artifact-subjects.json: candidate_diff_sha256 v1/fixtures/status-v2.fixture.json": diffDigest,
	"gentle-ai.review-artifact-subject/v1": (input) => subjectHash(payload<PatchSubject>(input)),
	"gentle-ai.review-artifact-subject/v2": (input) => subjectHash(payload<ArtifactSubject>(input)),
	"gentle-ai.review-state/v2": (input) => stateRevision(payload<ReviewState>(input)),
	"gentle-ai.lens-result/v1": (input) => lensResultHash(payload<LensResult>(input)),
	"authority.json: ledger_hash": (input) => {
		const { findings } = payload<{ findings: AdmittedFinding[] }>(input);
		// What admission adds is no part of the ledger.
		const admitted = findings.map((finding) => ({
			...finding,
			evidence_class: "deterministic" as const,
			causal_disposition: "introduced" as const,
		}));
		return ledgerHash(admitted);
	},
	"gentle-ai.native-low-risk-verification/v1": (input) => {
		const low = payload<LowRisk>(input);
		return sha256(nativeLowRiskEvidence(lowRiskState(low), low.risk));
	},
	"authority.json: receipt identity (bytes on disk)": (input) => sha256(receiptBytes(payload<ReviewReceipt>(input))),
	"handles.json: repository identity": (input) => repositoryIdentity(payload<RepositoryLocation>(input)),
	"handles.json: rctx1 handle": (input) =>
		repositoryContextHandle(payload<Parameters<typeof repositoryContextHandle>[0]>(input)),
	"handles.json: rart1 reference": (input) => {
		const value = payload<Record<string, string>>(input);
		const artifact = {
			schema: value.Schema,
			capability: value.Capability,
			sha256: value.SHA256,
			lineage_id: value.LineageID,
			target_identity: value.TargetIdentity,
			lens: value.Lens,
			selected_order: value.SelectedOrder,
			subject_hash: value.SubjectHash,
			admission_decision: value.AdmissionDecision,
		};
		return resultArtifactReference(artifact as unknown as Parameters<typeof resultArtifactReference>[0]);
	},
	"gentle-ai.review-correction-plan-request/v1": (input) => correctionPlanRequestHash(payload<object>(input)),
	"requests.json: verification evidence raw payload": (input) => sha256(textOf(input)),
	"requests.json: admission raw_sha256": (input) => sha256(Buffer.from(textOf(input))),
	"gentle-ai.review-verification-evidence-record/v2": (input) => {
		const { record_digest: _, ...record } = payload<VerificationRecord>(input);
		return verificationRecordDigest(record);
	},
	"gentle-ai.review-targeted-validation-request/v1": (input) => targetedValidationRequestHash(payload<object>(input)),
	"gentle-ai.facade-original-criteria/v1": (input) => validationCheckHash("original-criteria", payload<Check>(input)),
	"gentle-ai.facade-correction-regression/v1": (input) =>
		validationCheckHash("correction-regression", payload<Check>(input)),
	"requests.json: incident_digest": (input) => sha256(incidentBytes(payload<object>(input))),
	"authorizations.json: recovery authorization": authorization(recoveryAuthorization),
	"authorizations.json: recovery authorization with successor (selector-scoped recovery)":
		authorization(recoveryAuthorization),
	"authorizations.json: final-verification retry authorization": authorization(retryAuthorization),
	"authorizations.json: abandon authorization v1 (six lines, seed 000 revision)": authorization(abandonAuthorization),
	"authorizations.json: incomplete-inspection abandon authorization v1 (seven lines, seed 000 revision)": listed(
		abandonAuthorization,
		"captured_lenses",
	),
	"authorizations.json: result reopen authorization": listed(
		reopenAuthorization,
		"quarantined",
		"retained",
		"authorized_lenses",
	),
	"gentle-ai.finalize-input/candidate": finalizeInput,
	"gentle-ai.finalize-input/reviewer-results": finalizeInput,
	"gentle-ai.finalize-input/correction-forecast": finalizeInput,
	"gentle-ai.finalize-input/validation": finalizeInput,
	"gentle-ai.finalize-input/refuter": finalizeInput,
	"gentle-ai.finalize-input/evidence": finalizeInput,
	"gentle-ai.finalize-input/failed": finalizeInput,
	"gentle-ai.finalize-input/request": finalizeInput,
	"gentle-ai.facade-finalize-replay-request/v1": (input) => finalizeReplayDigest(payload<object>(input)),
	"gentle-ai.rdd-candidate-decline-digest/v1": (input) => declineReference(payload<object>(input)),
	"gentle-ai.rdd-mode-override-digest/v1": (input) => modeOverrideRevision(payload<object>(input)),
	"gentle-ai.review-build-identity/v1": (input) => buildIdentity(payload<object>(input)),
};
