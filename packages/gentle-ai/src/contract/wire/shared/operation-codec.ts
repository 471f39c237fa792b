// The envelope of FINALIZE, the gates and a retry: the same in every generation, but for its names and what an input is.

import type { FinalizeOutcome, GateOutcome, RetryOutcome } from "../../model.ts";
import type { CollectInput } from "../../transition.ts";
import { renderFinalized, renderGateResult, renderRetried } from "./operation.ts";
import { renderTransition } from "./transition-render.ts";

export function operationCodec<Schema extends string, Contract extends string, Input>(
	schema: Schema,
	contract: Contract,
	renderInput: (input: CollectInput) => Input,
) {
	const envelope = <Operation extends string, Result>(operation: Operation, result: Result) => ({
		schema,
		contract,
		operation,
		result,
	});
	return {
		renderFinalize: (outcome: FinalizeOutcome) => {
			const { transition } = outcome;
			const next = transition === undefined ? undefined : renderTransition(transition, renderInput);
			return envelope("review.finalize", renderFinalized(outcome, next));
		},
		renderGate: (outcome: GateOutcome) => envelope("review.validate", renderGateResult(outcome)),
		renderRetry: (outcome: RetryOutcome) => envelope("review.retry_final_verification", renderRetried(outcome)),
	};
}
