// The eligibility lists as a shape. The first generation knew neither repair nor the retry of a verification.
import type { Static } from "typebox";
import * as Type from "typebox";
import { LineageIdSchema, Sha256Schema } from "../../scalar-schemas.ts";
import { ACTION_DISPOSITIONS, MANAGED_ACTIONS } from "../../vocabulary.ts";
import { closed, exactlyWhen, is, ReasonCodeText } from "./parts.ts";

const ALLOWED = [
	"stop",
	"review.start",
	"review.finalize",
	"review.validate",
	"review.recover",
	"review.repair",
	"review.retry_final_verification",
] as const;

function shapeOf<const Allowed extends string[], const Forbidden extends string[]>(
	allowed: readonly [...Allowed],
	forbidden: readonly [...Forbidden],
) {
	const binding = Type.Object(
		{ lineage_id: LineageIdSchema, revision: Sha256Schema, target_identity: Sha256Schema },
		closed,
	);
	const row = Type.Object(
		{
			action: Type.Enum(allowed),
			reason_code: ReasonCodeText,
			required_inputs: Type.Array(ReasonCodeText),
			disposition: Type.Optional(Type.Enum(ACTION_DISPOSITIONS)),
			binding: Type.Optional(binding),
		},
		{
			...closed,
			allOf: [
				exactlyWhen(is("action", "review.recover", "review.retry_final_verification"), "disposition"),
				exactlyWhen(is("action", "review.recover", "review.retry_final_verification"), "binding"),
			],
		},
	);
	return Type.Object(
		{
			allowed_actions: Type.Array(row, { minItems: 1, maxItems: 1 }),
			forbidden_actions: Type.Array(Type.Object({ action: Type.Enum(forbidden), reason_code: ReasonCodeText }, closed)),
		},
		closed,
	);
}

export const EligibilityShape = shapeOf(ALLOWED, MANAGED_ACTIONS);
export type EligibilityShape = Static<typeof EligibilityShape>;

export const FirstEligibilityShape = shapeOf(
	["stop", "review.start", "review.finalize", "review.validate", "review.recover"],
	[
		"review.abandon",
		"review.finalize",
		"review.invalidate",
		"review.quarantine-legacy",
		"review.reclaim",
		"review.reconcile-authority",
		"review.reconcile-authority-batch",
		"review.recover",
		"review.start",
		"review.validate",
	],
);
export type FirstEligibilityShape = Static<typeof FirstEligibilityShape>;
