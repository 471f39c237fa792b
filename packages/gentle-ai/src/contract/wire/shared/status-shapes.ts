// STATUS: what every generation says about one target.
import type { Static, TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import { Sha256Schema } from "../../scalar-schemas.ts";
import { TargetedValidationRequestSchema } from "../../verification-schemas.ts";
import { ACTION_DISPOSITIONS, APPLICABILITIES, REPLAYABILITIES, STATUS_ACTIONS } from "../../vocabulary.ts";
import { EligibilityShape } from "./eligibility-shapes.ts";
import {
	AuthorityShape,
	all,
	CandidatesShape,
	closed,
	exactlyWhen,
	FrozenShape,
	has,
	hasNone,
	is,
	ProjectionShape,
	ReceiptShape,
	when,
} from "./parts.ts";
import { AssessmentShape } from "./repair-shapes.ts";

export const statusHead = {
	operation: Type.Literal("review.status"),
	applicability: Type.Enum(APPLICABILITIES),
	authority: Type.Optional(AuthorityShape),
	receipt: ReceiptShape,
	action: Type.Enum(STATUS_ACTIONS),
	action_disposition: Type.Optional(Type.Enum(ACTION_DISPOSITIONS)),
	replayability: Type.Enum(REPLAYABILITIES),
	frozen: Type.Optional(FrozenShape),
	target_identity: Sha256Schema,
} as const satisfies TProperties;

export const ReconciliationField = Type.Optional(Type.Object({ required: Type.Literal(true) }, closed));

export const RetryShape = Type.Object(
	{
		incident_schema: Type.Literal("gentle-ai.review-final-verification-incident/v1"),
		incident_class: Type.Literal("procedural_tooling_failure"),
		validating_revision: Sha256Schema,
		target_identity: Sha256Schema,
		failed_evidence_hash: Sha256Schema,
		failed_evidence_record_digest: Type.Optional(Sha256Schema),
		finalize_request_digest: Sha256Schema,
	},
	closed,
);

const current = is("applicability", "current_target");
const reconciles = is("action", "reconcile_finalize");
const authority = (version: string) => all(has("authority"), { properties: { authority: is("version", version) } });
const state = (value: string) => ({ properties: { authority: is("state", value) } });

export const statusConditions = [
	exactlyWhen(reconciles, "reconciliation"),
	when(reconciles, all(current, is("replayability", "status_required"))),
	exactlyWhen(is("action", "recover", "retry_final_verification"), "action_disposition"),
	exactlyWhen(current, "authority"),
	exactlyWhen(all(current, authority("compact-v2")), "frozen"),
	when(authority("legacy-v1"), { properties: { receipt: is("status", "expected_missing", "present") } }),
	when(has("validation_request"), all(current, state("correction_required"))),
];

/** What the second generation of STATUS added. */
export const laterStatusConditions = [
	when(has("authority_target_identity"), all(current, authority("compact-v2"))),
	when(
		is("action", "retry_final_verification"),
		all(
			has("final_verification_retry"),
			current,
			authority("compact-v2"),
			state("escalated"),
			is("action_disposition", "final_verification_retry"),
		),
		hasNone("final_verification_retry"),
	),
];

/** STATUS since the classified repair, under either contract. */
export function laterStatusShape<Schema extends string, Contract extends TSchema, Transition extends TSchema>(
	schema: Schema,
	contract: Contract,
	transition: Transition,
) {
	return Type.Object(
		{
			schema: Type.Literal(schema),
			contract,
			...statusHead,
			authority_target_identity: Type.Optional(Sha256Schema),
			projection: ProjectionShape,
			repair: AssessmentShape,
			candidates: CandidatesShape,
			reconciliation: ReconciliationField,
			eligibility: Type.Optional(EligibilityShape),
			next_transition: Type.Optional(transition),
			validation_request: Type.Optional(TargetedValidationRequestSchema),
			final_verification_retry: Type.Optional(RetryShape),
		},
		{ ...closed, allOf: [...statusConditions, ...laterStatusConditions] },
	);
}

export type StatusHead = Static<Type.TObject<typeof statusHead>>;
