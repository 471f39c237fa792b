// The eligibility lists as a shape. The first generation knew neither repair nor the retry of a verification.
import type { Static } from "typebox";
import * as Type from "typebox";
import type { Eligibility } from "../../model.ts";
import { LineageIdSchema, Sha256Schema } from "../../state.ts";
import { ACTION_DISPOSITIONS, MANAGED_ACTIONS, type ManagedAction } from "../../vocabulary.ts";
import { closed, exactlyWhen, is, ReasonCodeText } from "./parts.ts";

const LATER: readonly ManagedAction[] = ["review.repair", "review.retry_final_verification"];
const ALLOWED = [
	"stop",
	"review.start",
	"review.finalize",
	"review.validate",
	"review.recover",
	"review.repair",
	"review.retry_final_verification",
] as const;

const isLater = (action: string): boolean => LATER.some((later) => later === action);

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

type Row = EligibilityShape["allowed_actions"][number];

export function renderEligibility({ allowed_actions, forbidden_actions }: Eligibility): EligibilityShape {
	return {
		allowed_actions: allowed_actions.map(
			({ action, reason_code, required_inputs, disposition, binding }) =>
				({
					action,
					reason_code,
					required_inputs: [...required_inputs],
					...(disposition !== undefined && { disposition }),
					...(binding !== undefined && { binding }),
				}) as Row,
		),
		forbidden_actions: forbidden_actions.map((row) => ({ ...row })),
	};
}

/** The ten rows of STATUS of the first generation, and of FINALIZE in every one. */
export function renderFirstEligibility(lists: Eligibility): FirstEligibilityShape {
	const { allowed_actions, forbidden_actions } = renderEligibility(lists);
	return {
		allowed_actions,
		forbidden_actions: forbidden_actions.filter(({ action }) => !isLater(action)),
	} as FirstEligibilityShape;
}
