// What is kept and asked of verification: the record of evidence, the request to a validator, the incident of a retry.
import type { Static } from "typebox";
import * as Type from "typebox";
import { LIMITS } from "./limits.ts";
import { closed, LineageIdSchema, NonEmpty, Paths, Sha256Schema, TreeSchema } from "./scalar-schemas.ts";
import { PROJECTIONS, VERIFICATION_OUTCOMES } from "./vocabulary.ts";

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
