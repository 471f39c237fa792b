// What is kept of reviewers: the subject that was asked for, the admitted result, and its artifact.
import type { Static } from "typebox";
import * as Type from "typebox";
import { PATTERNS } from "./limits.ts";
import type { AdmittedPatchResult } from "./patch-schemas.ts";
import { closed, LineageIdSchema, NonEmpty, Sha256Schema, TreeSchema } from "./scalar-schemas.ts";
import { CAUSAL_DISPOSITIONS, EVIDENCE_CLASSES, LENSES, SEVERITIES, SHORT_LENSES } from "./vocabulary.ts";

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
