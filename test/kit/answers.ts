// What a reviewer or a refuter would write: answers that the published schemas accept.
import type { Input, ManifestEntry, Subject, ValidationRequest } from "./documents.ts";

export type Finding = {
	readonly id?: string;
	readonly location: string;
	readonly severity: "BLOCKER" | "CRITICAL" | "WARNING" | "SUGGESTION";
	readonly claim: string;
	readonly proof_refs: readonly string[];
	readonly evidence_class?: "deterministic" | "inferential" | "insufficient";
	readonly causal_disposition?: string;
};

/** A severe claim against the candidate at a line that it changed. */
export function blocker(location: string, over: Partial<Finding> = {}): Finding {
	return {
		location,
		severity: "BLOCKER",
		claim: "The value that this line sets breaks every caller",
		proof_refs: [`changed-hunk:${location}`],
		evidence_class: "deterministic",
		causal_disposition: "introduced",
		...over,
	};
}

export function warning(location: string): Finding {
	return {
		location,
		severity: "WARNING",
		claim: "This name says little",
		proof_refs: [`changed-hunk:${location}`],
	};
}

export function reviewerAnswer(
	subject: Pick<Subject, "subject_hash">,
	manifest: readonly Pick<ManifestEntry, "path">[],
	findings: readonly Finding[] = [],
): string {
	return JSON.stringify({
		subject_hash: subject.subject_hash,
		inspection: { status: "completed", paths: manifest.map(({ path }) => path) },
		findings,
		evidence: ["Read every changed path of the candidate and its callers"],
	});
}

/** The answer to one printed reviewer slot. */
export function answerTo(input: Input, findings: readonly Finding[] = []): string {
	if (input.artifact_subject === undefined || input.changed_path_manifest === undefined) {
		throw new Error(`${input.name} is not a reviewer slot`);
	}
	return reviewerAnswer(input.artifact_subject, input.changed_path_manifest, findings);
}

export function refuterAnswer(ids: readonly string[], outcome: "corroborated" | "refuted" | "inconclusive"): string {
	return JSON.stringify({
		results: ids.map((finding_id) => ({ finding_id, outcome, proof_refs: ["differential-test: ran both trees"] })),
	});
}

/** The targeted validator's word on one corrected candidate. */
export function validatorAnswer(request: ValidationRequest, passed = true): string {
	const check = (what: string) => ({ passed, evidence: [`${what} were run against the corrected tree`] });
	return JSON.stringify({
		targeted_validation_request_hash: request.request_hash,
		correction_target_identity: request.correction_target_identity,
		original_criteria: check("The criteria of the findings"),
		correction_regression: check("The tests around the correction"),
		follow_ups: [],
	});
}
