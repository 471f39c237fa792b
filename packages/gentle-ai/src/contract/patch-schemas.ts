// The stored shapes of the patch transport. Its subjects bind the digest of the patch where others bind the two trees.
import type { Static } from "typebox";
import * as Type from "typebox";
import { AdmissionSchema, AdmittedResultSchema, LensResultSchema } from "./result-schemas.ts";
import { LineageIdSchema, Sha256Schema } from "./scalar-schemas.ts";
import { LENSES } from "./vocabulary.ts";

const closed = { additionalProperties: false } as const;

export const PatchSubjectSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-artifact-subject/v1"),
		subject_hash: Sha256Schema,
		lineage_id: LineageIdSchema,
		authority_revision: Sha256Schema,
		target_identity: Sha256Schema,
		candidate_diff_sha256: Sha256Schema,
		changed_path_manifest_sha256: Sha256Schema,
		lens: Type.Enum(LENSES),
		selected_order: Type.Integer({ minimum: 0, maximum: 3 }),
		correction_target_identity: Type.Optional(Sha256Schema),
	},
	closed,
);
export type PatchSubject = Readonly<Static<typeof PatchSubjectSchema>>;

export const AdmittedPatchResultSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-admitted-result/v1"),
		subject: PatchSubjectSchema,
		admission: AdmissionSchema,
		result: LensResultSchema,
	},
	closed,
);
export type AdmittedPatchResult = Readonly<Static<typeof AdmittedPatchResultSchema>>;

/** What a slot may hold, under either transport. */
export const StoredEnvelopeSchema = Type.Union([AdmittedResultSchema, AdmittedPatchResultSchema]);
