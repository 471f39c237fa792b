// What is kept of a target: its snapshot, its manifest, and what START froze beside it.
import type { Static } from "typebox";
import * as Type from "typebox";
import { PATTERNS } from "./limits.ts";
import { closed, NonEmpty, Paths, Sha256Schema, TreeSchema } from "./scalar-schemas.ts";
import { MANIFEST_STATUSES, PROJECTIONS, RISK_CODES, RISK_SIGNALS, TARGET_KINDS } from "./vocabulary.ts";

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
