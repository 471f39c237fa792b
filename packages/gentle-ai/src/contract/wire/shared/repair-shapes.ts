// The classified repair of historical records: its assessment, and the answer of the operation.
import type { Static } from "typebox";
import * as Type from "typebox";
import { LineageIdSchema, Sha256Schema } from "../../scalar-schemas.ts";
import { all, closed, exactlyWhen, has, hasNone, is, when } from "./parts.ts";
import { AUTHORIZATION, CAUSE, CLASS, DISPOSITION, REPAIR_INPUTS, SUPPORTED } from "./repair-words.ts";

const EVENTS = 1_024;
const LINEAGES = Type.Integer({ minimum: 0, maximum: 256 });
const Events = Type.Integer({ minimum: 0, maximum: EVENTS });

const CandidateShape = Type.Object(
	{
		lineage_id: LineageIdSchema,
		revision: Sha256Schema,
		chain_identity: Sha256Schema,
		event_count: Type.Integer({ minimum: 2, maximum: EVENTS }),
		alias_event_count: Type.Integer({ minimum: 1, maximum: EVENTS }),
		operations: Type.Array(Type.Enum(SUPPORTED), { minItems: 1, maxItems: 2, uniqueItems: true }),
	},
	closed,
);

const CountsShape = Type.Object(
	{
		lineages: LINEAGES,
		compact_lineages: LINEAGES,
		legacy_lineages: LINEAGES,
		events: Events,
		bytes: Type.Integer({ minimum: 0, maximum: 8 * 1_024 * 1_024 }),
		eligible_candidates: LINEAGES,
		unsupported_lineages: Events,
		conflicts: Events,
	},
	closed,
);

const only = (field: string, value: number) => ({ properties: { [field]: { const: value } } });
const eligible = is("status", "eligible");

export const AssessmentShape = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-authority-repair-assessment/v1"),
		status: Type.Enum(["eligible", "unsupported", "ambiguous", "conflicting", "truncated"]),
		class: Type.Optional(Type.Literal(CLASS)),
		cause: Type.Optional(Type.Literal(CAUSE)),
		disposition: Type.Optional(Type.Literal(DISPOSITION)),
		repository_binding: Type.Optional(Sha256Schema),
		candidate: Type.Optional(CandidateShape),
		counts: CountsShape,
		supported_operations: Type.Tuple([Type.Literal(SUPPORTED[0]), Type.Literal(SUPPORTED[1])]),
		authorization_schema: Type.Literal(AUTHORIZATION),
	},
	{
		...closed,
		allOf: [
			when(
				eligible,
				all(has("class", "cause", "disposition", "repository_binding", "candidate"), {
					properties: {
						counts: all(only("eligible_candidates", 1), only("unsupported_lineages", 0), only("conflicts", 0)),
					},
				}),
				hasNone("class", "cause", "disposition", "repository_binding", "candidate"),
			),
		],
	},
);
export type AssessmentShape = Static<typeof AssessmentShape>;

const ProviderInputs = Type.Object(
	{
		class: Type.Literal(CLASS),
		lineage_id: LineageIdSchema,
		expected_revision: Sha256Schema,
		cause: Type.Literal(CAUSE),
		disposition: Type.Literal(DISPOSITION),
		repository_binding: Sha256Schema,
		authorization_schema: Type.Literal(AUTHORIZATION),
	},
	closed,
);

const Execution = Type.Object(
	{
		status: Type.Literal("committed"),
		class: Type.Literal(CLASS),
		lineage_id: LineageIdSchema,
		revision: Sha256Schema,
		chain_identity: Sha256Schema,
		cause: Type.Literal(CAUSE),
		disposition: Type.Literal(DISPOSITION),
		assessment_digest: Sha256Schema,
		request_digest: Sha256Schema,
		record_identity: Sha256Schema,
	},
	closed,
);

export function repairShape<const Name extends string, Contract extends Type.TLiteral>(
	schema: Name,
	contract: Contract,
) {
	const offered = all(is("mode", "preflight"), {
		properties: { assessment: { properties: { status: { const: "eligible" } } } },
	});
	return Type.Object(
		{
			schema: Type.Literal(schema),
			contract,
			operation: Type.Literal("review.repair"),
			mode: Type.Enum(["preflight", "execute"]),
			assessment: AssessmentShape,
			provider_inputs: Type.Optional(ProviderInputs),
			required_inputs: Type.Array(Type.Enum(REPAIR_INPUTS), { maxItems: 3, uniqueItems: true }),
			execution: Type.Optional(Execution),
		},
		{
			...closed,
			allOf: [
				exactlyWhen(is("mode", "execute"), "execution"),
				exactlyWhen(offered, "provider_inputs"),
				when(
					offered,
					{ properties: { required_inputs: { const: REPAIR_INPUTS } } },
					{ properties: { required_inputs: { maxItems: 0 } } },
				),
			],
		},
	);
}
