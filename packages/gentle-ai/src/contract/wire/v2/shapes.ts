// Contract v2 of the receipt lifecycle: every shape that it says, as schemas. Types, checks and published JSON Schemas
// all come from here. Field order is the order on the wire.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MUTATION_OUTCOMES, NEXT_ACTIONS, OPERATIONS, PHASES } from "../../errors.ts";
import {
	ArtifactSubjectSchema,
	LineageIdSchema,
	ManifestEntrySchema,
	NonEmpty,
	RiskReasonSchema,
	Sha256Schema,
	TreeSchema,
} from "../../state-schemas.ts";
import {
	APPLICABILITIES,
	DELIVERIES,
	GATE_RESULTS,
	GATES,
	LENSES,
	LIMITS,
	PATTERNS,
	PROJECTIONS,
	RECEIPT_STATUSES,
	REPLAYABILITIES,
	SEVERITIES,
	SHORT_LENSES,
	START_ACTIONS,
	STATES,
	STATUS_ACTIONS,
	TARGET_KINDS,
	TIERS,
} from "../../vocabulary.ts";
import { SCHEMA_NAMES } from "../names.ts";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });
const Contract = Type.Literal("gentle-ai.review-integration/v2");

export const StartV3 = Type.Object(
	{
		schema: Type.Literal(SCHEMA_NAMES.start),
		contract: Contract,
		operation: Type.Literal("review.start"),
		action: Type.Enum(START_ACTIONS),
		lenses_required: Type.Boolean(),
		lineage_id: NonEmpty,
		state: Type.Enum(STATES),
		risk_level: Type.Enum(TIERS),
		selected_lenses: Type.Array(Type.Enum(LENSES), { maxItems: 4, uniqueItems: true }),
		projection: Type.Enum(PROJECTIONS),
		target_mode: Type.Optional(Type.Literal("base-workspace-overlay")),
		target_identity: Type.Optional(Sha256Schema),
		base_tree: Type.Optional(TreeSchema),
		candidate_tree: Type.Optional(TreeSchema),
		changed_files: Count,
		changed_lines: Count,
		correction_budget: Type.Integer({ minimum: 0, maximum: LIMITS.correctionBudget }),
		risk_reasons: Type.Array(RiskReasonSchema, { minItems: 1, uniqueItems: true }),
		artifact_subjects: Type.Array(ArtifactSubjectSchema, { maxItems: 4 }),
		changed_path_manifest: Type.Optional(Type.Array(ManifestEntrySchema, { uniqueItems: true })),
		repository_context: Type.Optional(
			Type.Object(
				{
					capability: Type.Literal("review.opaque_repository_context"),
					handle: Type.String({ pattern: PATTERNS.repositoryContext }),
					revision: Sha256Schema,
					target_identity: Sha256Schema,
				},
				closed,
			),
		),
	},
	closed,
);
export type StartV3 = Static<typeof StartV3>;

const Argument = Type.Object(
	{ name: Type.String({ pattern: "^[a-z0-9_-]+$" }), value: NonEmpty, token: Type.Optional(NonEmpty) },
	closed,
);

const Artifact = Type.Object(
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

const ExecuteShape = Type.Object(
	{
		operation: Type.Enum(["review.start", "review.finalize", "review.recover", "review.validate"]),
		command: Type.String({ pattern: "^gentle-ai review [a-z][a-z-]*" }),
		arguments: Type.Array(Argument),
		selector_arguments: Type.Optional(Type.Array(Argument)),
		preconditions: Type.Array(Argument, { minItems: 1 }),
		binding: Type.Object(
			{
				lineage_id: Type.Optional(LineageIdSchema),
				revision: Type.Optional(Sha256Schema),
				target_identity: Sha256Schema,
			},
			closed,
		),
		artifacts: Type.Optional(Type.Array(Artifact)),
	},
	closed,
);

const InputShape = Type.Object(
	{
		name: Type.String({ pattern: "^[a-z0-9_]+$" }),
		schema: NonEmpty,
		capture_operation: NonEmpty,
		arguments: Type.Array(Argument, { minItems: 1 }),
		artifact_subject: Type.Optional(ArtifactSubjectSchema),
		base_tree: Type.Optional(TreeSchema),
		candidate_tree: Type.Optional(TreeSchema),
		changed_path_manifest: Type.Optional(Type.Array(ManifestEntrySchema, { uniqueItems: true })),
	},
	closed,
);
export type InputShape = Static<typeof InputShape>;

const CorrectionRequestShape = Type.Object(
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

export const NextTransition = Type.Object(
	{
		kind: Type.Enum(["execute", "collect", "stop"]),
		reason_code: Type.String({ pattern: "^[a-z0-9_]+$" }),
		execute: Type.Optional(ExecuteShape),
		collect: Type.Optional(Type.Object({ inputs: Type.Array(InputShape, { minItems: 1 }) }, closed)),
		correction_request: Type.Optional(CorrectionRequestShape),
	},
	closed,
);

const ProjectionShape = Type.Object(
	{
		schema: Type.Literal(SCHEMA_NAMES.projection),
		kind: Type.Enum(TARGET_KINDS),
		projection: Type.Enum(PROJECTIONS),
		base_tree: TreeSchema,
		initial_review_tree: TreeSchema,
		current_candidate_tree: TreeSchema,
		paths_digest: Sha256Schema,
		paths: Type.Array(NonEmpty, { uniqueItems: true }),
		intended_untracked: Type.Array(NonEmpty, { uniqueItems: true }),
		intended_untracked_proof: Sha256Schema,
		initial_snapshot_identity: Sha256Schema,
		current_snapshot_identity: Sha256Schema,
	},
	closed,
);
export type ProjectionShape = Static<typeof ProjectionShape>;

/** This version classifies no historical repair: the bounded sentinel is all it says. */
const RepairSentinel = Type.Object(
	{
		schema: Type.Literal(SCHEMA_NAMES.repair),
		status: Type.Literal("unsupported"),
		counts: Type.Object(
			{
				lineages: Count,
				compact_lineages: Count,
				legacy_lineages: Count,
				events: Count,
				bytes: Count,
				eligible_candidates: Count,
				unsupported_lineages: Count,
				conflicts: Count,
			},
			closed,
		),
		supported_operations: Type.Array(NonEmpty, { minItems: 2, maxItems: 2 }),
		authorization_schema: Type.Literal("gentle-ai.review-repair-authorization/v1"),
	},
	closed,
);
export type RepairSentinel = Static<typeof RepairSentinel>;

export const StatusV3 = Type.Object(
	{
		schema: Type.Literal(SCHEMA_NAMES.status),
		contract: Contract,
		operation: Type.Literal("review.status"),
		applicability: Type.Enum(APPLICABILITIES),
		authority: Type.Optional(
			Type.Object(
				{
					version: Type.Literal("compact-v2"),
					lineage_id: LineageIdSchema,
					state: Type.Enum(STATES),
					generation: Type.Integer({ minimum: 1 }),
					revision: Sha256Schema,
				},
				closed,
			),
		),
		receipt: Type.Object({ status: Type.Enum(RECEIPT_STATUSES), identity: Type.Optional(Sha256Schema) }, closed),
		action: Type.Enum(STATUS_ACTIONS),
		replayability: Type.Enum(REPLAYABILITIES),
		frozen: Type.Optional(
			Type.Object(
				{
					tier: Type.Enum(TIERS),
					original_changed_lines: Count,
					correction_budget: Type.Integer({ minimum: 0, maximum: LIMITS.correctionBudget }),
				},
				closed,
			),
		),
		target_identity: Sha256Schema,
		authority_target_identity: Type.Optional(Sha256Schema),
		projection: ProjectionShape,
		repair: RepairSentinel,
		candidates: Type.Array(LineageIdSchema, { uniqueItems: true }),
		next_transition: Type.Optional(NextTransition),
	},
	closed,
);
export type StatusV3 = Static<typeof StatusV3>;

const ChoiceShape = (answer: "granted" | "declined") =>
	Type.Object({ answer: Type.Literal(answer), label: NonEmpty, effect: NonEmpty, invocation: NonEmpty }, closed);

export const ConsentV2 = Type.Object(
	{
		schema: Type.Literal(SCHEMA_NAMES.consent),
		contract: Contract,
		operation: Type.Literal("review.start"),
		action: Type.Literal("consent_required"),
		blocking: Type.Literal(true),
		target_identity: Sha256Schema,
		projection: Type.Enum(PROJECTIONS),
		risk_level: Type.Enum([TIERS[1], TIERS[2]]),
		changed_files: Count,
		changed_lines: Count,
		headline: NonEmpty,
		reason: NonEmpty,
		value: NonEmpty,
		risk_evidence: Type.Array(NonEmpty),
		choices: Type.Tuple([ChoiceShape("granted"), ChoiceShape("declined")]),
		off_path: Type.Object({ note: NonEmpty, command: Type.Literal("gentle-ai review mode disable") }, closed),
	},
	closed,
);
export type ConsentV2 = Static<typeof ConsentV2>;

const FinalizeResult = Type.Object(
	{
		operation: Type.Literal("review/finalize"),
		lineage_id: LineageIdSchema,
		state: Type.Enum(STATES),
		action: NonEmpty,
		escalation: Type.Optional(NonEmpty),
		store_revision: Sha256Schema,
		next_transition: Type.Optional(NextTransition),
	},
	closed,
);

const GateResultShape = Type.Object(
	{
		schema: Type.Literal(SCHEMA_NAMES.gateResult),
		result: Type.Enum(GATE_RESULTS),
		allowed: Type.Boolean(),
		action: NonEmpty,
		reason: NonEmpty,
		delivery: Type.Optional(Type.Enum(DELIVERIES)),
		context: Type.Object(
			{
				gate: Type.Enum(GATES),
				lineage_id: Type.String(),
				generation: Count,
				store_revision: Type.Optional(Sha256Schema),
				base_tree: Type.String(),
				candidate_tree: Type.String(),
				paths_digest: Type.String(),
				fix_delta_hash: Type.String(),
				policy_hash: Type.String(),
				ledger_hash: Type.String(),
				evidence_hash: Type.String(),
				base_relationship_valid: Type.Boolean(),
				denial: Type.Optional(Type.Object({ stage: NonEmpty, code: NonEmpty }, closed)),
			},
			closed,
		),
	},
	closed,
);
export type GateResultShape = Static<typeof GateResultShape>;

export const OperationV2 = Type.Object(
	{
		schema: Type.Literal(SCHEMA_NAMES.operation),
		contract: Contract,
		operation: Type.Enum(["review.finalize", "review.validate"]),
		result: Type.Union([FinalizeResult, GateResultShape]),
	},
	closed,
);
export type OperationV2 = Static<typeof OperationV2>;

const ScopeChangeShape = Type.Object(
	{
		expected: Type.Object({ candidate_tree: TreeSchema, paths_digest: Sha256Schema }, closed),
		actual: Type.Object({ candidate_tree: TreeSchema, paths_digest: Sha256Schema }, closed),
		differing_path_count: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
		differing_paths_digest: Sha256Schema,
		predecessor_lineage_id: LineageIdSchema,
		predecessor_revision: Sha256Schema,
		recovery_operation: Type.Literal("review.recover"),
		recovery_required_inputs: Type.Array(NonEmpty, { minItems: 6, maxItems: 6 }),
	},
	closed,
);

export const FailureFields = {
	operation: Type.Enum(OPERATIONS),
	phase: Type.Enum(PHASES),
	code: Type.String({ pattern: "^[a-z0-9]+(?:_[a-z0-9]+)*$" }),
	message: Type.String({ minLength: 1, maxLength: LIMITS.failureMessageChars }),
	mutation_outcome: Type.Enum(MUTATION_OUTCOMES),
	authority_applicability: Type.Enum([...APPLICABILITIES, "not_evaluated"]),
	retry_safe: Type.Boolean(),
	replayability: Type.Enum(REPLAYABILITIES),
	lineage_id: Type.Optional(LineageIdSchema),
	request_digest: Type.Optional(Sha256Schema),
	required_inputs: Type.Array(NonEmpty, { uniqueItems: true }),
	next_action: Type.Enum(NEXT_ACTIONS),
	cause_category: Type.Optional(
		Type.Enum([
			"inventory_io_or_layout",
			"lock_ambiguous",
			"reset_residue",
			"record_or_graph_invalid",
			"inventory_incomplete",
		]),
	),
	cause: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.failureCauseChars })),
	context: Type.Optional(Type.Object({ scope_change: ScopeChangeShape }, closed)),
} as const;

export const FailureV2 = Type.Object(
	{ schema: Type.Literal(SCHEMA_NAMES.failure), contract: Contract, ...FailureFields },
	closed,
);
export type FailureV2 = Static<typeof FailureV2>;
