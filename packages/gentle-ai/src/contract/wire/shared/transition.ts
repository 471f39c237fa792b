// The one next transition as a shape. Generations differ only in what a reviewer slot carries.
import type { Static, TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import { LIMITS, PATTERNS } from "../../limits.ts";
import { LineageIdSchema, NonEmpty, Sha256Schema } from "../../scalar-schemas.ts";
import { TargetedValidationRequestSchema } from "../../verification-schemas.ts";
import { LENSES, SEVERITIES, SHORT_LENSES } from "../../vocabulary.ts";
import { Count, closed, exactlyWhen, has, hasNone, is, ReasonCodeText, when } from "./parts.ts";

const ArgumentName = Type.String({ pattern: "^[a-z0-9_-]+$" });

export const ArgumentShape = Type.Object(
	{ name: ArgumentName, value: NonEmpty, token: Type.Optional(NonEmpty) },
	closed,
);

/** An argument of a command of ours: its token is a word of that command. */
const TokenShape = Type.Object({ name: ArgumentName, value: NonEmpty, token: NonEmpty }, closed);

const ArtifactShape = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-result-artifact/v2"),
		capability: Type.Literal("review.native_result_artifact"),
		sha256: Sha256Schema,
		lineage_id: LineageIdSchema,
		target_identity: Sha256Schema,
		lens: Type.Enum(LENSES),
		selected_order: Count,
		subject_hash: Sha256Schema,
		admission_decision: Type.Literal("completed"),
	},
	closed,
);

const OPERATIONS = ["review.start", "review.finalize", "review.recover", "review.repair", "review.validate"] as const;

export const ExecuteShape = Type.Object(
	{
		operation: Type.Enum(OPERATIONS),
		command: Type.Optional(Type.String({ pattern: "^gentle-ai review [a-z][a-z-]*" })),
		arguments: Type.Array(TokenShape),
		selector_arguments: Type.Optional(Type.Array(ArgumentShape)),
		preconditions: Type.Array(ArgumentShape, { minItems: 1 }),
		binding: Type.Object(
			{
				lineage_id: Type.Optional(LineageIdSchema),
				revision: Type.Optional(Sha256Schema),
				target_identity: Sha256Schema,
				repository_context: Type.Optional(Type.String({ pattern: PATTERNS.repositoryContext })),
			},
			closed,
		),
		artifacts: Type.Optional(Type.Array(ArtifactShape)),
	},
	closed,
);
export type ExecuteShape = Static<typeof ExecuteShape>;

export const CorrectionPlanRequestShape = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-correction-plan-request/v1"),
		request_hash: Sha256Schema,
		lineage_id: LineageIdSchema,
		expected_revision: Sha256Schema,
		target_identity: Sha256Schema,
		correction_budget: Type.Integer({ minimum: 1, maximum: LIMITS.correctionBudget }),
		fix_finding_ids: Type.Array(NonEmpty, { minItems: 1, uniqueItems: true }),
		findings: Type.Array(
			Type.Object(
				{
					id: NonEmpty,
					lens: Type.Enum(SHORT_LENSES),
					location: NonEmpty,
					severity: Type.Enum([SEVERITIES[0], SEVERITIES[1]]),
					claim: NonEmpty,
					proof_refs: Type.Array(NonEmpty, { minItems: 1 }),
					evidence: NonEmpty,
					evidence_class: Type.Enum(["deterministic", "inferential"]),
					causal_disposition: Type.Enum(["introduced", "behavior-activated", "worsened"]),
				},
				closed,
			),
			{ minItems: 1, uniqueItems: true },
		),
	},
	closed,
);
export type CorrectionPlanRequestShape = Static<typeof CorrectionPlanRequestShape>;

const VALIDATION = "external.run_targeted_validation";
const VALIDATION_SCHEMA = { properties: { schema: { const: "gentle-ai.review-targeted-validation-request/v1" } } };
const REVIEWER_SCHEMA = { properties: { schema: { const: "https://gentle-ai.dev/schema/review/reviewer/v1" } } };

/** `slot` is what a reviewer slot carries under one transport; empty for the generation that named slots only. */
export function inputShape<Fields extends TProperties>(slot: Fields) {
	const fields = Object.keys(slot);
	const validates = is("capture_operation", VALIDATION);
	const reviews = is("capture_operation", "review.capture-result");
	const conditions = [exactlyWhen(validates, "validation_request"), when(validates, VALIDATION_SCHEMA)];
	const reviewed = [exactlyWhen(reviews, ...fields), when(reviews, REVIEWER_SCHEMA)];
	return Type.Object(
		{
			name: Type.String({ pattern: "^[a-z0-9_]+$" }),
			schema: NonEmpty,
			capture_operation: NonEmpty,
			arguments: Type.Array(ArgumentShape, { minItems: 1 }),
			...slot,
			validation_request: Type.Optional(TargetedValidationRequestSchema),
		},
		{ ...closed, allOf: fields.length === 0 ? conditions : [...conditions, ...reviewed] },
	);
}

export function transitionShape<Input extends TSchema>(input: Input) {
	return Type.Object(
		{
			kind: Type.Enum(["execute", "collect", "stop"]),
			reason_code: ReasonCodeText,
			execute: Type.Optional(ExecuteShape),
			collect: Type.Optional(Type.Object({ inputs: Type.Array(input, { minItems: 1 }) }, closed)),
			correction_request: Type.Optional(CorrectionPlanRequestShape),
		},
		{
			...closed,
			allOf: [
				when(is("kind", "execute"), has("execute"), hasNone("execute")),
				when(is("kind", "collect"), has("collect"), hasNone("collect")),
				exactlyWhen(
					is("reason_code", "correction_plan_required", "corrected_candidate_unavailable"),
					"correction_request",
				),
			],
		},
	);
}
