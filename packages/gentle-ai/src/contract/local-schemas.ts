// The small records beside the database: this clone's review switch, and what an opaque repository context leads to.
import type { Static } from "typebox";
import * as Type from "typebox";
import { LineageIdSchema, NonEmpty, Sha256Schema } from "./scalar-schemas.ts";

const closed = { additionalProperties: false } as const;

export const CloneModeSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.rdd-mode-override/v1"),
		generation: Type.Integer({ minimum: 1, maximum: 999_999_999 }),
		previous_revision: Type.Optional(Sha256Schema),
		mode: Type.Enum(["off", "inherit"]),
		recorded_at: Type.String({ minLength: 1 }),
		revision: Sha256Schema,
	},
	closed,
);
export type CloneMode = Static<typeof CloneModeSchema>;

export const LocatorSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-repository-context/v1"),
		lineage_id: LineageIdSchema,
		target_identity: Sha256Schema,
		revision: Sha256Schema,
		repository_root: NonEmpty,
		git_common_dir: NonEmpty,
		git_dir: NonEmpty,
	},
	closed,
);
export type Locator = Readonly<Static<typeof LocatorSchema>>;
