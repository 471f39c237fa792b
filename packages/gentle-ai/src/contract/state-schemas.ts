// The state of a review and its receipt: the stored shapes and their field order, as schemas. Only what checks, compiles
// or publishes schemas imports these files; their types are in state.ts.
import type { Static } from "typebox";
import * as Type from "typebox";
import { LIMITS, PATTERNS } from "./limits.ts";
import { AdmittedFindingSchema } from "./result-schemas.ts";
import { Count, closed, LineageIdSchema, NonEmpty, Paths, Sha256Schema, TreeSchema } from "./scalar-schemas.ts";
import { SnapshotSchema } from "./target-schemas.ts";
import {
	ACTION_DISPOSITIONS,
	CAUSAL_DISPOSITIONS,
	EVIDENCE_CLASSES,
	FINDING_OUTCOMES,
	LENSES,
	STATES,
	TIERS,
	VERIFICATION_OUTCOMES,
} from "./vocabulary.ts";

/** A lens result as the state keeps it: the findings are kept once, in `findings`. */
const StoredLensResultSchema = Type.Object(
	{ lens: Type.Enum(LENSES), evidence: Type.Array(NonEmpty, { minItems: 1 }), result_hash: Sha256Schema },
	closed,
);

const ClassificationSchema = Type.Object(
	{
		evidence_class: Type.Enum(EVIDENCE_CLASSES),
		causal_disposition: Type.Enum(CAUSAL_DISPOSITIONS),
		proof_refs: Type.Array(NonEmpty, { minItems: 1 }),
	},
	closed,
);
export type Classification = Readonly<Static<typeof ClassificationSchema>>;

const FollowUpSchema = Type.Object(
	{ observation: NonEmpty, proof_refs: Type.Array(NonEmpty, { minItems: 1 }) },
	closed,
);
export type FollowUp = Readonly<Static<typeof FollowUpSchema>>;

const CheckSchema = Type.Object({ passed: Type.Boolean(), evidence_hash: Sha256Schema }, closed);

/** The one correction of a lineage: what was corrected, what it cost, and what the validator said about it. */
const CorrectionAttemptSchema = Type.Object(
	{
		fix_snapshot: SnapshotSchema,
		validation_request_hash: Sha256Schema,
		actual_lines: Count,
		original_criteria: CheckSchema,
		correction_regression: CheckSchema,
	},
	closed,
);
export type CorrectionAttempt = Readonly<Static<typeof CorrectionAttemptSchema>>;

/** The predecessor that this lineage continues, and who wanted it. */
const RecoverySchema = Type.Object(
	{
		predecessor_lineage_id: LineageIdSchema,
		predecessor_revision: Sha256Schema,
		disposition: Type.Enum(ACTION_DISPOSITIONS),
		reason: NonEmpty,
		actor: NonEmpty,
		recovered_at: NonEmpty,
		maintainer_authorization: Type.Optional(NonEmpty),
		/** Only after a final-verification retry: the incident that it answers. */
		incident_digest: Type.Optional(Sha256Schema),
		/** Only when the predecessor's review and correction were taken over without a change. */
		imported_evidence: Type.Optional(Type.Literal(true)),
	},
	closed,
);
export type Recovery = Readonly<Static<typeof RecoverySchema>>;

const ReopeningSchema = Type.Object(
	{
		previous_revision: Sha256Schema,
		quarantined: Type.Array(NonEmpty, { minItems: 1 }),
		retained: Type.Array(NonEmpty),
		authorized_lenses: Type.Optional(Type.Array(Type.Enum(LENSES), { minItems: 1 })),
		actor: NonEmpty,
		reason: NonEmpty,
	},
	closed,
);
export type Reopening = Readonly<Static<typeof ReopeningSchema>>;

export const ReviewStateSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-state/v2"),
		lineage_id: LineageIdSchema,
		generation: Type.Integer({ minimum: 1 }),
		state: Type.Enum(STATES),
		initial_snapshot: SnapshotSchema,
		current_snapshot: SnapshotSchema,
		genesis_paths: Paths,
		policy_hash: Sha256Schema,
		risk_level: Type.Enum(TIERS),
		selected_lenses: Type.Array(Type.Enum(LENSES), { maxItems: 4, uniqueItems: true }),
		original_changed_lines: Count,
		correction_budget: Type.Integer({ minimum: 0, maximum: LIMITS.correctionBudget }),
		lens_results: Type.Array(StoredLensResultSchema),
		findings: Type.Array(AdmittedFindingSchema),
		classifications: Type.Record(Type.String(), ClassificationSchema),
		outcomes: Type.Record(Type.String(), Type.Enum(FINDING_OUTCOMES)),
		fix_finding_ids: Type.Array(Type.String({ pattern: PATTERNS.findingId })),
		follow_ups: Type.Array(FollowUpSchema),
		correction_forecast: Type.Optional(Type.Integer({ minimum: 1 })),
		/** At most one attempt belongs to a lineage; a successor inherits that of its predecessor. */
		correction_attempt: Type.Optional(CorrectionAttemptSchema),
		correction_attempt_inherited: Type.Optional(Type.Literal(true)),
		fix_delta_hash: Sha256Schema,
		evidence_hash: Type.Optional(Sha256Schema),
		evidence_record_digest: Type.Optional(Sha256Schema),
		evidence_outcome: Type.Optional(Type.Enum(VERIFICATION_OUTCOMES)),
		evidence_target_identity: Type.Optional(Sha256Schema),
		evidence_authority_revision: Type.Optional(Sha256Schema),
		reopenings: Type.Optional(Type.Array(ReopeningSchema, { minItems: 1 })),
		recovery: Type.Optional(RecoverySchema),
		/** Why an invalidated lineage was given up. */
		invalidation: Type.Optional(NonEmpty),
	},
	closed,
);
export type ReviewState = Readonly<Static<typeof ReviewStateSchema>>;

export const ReviewReceiptSchema = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-receipt/v2"),
		lineage_id: LineageIdSchema,
		projection: Type.Optional(Type.Literal("staged")),
		generation: Type.Integer({ minimum: 1 }),
		base_tree: TreeSchema,
		initial_review_tree: TreeSchema,
		final_candidate_tree: TreeSchema,
		paths_digest: Sha256Schema,
		fix_delta_hash: Sha256Schema,
		policy_hash: Sha256Schema,
		evidence_hash: Sha256Schema,
		evidence_record_digest: Type.Optional(Sha256Schema),
		evidence_outcome: Type.Optional(Type.Enum(VERIFICATION_OUTCOMES)),
		evidence_target_identity: Type.Optional(Sha256Schema),
		evidence_authority_revision: Type.Optional(Sha256Schema),
		risk_level: Type.Enum(TIERS),
		selected_lenses: Type.Array(Type.Enum(LENSES), { maxItems: 4, uniqueItems: true }),
		resolved_finding_ids: Type.Union([Type.Array(NonEmpty, { minItems: 1 }), Type.Null()]),
		terminal_state: Type.Enum(["approved", "escalated"]),
	},
	closed,
);
export type ReviewReceipt = Readonly<Static<typeof ReviewReceiptSchema>>;
