// The uniform failure envelope as a shape; the same columns in every generation.
import * as Type from "typebox";
import { MUTATION_OUTCOMES, NEXT_ACTIONS, PHASES, RECOVERY_INPUTS } from "../../failures.ts";
import { LIMITS } from "../../limits.ts";
import { OPERATIONS } from "../../operations.ts";
import { LineageIdSchema, Sha256Schema, TreeSchema } from "../../scalar-schemas.ts";
import { APPLICABILITIES, REPLAYABILITIES } from "../../vocabulary.ts";
import { all, closed, has, is, when } from "./parts.ts";

const Evidence = Type.Object({ candidate_tree: TreeSchema, paths_digest: Sha256Schema }, closed);
const OneLine = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[^\\r\\n]+$" });
const RevisionOrNone = Type.Union([Type.Literal(""), Sha256Schema]);

const ScopeChangeShape = Type.Object(
	{
		expected: Evidence,
		actual: Evidence,
		differing_path_count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
		differing_paths_digest: Sha256Schema,
		predecessor_lineage_id: LineageIdSchema,
		predecessor_revision: Sha256Schema,
		recovery_operation: Type.Literal("review.recover"),
		recovery_required_inputs: Type.Tuple([
			Type.Literal(RECOVERY_INPUTS[0]),
			Type.Literal(RECOVERY_INPUTS[1]),
			Type.Literal(RECOVERY_INPUTS[2]),
			Type.Literal(RECOVERY_INPUTS[3]),
			Type.Literal(RECOVERY_INPUTS[4]),
			Type.Literal(RECOVERY_INPUTS[5]),
		]),
	},
	closed,
);

const BindingRevisionShape = Type.Object({ expected: RevisionOrNone, current: RevisionOrNone }, closed);

const ContextShape = Type.Object(
	{ scope_change: Type.Optional(ScopeChangeShape), binding_revision: Type.Optional(BindingRevisionShape) },
	{ ...closed, oneOf: [has("scope_change"), has("binding_revision")] },
);

export const CAUSE_CATEGORIES = [
	"inventory_io_or_layout",
	"lock_ambiguous",
	"reset_residue",
	"record_or_graph_invalid",
	"inventory_incomplete",
] as const;

const REQUIRED_INPUTS = [
	"lineage_id",
	"change",
	"expected_binding_revision",
	"predecessor_lineage_id",
	"expected_predecessor_revision",
	"successor_lineage_id",
	"disposition",
	"reason",
	"actor",
	"incident",
	"maintainer_authorization",
	"base_ref",
] as const;

const repairs = is("operation", "review.repair");

export function failureShape<const Name extends string, Contract extends Type.TLiteral>(
	schema: Name,
	contract: Contract,
) {
	return Type.Object(
		{
			schema: Type.Literal(schema),
			contract,
			operation: Type.Enum(OPERATIONS),
			phase: Type.Enum(PHASES),
			code: Type.String({ pattern: "^[a-z0-9]+(?:_[a-z0-9]+)*$" }),
			message: OneLine(LIMITS.failureMessageChars),
			mutation_outcome: Type.Enum(MUTATION_OUTCOMES),
			authority_applicability: Type.Enum([...APPLICABILITIES, "not_evaluated"]),
			retry_safe: Type.Boolean(),
			replayability: Type.Enum(REPLAYABILITIES),
			lineage_id: Type.Optional(LineageIdSchema),
			request_digest: Type.Optional(Sha256Schema),
			progress_identity: Type.Optional(Sha256Schema),
			required_inputs: Type.Array(Type.Enum(REQUIRED_INPUTS), { uniqueItems: true }),
			next_action: Type.Enum(NEXT_ACTIONS),
			cause_category: Type.Optional(Type.Enum(CAUSE_CATEGORIES)),
			cause: Type.Optional(OneLine(LIMITS.failureCauseChars)),
			context: Type.Optional(ContextShape),
		},
		{
			...closed,
			allOf: [
				when(has("progress_identity"), all(repairs, has("lineage_id", "request_digest"))),
				when(all(repairs, has("request_digest")), has("progress_identity")),
			],
		},
	);
}
