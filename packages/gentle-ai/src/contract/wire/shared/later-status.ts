// STATUS since the classified repair: status/v2 of contract v1 and status/v3 of contract v2 differ in what an input holds.

import type { StatusOutcome } from "../../model.ts";
import type { CollectInput } from "../../transition.ts";
import { renderEligibility } from "./eligibility.ts";
import { renderAssessment } from "./repair.ts";
import { renderAuthorityTarget, renderProjection, renderReconciliation, renderStatusHead } from "./status.ts";
import { renderTransition, validationField } from "./transition-render.ts";

export function renderLaterStatus<Schema extends string, Contract extends string, Input>(
	schema: Schema,
	contract: Contract,
	outcome: StatusOutcome,
	renderInput: (input: CollectInput) => Input,
) {
	const { transition, eligibility, final_verification_retry } = outcome;
	return {
		schema,
		contract,
		...renderStatusHead(outcome),
		...renderAuthorityTarget(outcome),
		projection: renderProjection(outcome),
		repair: renderAssessment(outcome.repair),
		candidates: [...outcome.candidates],
		...renderReconciliation(outcome),
		...(eligibility !== undefined && { eligibility: renderEligibility(eligibility) }),
		...(transition !== undefined && { next_transition: renderTransition(transition, renderInput) }),
		...validationField(outcome),
		...(final_verification_retry !== undefined && { final_verification_retry }),
	};
}
