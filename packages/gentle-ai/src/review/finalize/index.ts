// FINALIZE as a plan: which transitions this request commits, in order, or why it commits none. The caller records it.
import { planCorrection } from "./correction.ts";
import { type FinalizePlan, type FinalizeRequest, type FinalizeView, refuseOthers } from "./request.ts";
import { planReviewing } from "./reviewing.ts";
import { planValidating } from "./validating.ts";

export type { CorrectedCandidate, FinalizePlan, FinalizeRequest } from "./request.ts";

export function planFinalize(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	switch (view.state.state) {
		case "reviewing":
			return planReviewing(view, request);
		case "correction_required":
			return planCorrection(view, request);
		case "validating":
			return planValidating(view, request);
		case "approved":
		case "escalated":
		case "invalidated":
			return refuseOthers(view.state, request, []) ?? { kind: "replay" };
	}
}
