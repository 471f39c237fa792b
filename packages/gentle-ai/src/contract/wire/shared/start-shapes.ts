// START: what every generation says about a frozen candidate, and what the answer must be consistent with itself in.
import type { Static, TProperties } from "typebox";
import * as Type from "typebox";
import { NonEmpty, Sha256Schema, TreeSchema } from "../../scalar-schemas.ts";
import { RiskReasonSchema } from "../../target-schemas.ts";
import { PROJECTIONS, START_ACTIONS, TIERS } from "../../vocabulary.ts";
import { all, Budget, Count, exactlyWhen, has, is, RepositoryContextShape, SelectedLenses, when } from "./parts.ts";

/** A compact authority is in one of the first six; the rest occur in histories of the first generation. */
export const START_STATES = [
	"reviewing",
	"correction_required",
	"validating",
	"approved",
	"escalated",
	"invalidated",
	"unreviewed",
	"judges_confirmed",
	"findings_frozen",
	"evidence_classified",
	"fix_required",
	"fixing",
	"fix_validating",
	"ready_final_verification",
	"final_verifying",
] as const;

export const startHead = {
	operation: Type.Literal("review.start"),
	action: Type.Enum(START_ACTIONS),
	lenses_required: Type.Boolean(),
	lineage_id: NonEmpty,
	state: Type.Enum(START_STATES),
	risk_level: Type.Enum(TIERS),
	selected_lenses: SelectedLenses,
	projection: Type.Enum(PROJECTIONS),
	target_mode: Type.Optional(Type.Literal("base-workspace-overlay")),
	target_identity: Type.Optional(Sha256Schema),
	base_tree: Type.Optional(TreeSchema),
	candidate_tree: Type.Optional(TreeSchema),
	changed_files: Count,
	changed_lines: Count,
	correction_budget: Budget,
	risk_reasons: Type.Array(RiskReasonSchema, { minItems: 1, uniqueItems: true }),
} as const satisfies TProperties;

export const RepositoryContextField = Type.Optional(RepositoryContextShape);

const open = all(is("action", "created", "resumed"), is("state", "reviewing"));
const reviewed = { properties: { selected_lenses: { minItems: 1 } }, required: ["selected_lenses"] };

/** `context` is what the transport must bring as soon as lenses are selected. */
export function startConditions(...context: readonly string[]) {
	return [when(reviewed, has(...context)), exactlyWhen(open, "repository_context")];
}

export type StartHead = Static<Type.TObject<typeof startHead>>;
