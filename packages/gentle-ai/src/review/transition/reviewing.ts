// A lineage that waits for its reviewers, or for the refuter of what they doubt.

import { REFUTER_SCHEMA_ID, REVIEWER_SCHEMA_ID } from "../../contract/payloads.ts";
import { plainArgument, tokenArgument } from "../../contract/tokens.ts";
import type { Transition } from "../../contract/transition.ts";
import { bindingArguments, type Current, finalize, stop, withoutTokens } from "./parts.ts";

export function reviewing(current: Current): Transition {
	const { authority } = current;
	if (authority.slots.some(({ status }) => status === "unverifiable")) return stop("captured_artifacts_unverifiable");
	const open = authority.subjects.filter((_, order) => authority.slots[order]?.status !== "captured");
	if (open.length > 0) {
		return {
			kind: "collect",
			reason_code: "reviewer_results_required",
			inputs: open.map((subject) => ({
				name: "reviewer_result",
				schema: REVIEWER_SCHEMA_ID,
				capture_operation: "review.capture-result",
				arguments: [
					...bindingArguments(current),
					tokenArgument("repository-context", authority.repository_context),
					tokenArgument("lens", subject.lens),
					tokenArgument("order", String(subject.selected_order)),
					tokenArgument("subject-hash", subject.subject_hash),
				],
				slot: { subject, manifest: authority.manifest },
			})),
		};
	}
	if (authority.to_refute.length > 0) {
		return {
			kind: "collect",
			reason_code: "refuter_outcomes_required",
			inputs: [
				{
					name: "refuter_outcomes",
					schema: REFUTER_SCHEMA_ID,
					capture_operation: "external.run_refuter",
					arguments: [
						...withoutTokens(bindingArguments(current)),
						plainArgument("finding-ids", authority.to_refute.join(",")),
					],
				},
			],
		};
	}
	const artifacts = authority.slots.flatMap((slot) => (slot.status === "captured" ? [slot.artifact] : []));
	return finalize(
		current,
		"captured_results_ready",
		[tokenArgument("captured_results", "true")],
		[plainArgument("state", "reviewing"), plainArgument("captured_artifacts", "complete")],
		artifacts,
	);
}
