// The eligibility lists as documents. The first generation knew neither repair nor the retry of a verification.
import type { Eligibility } from "../../transition.ts";
import type { ManagedAction } from "../../vocabulary.ts";
import type { EligibilityShape, FirstEligibilityShape } from "./eligibility-shapes.ts";

const LATER: readonly ManagedAction[] = ["review.repair", "review.retry_final_verification"];
const isLater = (action: string): boolean => LATER.some((later) => later === action);

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
