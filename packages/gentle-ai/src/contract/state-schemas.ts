// What is kept: the stored shapes and their field order, as schemas. Only what checks, compiles or publishes them imports
// this file; their types are in state.ts.
import type { Static } from "typebox";
import * as Type from "typebox";
import type { AdmittedPatchResult } from "./patch-schemas.ts";
import {
	ACTION_DISPOSITIONS,
	CAUSAL_DISPOSITIONS,
	EVIDENCE_CLASSES,
	FINDING_OUTCOMES,
	LENSES,
	LIMITS,
	MANIFEST_STATUSES,
	PATTERNS,
	PROJECTIONS,
	RISK_CODES,
	RISK_SIGNALS,
	SEVERITIES,
	SHORT_LENSES,
	STATES,
	TARGET_KINDS,
	TIERS,
	VERIFICATION_OUTCOMES,
} from "./vocabulary.ts";

const closed = { additionalProperties: false } as const;

export const Sha256Schema = Type.String({ pattern: PATTERNS.sha256 });
export const TreeSchema = Type.String({ pattern: PATTERNS.tree });
export const LineageIdSchema = Type.String({ pattern: PATTERNS.lineage, maxLength: LIMITS.lineageIdBytes });
export const NonEmpty = Type.String({ minLength: 1 });
const Paths = Type.Array(NonEmpty);
const Count = Type.Integer({ minimum: 0 });

export const ManifestEntrySchema = Type.Object(
	{
		path: NonEmpty,
		status: Type.Enum(MANIFEST_STATUSES),
		old_mode: Type.String({ pattern: PATTERNS.mode }),
		new_mode: Type.String({ pattern: PATTERNS.mode }),
		deleted: Type.Boolean(),
		type_changed: Type.Boolean(),
		mode_only: Type.Boolean(),
		intended_untracked: Type.Boolean(),
	},
	closed,
);
export type ManifestEntry = Readonly<Static<typeof ManifestEntrySchema>>;

export const RiskReasonSchema = Type.Object(
	{
		code: Type.Enum(RISK_CODES),
		signal: Type.Optional(Type.Enum(RISK_SIGNALS)),
		path: Type.Optional(NonEmpty),
		old_mode: Type.Optional(Type.String({ pattern: PATTERNS.mode })),
		new_mode: Type.Optional(Type.String({ pattern: PATTERNS.mode })),
	},
	closed,
);
export type RiskReason = Readonly<Static<typeof RiskReasonSchema>>;

/** One frozen target. `projection` is written only when it is `staged`, `ledger_ids` only for a correction. */
export const SnapshotSchema = Type.Object(
	{
		kind: Type.Enum(TARGET_KINDS),
		projection: Type.Optional(Type.Enum(PROJECTIONS)),
		base_tree: TreeSchema,
		candidate_tree: TreeSchema,
		paths_digest: Sha256Schema,
		intended_untracked: Paths,
		intended_untracked_proof: Sha256Schema,
		paths: Paths,
		ledger_ids: Type.Optional(Type.Array(NonEmpty)),
		identity: Sha256Schema,
	},
	closed,
);
export type Snapshot = Readonly<Static<typeof SnapshotSchema>>;

export const AdmittedFindingSchema = Type.Object(
	{
		id: Type.String({ pattern: PATTERNS.findingId }),
		lens: Type.Enum(SHORT_LENSES),
		location: Type.String(),
		severity: Type.Enum(SEVERITIES),
		claim: NonEmpty,
		proof_refs: Type.Array(NonEmpty, { minItems: 1 }),
		evidence_class: Type.Optional(Type.Enum(EVIDENCE_CLASSES)),
		causal_disposition: Type.Optional(Type.Enum(CAUSAL_DISPOSITIONS)),
	},
	closed,
);
export type AdmittedFinding = Readonly<Static<typeof AdmittedFindingSchema>>;

export const LensResultSchema = Type.Object(
	{
		lens: Type.Enum(LENSES),
		findings: Type.Array(AdmittedFindingSchema),
		evidence: Type.Array(NonEmpty, { minItems: 1 }),
	},
	closed,
);
export type LensResult = Readonly<Static<typeof LensResultSchema>>;

/** A lens result as the state keeps it: the findings are kept once, in `findings`. */
const StoredLensResultSchema = Type.Object(
	{ lens: Type.Enum(LENSES), evidence: Type.Array(NonEmpty, { minItems: 1 }), result_hash: Sha256Schema },
	closed,
);

const ClassificationSchema = Type.Object(
	{
		evidence_class: Type.Enum(EVIDENCE_CLASSES),
		causal_disposition: Type.Enum(CAUSAL_DISPOSITIONS),
		proof_refs: Type.Array(NonEmpty, { minItems: 1 }),
	},
	closed,
);
export type Classification = Readonly<Static<typeof ClassificationSchema>>;

const FollowUpSchema = Type.Object(
	{ observation: NonEmpty, proof_refs: Type.Array(NonEmpty, { minItems: 1 }) },
	closed,
);
export type FollowUp = Readonly<Static<typeof FollowUpSchema>>;

const CheckSchema = Type.Object({ passed: Type.Boolean(), evidence_hash: Sha256Schema }, closed);

/** The one correction of a lineage: what was corrected, what it cost, and what the validator said about it. */
const CorrectionAttemptSchema = Type.Object(
	{
		fix_snapshot: SnapshotSchema,
		validation_request_hash: Sha256Schema,
		actual_lines: Count,
		original_criteria: CheckSchema,
		correction_regression: CheckSchema,
	},
	closed,
);
export type CorrectionAttempt = Readonly<Static<typeof CorrectionAttemptSchema>>;

/** The predecessor that this lineage continues, and who wanted it. */
const RecoverySchema = Type.Object(
	{
		predecessor_lineage_id: LineageIdSchema,
		predecessor_revision: Sha256Schema,
		disposition: Type.Enum(ACTION_DISPOSITIONS),
		reason: NonEmpty,
		actor: NonEmpty,
		recovered_at: NonEmpty,
		maintainer_authorization: Type.Optional(NonEmpty),
		/** Only after a final-verification retry: the incident that it answers. */
		incident_digest: Type.Optional(Sha256Schema),
		/** Only when the predecessor's review and correction were taken over without a change. */
		imported_evidence: Type.Optional(Type.Literal(true)),
	},
	closed,
);
export type Recovery = Readonly<Static<typeof RecoverySchema>>;

const ReopeningSchema = Type.Object(
	{
		previous_revision: Sha256Schema,
		quarantined: Type.Array(NonEmpty, { minItems: 1 }),
		retained: Type.Array(NonEmpty),
		authorized_lenses: Type.Optional(Type.Array(Type.Enum(LENSES), { minItems: 1 })),
		actor: NonEmpty,
		reason: NonEmpty,
	},
	closed,
);
export type Reopening = Readonly<Static<typeof ReopeningSchema>>;

export const ReviewStateSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-state/v2"),
		lineage_id: LineageIdSchema,
		generation: Type.Integer({ minimum: 1 }),
		state: Type.Enum(STATES),
		initial_snapshot: SnapshotSchema,
		current_snapshot: SnapshotSchema,
		genesis_paths: Paths,
		policy_hash: Sha256Schema,
		risk_level: Type.Enum(TIERS),
		selected_lenses: Type.Array(Type.Enum(LENSES), { maxItems: 4, uniqueItems: true }),
		original_changed_lines: Count,
		correction_budget: Type.Integer({ minimum: 0, maximum: LIMITS.correctionBudget }),
		lens_results: Type.Array(StoredLensResultSchema),
		findings: Type.Array(AdmittedFindingSchema),
		classifications: Type.Record(Type.String(), ClassificationSchema),
		outcomes: Type.Record(Type.String(), Type.Enum(FINDING_OUTCOMES)),
		fix_finding_ids: Type.Array(Type.String({ pattern: PATTERNS.findingId })),
		follow_ups: Type.Array(FollowUpSchema),
		correction_forecast: Type.Optional(Type.Integer({ minimum: 1 })),
		/** At most one attempt belongs to a lineage; a successor inherits that of its predecessor. */
		correction_attempt: Type.Optional(CorrectionAttemptSchema),
		correction_attempt_inherited: Type.Optional(Type.Literal(true)),
		fix_delta_hash: Sha256Schema,
		evidence_hash: Type.Optional(Sha256Schema),
		evidence_record_digest: Type.Optional(Sha256Schema),
		evidence_outcome: Type.Optional(Type.Enum(VERIFICATION_OUTCOMES)),
		evidence_target_identity: Type.Optional(Sha256Schema),
		evidence_authority_revision: Type.Optional(Sha256Schema),
		reopenings: Type.Optional(Type.Array(ReopeningSchema, { minItems: 1 })),
		recovery: Type.Optional(RecoverySchema),
		/** Why an invalidated lineage was given up. */
		invalidation: Type.Optional(NonEmpty),
	},
	closed,
);
export type ReviewState = Readonly<Static<typeof ReviewStateSchema>>;

export const ReviewReceiptSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-receipt/v2"),
		lineage_id: LineageIdSchema,
		projection: Type.Optional(Type.Literal("staged")),
		generation: Type.Integer({ minimum: 1 }),
		base_tree: TreeSchema,
		initial_review_tree: TreeSchema,
		final_candidate_tree: TreeSchema,
		paths_digest: Sha256Schema,
		fix_delta_hash: Sha256Schema,
		policy_hash: Sha256Schema,
		evidence_hash: Sha256Schema,
		evidence_record_digest: Type.Optional(Sha256Schema),
		evidence_outcome: Type.Optional(Type.Enum(VERIFICATION_OUTCOMES)),
		evidence_target_identity: Type.Optional(Sha256Schema),
		evidence_authority_revision: Type.Optional(Sha256Schema),
		risk_level: Type.Enum(TIERS),
		selected_lenses: Type.Array(Type.Enum(LENSES), { maxItems: 4, uniqueItems: true }),
		resolved_finding_ids: Type.Union([Type.Array(NonEmpty, { minItems: 1 }), Type.Null()]),
		terminal_state: Type.Enum(["approved", "escalated"]),
	},
	closed,
);
export type ReviewReceipt = Readonly<Static<typeof ReviewReceiptSchema>>;

export const VerificationRecordSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-verification-evidence/v2"),
		version: Type.Literal(2),
		lineage_id: LineageIdSchema,
		authority_revision: Sha256Schema,
		target_identity: Sha256Schema,
		candidate_tree: TreeSchema,
		paths_digest: Sha256Schema,
		paths: Paths,
		ledger_ids: Type.Array(NonEmpty),
		raw_payload_sha256: Sha256Schema,
		raw_payload_bytes: Type.Integer({ minimum: 1, maximum: LIMITS.verificationPayloadBytes }),
		outcome: Type.Enum(VERIFICATION_OUTCOMES),
		record_digest: Sha256Schema,
	},
	closed,
);
export type VerificationRecord = Readonly<Static<typeof VerificationRecordSchema>>;

export const ArtifactSubjectSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-artifact-subject/v2"),
		subject_hash: Sha256Schema,
		lineage_id: LineageIdSchema,
		authority_revision: Sha256Schema,
		target_identity: Sha256Schema,
		base_tree: TreeSchema,
		candidate_tree: TreeSchema,
		changed_path_manifest_sha256: Sha256Schema,
		lens: Type.Enum(LENSES),
		selected_order: Type.Integer({ minimum: 0, maximum: 3 }),
		correction_target_identity: Type.Optional(Sha256Schema),
	},
	closed,
);
export type ArtifactSubject = Readonly<Static<typeof ArtifactSubjectSchema>>;

export const AdmissionSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-artifact-admission/v1"),
		decision: Type.Literal("completed"),
		subject_hash: Sha256Schema,
		raw_sha256: Sha256Schema,
		canonical_sha256: Sha256Schema,
		result_hash: Sha256Schema,
		candidate_causal_finding_ids: Type.Array(Type.String({ pattern: PATTERNS.findingId }), { uniqueItems: true }),
	},
	closed,
);

export const AdmittedResultSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-admitted-result/v2"),
		subject: ArtifactSubjectSchema,
		admission: AdmissionSchema,
		result: LensResultSchema,
	},
	closed,
);
/** Stored under the transport that the reviewer was asked through. */
export type AdmittedResult = Readonly<Static<typeof AdmittedResultSchema>> | AdmittedPatchResult;

export const ResultArtifactSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-result-artifact/v2"),
		capability: Type.Literal("review.native_result_artifact"),
		path: Type.Optional(NonEmpty),
		reference: Type.Optional(Type.String({ pattern: PATTERNS.artifactReference })),
		sha256: Sha256Schema,
		lineage_id: LineageIdSchema,
		target_identity: Sha256Schema,
		lens: Type.Enum(LENSES),
		selected_order: Type.Integer({ minimum: 0, maximum: 3 }),
		subject_hash: Sha256Schema,
		admission_decision: Type.Literal("completed"),
	},
	// Named by a path of this machine, or by an opaque reference; never by both.
	{ ...closed, oneOf: [{ required: ["path"] }, { required: ["reference"] }] },
);
export type ResultArtifact = Readonly<Static<typeof ResultArtifactSchema>>;

/** What a targeted validator must look at: the corrected bytes, and the findings that they must have resolved. */
export const TargetedValidationRequestSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-targeted-validation-request/v1"),
		request_hash: Sha256Schema,
		lineage_id: LineageIdSchema,
		expected_revision: Sha256Schema,
		target_identity: Sha256Schema,
		fix_finding_ids: Type.Array(NonEmpty, { minItems: 1, uniqueItems: true }),
		projection: Type.Enum(PROJECTIONS),
		correction_candidate_tree: TreeSchema,
		correction_target_identity: Sha256Schema,
		correction_paths: Type.Array(NonEmpty, { minItems: 1, uniqueItems: true }),
		correction_paths_digest: Sha256Schema,
	},
	closed,
);
export type TargetedValidationRequest = Readonly<Static<typeof TargetedValidationRequestSchema>>;

/** The exact incident that a final-verification retry answers; the file's own canonical bytes are its identity. */
export const FinalVerificationIncidentSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-final-verification-incident/v1"),
		class: Type.Literal("procedural_tooling_failure"),
		lineage_id: LineageIdSchema,
		terminal_revision: Sha256Schema,
		validating_revision: Sha256Schema,
		target_identity: Sha256Schema,
		failed_evidence_hash: Sha256Schema,
		finalize_request_digest: Sha256Schema,
	},
	closed,
);
export type FinalVerificationIncident = Readonly<Static<typeof FinalVerificationIncidentSchema>>;

/** The facts that START froze beside the state: derived once from Git, never re-derived for a wire answer. */
export const FrozenFactsSchema = Type.Object(
	{
		manifest: Type.Array(ManifestEntrySchema),
		risk_reasons: Type.Array(RiskReasonSchema, { minItems: 1 }),
		unborn_head: Type.Boolean(),
		/** Changed paths whose bytes a clean filter of the user's wrote, each with the filter's name. */
		filters: Type.Optional(Type.Array(Type.Object({ path: NonEmpty, filter: NonEmpty }, closed), { minItems: 1 })),
	},
	closed,
);
export type FrozenFacts = Readonly<Static<typeof FrozenFactsSchema>>;
