// Renders the one next transition; `input` renders what this generation's reviewers are given.

import type { TargetedValidationRequest } from "../../state.ts";
import type { CollectInput, Execution, Transition } from "../../transition.ts";
import type { CorrectionPlanRequestShape, ExecuteShape } from "./transition.ts";

function renderExecution(execution: Execution): ExecuteShape {
	const { operation, command, selector_arguments, preconditions, binding, artifacts } = execution;
	return {
		operation,
		command,
		arguments: [...execution.arguments],
		...(selector_arguments !== undefined && { selector_arguments: [...selector_arguments] }),
		preconditions: [...preconditions],
		binding,
		...(artifacts !== undefined && { artifacts: [...artifacts] }),
	};
}

export function renderTransition<Input>(transition: Transition, input: (input: CollectInput) => Input) {
	const { kind, reason_code } = transition;
	if (transition.kind === "execute") return { kind, reason_code, execute: renderExecution(transition.execute) };
	const { correction_request } = transition;
	return {
		kind,
		reason_code,
		...(transition.kind === "collect" && { collect: { inputs: transition.inputs.map(input) } }),
		// Its schema checks the rest: only a blocking finding that blames the candidate is ever in it.
		...(correction_request !== undefined && {
			correction_request: correction_request as unknown as CorrectionPlanRequestShape,
		}),
	};
}

/** What every generation says about an input; the slot goes between the two parts. */
export function inputHead({ name, schema, capture_operation }: CollectInput) {
	return { name, schema, capture_operation };
}

export function validationField(from: { readonly validation_request?: TargetedValidationRequest }) {
	return from.validation_request === undefined ? {} : { validation_request: from.validation_request };
}
