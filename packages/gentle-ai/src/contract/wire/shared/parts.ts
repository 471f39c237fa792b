// The small shapes that every generation says in the same way. Field order is the order on the wire.
import type { Static } from "typebox";
import * as Type from "typebox";
import { LIMITS, PATTERNS } from "../../limits.ts";
import { LineageIdSchema, NonEmpty, Sha256Schema, TreeSchema } from "../../scalar-schemas.ts";
import { ManifestEntrySchema } from "../../target-schemas.ts";
import { LENSES, PROJECTIONS, RECEIPT_STATUSES, STATES, TARGET_KINDS, TIERS } from "../../vocabulary.ts";

export const closed = { additionalProperties: false } as const;
export const Count = Type.Integer({ minimum: 0 });
export const Budget = Type.Integer({ minimum: 0, maximum: LIMITS.correctionBudget });
export const ReasonCodeText = Type.String({ pattern: "^[a-z0-9_]+$" });
export const ContractV1 = Type.Literal("gentle-ai.review-integration/v1");
export const ContractV2 = Type.Literal("gentle-ai.review-integration/v2");

// ---- conditions: which field exists when ---------------------------------------------------------------------------

type Condition = Readonly<Record<string, unknown>>;

export function has(...fields: readonly string[]): Condition {
	return { required: fields };
}

export function hasNone(...fields: readonly string[]): Condition {
	return { not: { anyOf: fields.map((field) => has(field)) } };
}

/** The field is there and has one of the values. */
export function is(field: string, ...values: readonly string[]): Condition {
	return { properties: { [field]: { enum: values } }, required: [field] };
}

export function all(...conditions: readonly Condition[]): Condition {
	return { allOf: conditions };
}

export function when(condition: Condition, then: Condition, otherwise?: Condition): Condition {
	return { if: condition, then, ...(otherwise !== undefined && { else: otherwise }) };
}

/** These fields exist exactly under this condition. */
export function exactlyWhen(condition: Condition, ...fields: readonly string[]): Condition {
	return when(condition, has(...fields), hasNone(...fields));
}

// ---- shapes --------------------------------------------------------------------------------------------------------

export const Manifest = Type.Array(ManifestEntrySchema, { uniqueItems: true });
export const SelectedLenses = Type.Array(Type.Enum(LENSES), { maxItems: 4, uniqueItems: true });

export const RepositoryContextShape = Type.Object(
	{
		capability: Type.Literal("review.opaque_repository_context"),
		handle: Type.String({ pattern: PATTERNS.repositoryContext }),
		revision: Sha256Schema,
		target_identity: Sha256Schema,
	},
	closed,
);

export const CandidateDiffShape = Type.Object(
	{
		encoding: Type.Literal("base64"),
		data: Type.String({
			maxLength: Math.ceil(LIMITS.candidateDiffBytes / 3) * 4,
			pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
		}),
		sha256: Sha256Schema,
		byte_size: Type.Integer({ minimum: 0, maximum: LIMITS.candidateDiffBytes }),
	},
	closed,
);
export type CandidateDiffShape = Static<typeof CandidateDiffShape>;

const ProjectedPaths = Type.Array(
	Type.String({ minLength: 1, pattern: "^(?!/)(?!(?:[\\s\\S]*/)?\\.\\.(?:/|$))[^\\u0000]+$" }),
	{ uniqueItems: true },
);

export const ProjectionShape = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-integration.projection/v1"),
		kind: Type.Enum(TARGET_KINDS),
		projection: Type.Enum(PROJECTIONS),
		base_tree: TreeSchema,
		initial_review_tree: TreeSchema,
		current_candidate_tree: TreeSchema,
		paths_digest: Sha256Schema,
		paths: ProjectedPaths,
		intended_untracked: ProjectedPaths,
		intended_untracked_proof: Sha256Schema,
		initial_snapshot_identity: Sha256Schema,
		current_snapshot_identity: Sha256Schema,
	},
	closed,
);
export type ProjectionShape = Static<typeof ProjectionShape>;

export const ReceiptShape = Type.Object(
	{ status: Type.Enum(RECEIPT_STATUSES), identity: Type.Optional(Sha256Schema) },
	{ ...closed, allOf: [exactlyWhen(is("status", "present"), "identity")] },
);

export const AuthorityShape = Type.Object(
	{
		version: Type.Enum(["compact-v2", "legacy-v1"]),
		lineage_id: LineageIdSchema,
		/** Histories of the first generation have states of their own. */
		state: NonEmpty,
		generation: Type.Integer({ minimum: 1 }),
		revision: Sha256Schema,
	},
	{ ...closed, allOf: [when(is("version", "compact-v2"), { properties: { state: { enum: STATES } } })] },
);

export const FrozenShape = Type.Object(
	{ tier: Type.Enum(TIERS), original_changed_lines: Count, correction_budget: Budget },
	closed,
);

export const CandidatesShape = Type.Array(LineageIdSchema, { uniqueItems: true });
