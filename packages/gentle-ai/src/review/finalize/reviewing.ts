// Closes the captured results: every selected lens has answered, and every doubt has been refuted or kept.
import { routeFindings } from "../routing.ts";
import { changedSinceFrozen, isNativelyVerifiable, nativeVerification } from "./native.ts";
import { type FinalizePlan, type FinalizeRequest, type FinalizeView, refused, refuseOthers, step } from "./request.ts";

export function planReviewing(view: FinalizeView, request: FinalizeRequest): FinalizePlan {
	const { state } = view;
	const foreign = refuseOthers(state, request, ["captured_results", "refuter"]);
	if (foreign !== undefined) return foreign;
	if (state.selected_lenses.length > 0 && !request.captured_results) {
		return refused("--captured-results", "", "given, although this review selected lenses");
	}
	const missing = state.selected_lenses.find((_, order) => view.results[order] === undefined);
	if (missing !== undefined)
		return refused("--captured-results", missing, "complete: this lens has no captured result");
	const results = view.results.flatMap((each) => each ?? []);
	const routed = routeFindings({
		findings: results.flatMap(({ result }) => result.findings),
		genesis_paths: state.genesis_paths,
		proves: view.proves,
		refuter: request.refuter ?? [],
	});
	if (!routed.routed) {
		return refused("--refuter", routed.finding_ids.join(","), `a complete refuter batch (${routed.reason})`);
	}
	const review = step(state, {
		type: "review/complete-review",
		results: results.map(({ result, admission }) => ({ result, result_hash: admission.result_hash })),
		routed,
	});
	if (review.state.state !== "validating" || !isNativelyVerifiable(review.state))
		return { kind: "advance", steps: [review] };
	if (!view.target_unchanged) return changedSinceFrozen(state);
	return { kind: "advance", steps: [review, nativeVerification(view, review.state)] };
}
