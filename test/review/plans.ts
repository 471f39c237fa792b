// Plans of FINALIZE for the tests: one request on one state, with everything that a view of it holds.
import { lensResultHash, stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type {
	AdmittedFinding,
	AdmittedResult,
	ReviewState,
	VerificationRecord,
} from "../../packages/gentle-ai/src/contract/state.ts";
import { shortLens, type VerificationOutcome } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	artifactSubjects,
	type FinalizePlan,
	type FinalizeRequest,
	planFinalize,
} from "../../packages/gentle-ai/src/review/index.ts";
import { digest, MANIFEST, SNAPSHOT } from "./states.ts";

export const NOTHING: FinalizeRequest = {
	captured_results: false,
	captured_evidence: false,
	failed: undefined,
	correction_lines: undefined,
	refuter: undefined,
	validation: undefined,
};

export function results(state: ReviewState, findings: readonly AdmittedFinding[] = []): AdmittedResult[] {
	return artifactSubjects(state, MANIFEST).map((subject) => {
		const own = findings.filter(({ lens }) => lens === shortLens(subject.lens));
		const result = { lens: subject.lens, findings: own, evidence: ["read it all"] };
		return {
			schema: "gentle-ai.review-admitted-result/v2",
			subject,
			admission: {
				schema: "gentle-ai.review-artifact-admission/v1",
				decision: "completed",
				subject_hash: subject.subject_hash,
				raw_sha256: digest("a"),
				canonical_sha256: digest("b"),
				result_hash: lensResultHash(result),
				candidate_causal_finding_ids: [],
			},
			result,
		};
	});
}

export type View = Parameters<typeof planFinalize>[0];

export function plan(
	state: ReviewState,
	request: Partial<FinalizeRequest> = {},
	facts: Partial<View> = {},
): FinalizePlan {
	const view: View = {
		state,
		results: results(state),
		evidence: undefined,
		correction: undefined,
		risk_reasons: [{ code: "non_executable_only" }],
		target_unchanged: true,
		proves: () => true,
		...facts,
	};
	return planFinalize(view, { ...NOTHING, ...request });
}

export function steps(planned: FinalizePlan) {
	if (planned.kind !== "advance") throw new Error(JSON.stringify(planned));
	return planned.steps;
}

export function blocker(changes: Partial<AdmittedFinding> = {}): AdmittedFinding {
	return {
		id: "R3-001",
		lens: "reliability",
		location: "tracked.txt:1",
		severity: "BLOCKER",
		claim: "it breaks",
		proof_refs: ["tracked.txt:1"],
		evidence_class: "deterministic",
		causal_disposition: "introduced",
		...changes,
	};
}

export function record(state: ReviewState, outcome: VerificationOutcome): VerificationRecord {
	return {
		schema: "gentle-ai.review-verification-evidence/v2",
		version: 2,
		lineage_id: state.lineage_id,
		authority_revision: stateRevision(state),
		target_identity: SNAPSHOT.identity,
		candidate_tree: SNAPSHOT.candidate_tree,
		paths_digest: SNAPSHOT.paths_digest,
		paths: ["tracked.txt"],
		ledger_ids: [],
		raw_payload_sha256: digest("e"),
		raw_payload_bytes: 10,
		outcome,
		record_digest: digest("f"),
	};
}
