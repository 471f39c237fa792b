// `gentle-ai.review-run/v1`: the one document of a human run, for scripts and CI.
import type { Static } from "typebox";
import * as Type from "typebox";
import { LineageIdSchema, NonEmpty, Sha256Schema, TreeSchema } from "../scalar-schemas.ts";
import { ReviewReceiptSchema } from "../state-schemas.ts";
import { RiskReasonSchema } from "../target-schemas.ts";
import {
	CAUSAL_DISPOSITIONS,
	EVIDENCE_CLASSES,
	LENSES,
	SEVERITIES,
	TIERS,
	VERIFICATION_OUTCOMES,
} from "../vocabulary.ts";
import { RUN_SCHEMA } from "./names.ts";

const closed = { additionalProperties: false } as const;

export const RUN_STATES = [
	"approved",
	"correction_required",
	"escalated",
	"declined",
	"nothing_to_review",
	"incomplete",
	"verification_required",
	"verification_failed",
	"failed",
] as const;
export type RunState = (typeof RUN_STATES)[number];

const nullable = <Schema extends ReturnType<typeof Type.String> | typeof NonEmpty>(schema: Schema) =>
	Type.Union([schema, Type.Null()]);

export const RunFinding = Type.Object(
	{
		id: NonEmpty,
		lens: Type.Enum(LENSES),
		/** The weakness family of the rule, where the reviewer knows families. */
		family: nullable(NonEmpty),
		severity: Type.Enum(SEVERITIES),
		location: NonEmpty,
		claim: NonEmpty,
		evidence_class: Type.Union([Type.Enum(EVIDENCE_CLASSES), Type.Null()]),
		causal_disposition: Type.Union([Type.Enum(CAUSAL_DISPOSITIONS), Type.Null()]),
		proof_refs: Type.Array(NonEmpty),
		engine: nullable(NonEmpty),
		/** The offending line, cut and made visible; masked for secrets; null where there is none to show. */
		excerpt: nullable(Type.String()),
	},
	closed,
);
export type RunFinding = Readonly<Static<typeof RunFinding>>;

export const RunEvidence = Type.Object(
	{
		outcome: Type.Enum(VERIFICATION_OUTCOMES),
		/** The verification command, or null for the native verification of a low-risk candidate. */
		command: nullable(Type.String()),
		sha256: Sha256Schema,
	},
	closed,
);

export const ReviewRun = Type.Object(
	{
		schema: Type.Literal(RUN_SCHEMA),
		state: Type.Enum(RUN_STATES),
		/** An earlier run had approved exactly these bytes. */
		already_approved: Type.Boolean(),
		lineage_id: Type.Union([LineageIdSchema, Type.Null()]),
		target_identity: Type.Union([Sha256Schema, Type.Null()]),
		base_tree: Type.Union([TreeSchema, Type.Null()]),
		candidate_tree: Type.Union([TreeSchema, Type.Null()]),
		changed_files: Type.Integer({ minimum: 0 }),
		changed_lines: Type.Integer({ minimum: 0 }),
		tier: Type.Union([Type.Enum(TIERS), Type.Null()]),
		reasons: Type.Array(RiskReasonSchema),
		lenses: Type.Array(Type.Enum(LENSES)),
		reviewer: nullable(NonEmpty),
		findings: Type.Array(RunFinding),
		evidence: Type.Union([RunEvidence, Type.Null()]),
		receipt: Type.Union([Type.Object({ identity: Sha256Schema, document: ReviewReceiptSchema }, closed), Type.Null()]),
		/** The one command to run next, or null when nothing is left to do. */
		next: nullable(NonEmpty),
		/** The honest ways out of a review that does not approve: what to run, and what it means for the gates. */
		exits: Type.Array(Type.Object({ command: NonEmpty, meaning: NonEmpty }, closed)),
		notes: Type.Array(NonEmpty),
		error: Type.Optional(
			Type.Object(
				{
					code: NonEmpty,
					message: NonEmpty,
					field: Type.Optional(Type.String()),
					value: Type.Optional(Type.String()),
					rule: Type.Optional(Type.String()),
					next: Type.Optional(Type.String()),
				},
				closed,
			),
		),
		/** Milliseconds of each phase that ran. */
		timings: Type.Record(Type.String(), Type.Number({ minimum: 0 })),
	},
	closed,
);
export type ReviewRun = Readonly<Static<typeof ReviewRun>>;
