// Closes a reviewed candidate with the evidence of its verification.
import { changedSinceFrozen, isNativelyVerifiable, nativeVerification } from "./native.ts";
import {
	disagreement,
	evidenceOf,
	type FinalizePlan,
	type FinalizeRequest,
	type FinalizeView,
	type Input,
	refused,
	refuseOthers,
	step,
} from "./request.ts";

export function planValidating(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state, evidence } = view;
	const accepted: Input[] = request.captured_evidence ? ["captured_evidence", "failed"] : [];
	const foreign = refuseOthers(state, request, accepted);
	if (foreign !== undefined) return foreign;
	if (!request.captured_evidence) {
		if (!isNativelyVerifiable(state)) {
			return refused("--captured-evidence", "", "given, although this review needs verification evidence");
		}
		if (!view.target_unchanged) return changedSinceFrozen(state);
		return { kind: "advance", steps: [nativeVerification(view, state)] };
	}
	if (evidence === undefined) {
		return refused("--captured-evidence", "true", "backed by evidence captured for this revision and candidate");
	}
	return (
		disagreement(request, evidence) ?? {
			kind: "advance",
			steps: [step(state, { type: "review/complete-verification", evidence: evidenceOf(evidence) })],
		}
	);
}
