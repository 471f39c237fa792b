// What reviewers and refuters may answer, as schemas: the decoder's view. Their types are in payloads.ts.
import type { Static } from "typebox";
import * as Type from "typebox";
import { NonEmpty, Sha256Schema } from "./scalar-schemas.ts";
import { REFUTER_OUTCOMES } from "./vocabulary.ts";

const closed = { additionalProperties: false } as const;

/**
 * The decoder's view of a finding: types and keys only. What the values must be is decided field by field in
 * `review/admission`, so that each broken rule has a refusal of its own.
 */
const DecodedFinding = Type.Object(
	{
		id: Type.Optional(Type.String()),
		lens: Type.Optional(Type.String()),
		location: Type.Optional(Type.String()),
		severity: Type.String(),
		claim: Type.String(),
		proof_refs: Type.Array(Type.String()),
		evidence_class: Type.Optional(Type.String()),
		causal_disposition: Type.Optional(Type.String()),
	},
	closed,
);
export type DecodedFinding = Readonly<Static<typeof DecodedFinding>>;

export const DecodedReviewerResult = Type.Object(
	{
		subject_hash: Type.Optional(Type.String()),
		inspection: Type.Optional(Type.Object({ status: Type.String(), paths: Type.Array(Type.String()) }, closed)),
		lens: Type.Optional(Type.String()),
		findings: Type.Optional(Type.Union([Type.Array(DecodedFinding), Type.Null()])),
		evidence: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
	},
	closed,
);
export type DecodedReviewerResult = Readonly<Static<typeof DecodedReviewerResult>>;

export const RefuterBatch = Type.Object(
	{
		results: Type.Array(
			Type.Object(
				{
					finding_id: NonEmpty,
					outcome: Type.Enum(REFUTER_OUTCOMES),
					proof_refs: Type.Array(NonEmpty, { minItems: 1 }),
				},
				closed,
			),
		),
	},
	closed,
);
export type RefuterBatch = Readonly<Static<typeof RefuterBatch>>;
export type RefuterRow = RefuterBatch["results"][number];

const Check = Type.Object({ passed: Type.Boolean(), evidence: Type.Array(NonEmpty, { minItems: 1 }) }, closed);

/** What a targeted validator writes about one corrected candidate. */
export const ValidatorResult = Type.Object(
	{
		targeted_validation_request_hash: Sha256Schema,
		correction_target_identity: Sha256Schema,
		original_criteria: Check,
		correction_regression: Check,
		follow_ups: Type.Array(
			Type.Object({ observation: NonEmpty, proof_refs: Type.Array(NonEmpty, { minItems: 1 }) }, closed),
		),
	},
	closed,
);
export type ValidatorResult = Readonly<Static<typeof ValidatorResult>>;
