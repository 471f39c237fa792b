// The result of an operation that changes or gates a review.
import type { Static, TSchema } from "typebox";
import * as Type from "typebox";
import { LineageIdSchema, NonEmpty, Sha256Schema } from "../../scalar-schemas.ts";
import { TargetedValidationRequestSchema } from "../../verification-schemas.ts";
import { DELIVERIES, GATE_RESULTS, GATES } from "../../vocabulary.ts";
import { Count, closed, has, is, when } from "./parts.ts";

const Text = Type.Optional(Type.String());
const Some = Type.Optional(NonEmpty);
/** Evidence from outside, of a form that belongs to whoever signed it. */
const Foreign = Type.Optional(Type.Record(Type.String(), Type.Unknown()));

const ReleaseShape = Type.Object(
	{
		release_tree: Type.String(),
		configuration_hash: Type.String(),
		generated_artifact_hash: Type.String(),
		provenance_hash: Type.String(),
		publication_boundary_hash: Type.String(),
		publication_state: Type.String(),
		evidence_freshness_hash: Type.String(),
		evidence_freshness_state: Type.String(),
	},
	closed,
);

const GateTargetShape = Type.Object(
	{
		base_tree: Type.String(),
		candidate_tree: Type.String(),
		paths_digest: Type.String(),
		paths: Type.Array(NonEmpty, { uniqueItems: true }),
	},
	closed,
);

const GateScopeChangeShape = Type.Object(
	{
		expected: GateTargetShape,
		actual: GateTargetShape,
		differing_paths: Type.Array(NonEmpty, { uniqueItems: true }),
		differing_path_count: Count,
		differing_paths_digest: Sha256Schema,
		predecessor_lineage_id: NonEmpty,
		predecessor_revision: Sha256Schema,
		recovery_operation: Type.Literal("review.recover"),
		recovery_required_inputs: Type.Array(NonEmpty, { minItems: 6, maxItems: 6 }),
		recovery_scope: Some,
		recovery_base_ref: Some,
		recovery_derived_inputs: Type.Optional(Type.Unknown()),
	},
	closed,
);

/** A gate that saw nothing to judge names itself alone. */
const GateContextShape = Type.Object(
	{
		gate: Type.Enum(GATES),
		lineage_id: Text,
		generation: Type.Optional(Count),
		store_revision: Type.Optional(Sha256Schema),
		genesis_revision: Some,
		chain_identity: Some,
		bundle_digest: Some,
		base_tree: Text,
		candidate_tree: Text,
		paths_digest: Text,
		fix_delta_hash: Text,
		policy_hash: Text,
		ledger_hash: Text,
		evidence_hash: Text,
		base_relationship_valid: Type.Optional(Type.Boolean()),
		external_evidence: Foreign,
		receipt_base_tree: Some,
		base_advanced_compatible: Type.Optional(Type.Boolean()),
		release: Type.Optional(ReleaseShape),
		pre_pr_boundary: Foreign,
		denial: Type.Optional(Type.Object({ stage: NonEmpty, code: NonEmpty }, closed)),
		scope_change: Type.Optional(GateScopeChangeShape),
		base_mismatch: Type.Optional(Type.Object({ expected: Type.String(), actual: Type.String() }, closed)),
	},
	closed,
);

export const GateResultShape = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-gate-result/v1"),
		result: Type.Enum(GATE_RESULTS),
		allowed: Type.Boolean(),
		action: NonEmpty,
		reason: NonEmpty,
		delivery: Type.Optional(Type.Enum(DELIVERIES)),
		context: GateContextShape,
	},
	closed,
);
export type GateResultShape = Static<typeof GateResultShape>;

const BindSddShape = Type.Object(
	{
		schema: Type.Literal("gentle-ai.sdd-review-binding/v1"),
		revision: Sha256Schema,
		change: NonEmpty,
		lineage: NonEmpty,
		authority_revision: Sha256Schema,
		receipt_hash: Sha256Schema,
		gate_context: GateContextShape,
	},
	closed,
);

const RetriedShape = Type.Object(
	{
		operation: Type.Literal("review.retry_final_verification"),
		predecessor_lineage_id: LineageIdSchema,
		predecessor_revision: Sha256Schema,
		lineage_id: LineageIdSchema,
		state: Type.Literal("validating"),
		store_revision: Sha256Schema,
		target_identity: Sha256Schema,
		incident_digest: Sha256Schema,
		recovery_disposition: Type.Literal("final_verification_retry"),
	},
	closed,
);

const OPERATIONS = [
	"review.finalize",
	"review.validate",
	"review.bind_sdd",
	"review.retry_final_verification",
] as const;

export function operationShape<
	const Name extends string,
	Contract extends Type.TLiteral,
	Eligibility extends TSchema,
	Transition extends TSchema,
>(schema: Name, contract: Contract, eligibility: Eligibility, transition: Transition) {
	const finalize = Type.Object(
		{
			operation: Type.Literal("review/finalize"),
			lineage_id: NonEmpty,
			state: NonEmpty,
			action: NonEmpty,
			escalation: Type.Optional(NonEmpty),
			store_revision: Sha256Schema,
			eligibility: Type.Optional(eligibility),
			next_transition: Type.Optional(transition),
			validation_request: Type.Optional(TargetedValidationRequestSchema),
		},
		{ ...closed, allOf: [when(has("validation_request"), is("state", "correction_required"))] },
	);
	return Type.Object(
		{
			schema: Type.Literal(schema),
			contract,
			operation: Type.Enum(OPERATIONS),
			result: Type.Union([finalize, GateResultShape, BindSddShape, RetriedShape]),
		},
		closed,
	);
}
