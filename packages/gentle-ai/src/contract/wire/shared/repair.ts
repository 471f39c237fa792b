// The classified repair as documents.
import type { RepairAssessment } from "../../model.ts";
import type { AssessmentShape } from "./repair-shapes.ts";
import { AUTHORIZATION, CAUSE, CLASS, DISPOSITION, REPAIR_INPUTS, SUPPORTED } from "./repair-words.ts";

/** Without a historical record there is nothing to repair: one bounded sentinel. */
export function renderAssessment(repair: RepairAssessment | undefined): AssessmentShape {
	const counts = { lineages: 0, compact_lineages: 0, legacy_lineages: 0, events: 0, bytes: 0 };
	const rest = {
		supported_operations: [...SUPPORTED] as AssessmentShape["supported_operations"],
		authorization_schema: AUTHORIZATION,
	} as const;
	const schema = "gentle-ai.review-authority-repair-assessment/v1";
	if (repair === undefined) {
		return {
			schema,
			status: "unsupported",
			counts: { ...counts, eligible_candidates: 0, unsupported_lineages: 0, conflicts: 0 },
			...rest,
		};
	}
	const { repository_binding, candidate, bytes } = repair;
	return {
		schema,
		status: "eligible",
		class: CLASS,
		cause: CAUSE,
		disposition: DISPOSITION,
		repository_binding,
		candidate: { ...candidate, operations: [...candidate.operations] },
		counts: {
			...counts,
			lineages: 1,
			legacy_lineages: 1,
			events: candidate.event_count,
			bytes,
			eligible_candidates: 1,
			unsupported_lineages: 0,
			conflicts: 0,
		},
		...rest,
	};
}

/** The answer of a preflight that found one record to repair. */
export function renderRepairPreflight(repair: RepairAssessment) {
	const { repository_binding, candidate } = repair;
	return {
		operation: "review.repair",
		mode: "preflight",
		assessment: renderAssessment(repair),
		provider_inputs: {
			class: CLASS,
			lineage_id: candidate.lineage_id,
			expected_revision: candidate.revision,
			cause: CAUSE,
			disposition: DISPOSITION,
			repository_binding,
			authorization_schema: AUTHORIZATION,
		},
		required_inputs: [...REPAIR_INPUTS],
	} as const;
}
