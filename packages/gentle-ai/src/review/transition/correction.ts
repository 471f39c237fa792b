// The one correction: its plan, its bytes, its repository evidence, its validator. In this order, and no other.
import { correctionPlanRequestHash } from "../../contract/identities.ts";
import type { AdmittedFinding } from "../../contract/state.ts";
import { plainArgument, tokenArgument } from "../../contract/tokens.ts";
import type { CorrectionRequest, Transition } from "../../contract/transition.ts";
import { isCorrectionExhausted } from "../lineage/index.ts";
import type { CorrectionView } from "./facts.ts";
import { bindingArguments, type Current, collectEvidence, finalize, stop, withoutTokens } from "./parts.ts";

function correctionFinding(finding: AdmittedFinding): CorrectionRequest["findings"][number] {
	const { evidence_class, causal_disposition, ...rest } = finding;
	return {
		...rest,
		evidence: finding.proof_refs.join("; "),
		...(evidence_class !== undefined && { evidence_class }),
		...(causal_disposition !== undefined && { causal_disposition }),
	};
}

function correctionRequest(current: Current): CorrectionRequest {
	const { state, revision } = current.authority;
	const request = {
		schema: "gentle-ai.review-correction-plan-request/v1",
		lineage_id: state.lineage_id,
		expected_revision: revision,
		target_identity: current.target,
		correction_budget: state.correction_budget,
		fix_finding_ids: state.fix_finding_ids,
		findings: state.findings.filter(({ id }) => state.fix_finding_ids.includes(id)).map(correctionFinding),
	} as const;
	const { schema, ...rest } = request;
	return { schema, request_hash: correctionPlanRequestHash(request), ...rest };
}

function planRequired(current: Current): Transition {
	return {
		kind: "collect",
		reason_code: "correction_plan_required",
		inputs: [
			{
				name: "correction_lines",
				schema: "gentle-ai.review-correction-plan/v1",
				capture_operation: "external.plan_correction",
				arguments: withoutTokens(bindingArguments(current)),
			},
		],
		correction_request: correctionRequest(current),
	};
}

function validationRequired(current: Current, correction: CorrectionView): Transition {
	return {
		kind: "collect",
		reason_code: "targeted_validation_required",
		inputs: [
			{
				name: "targeted_validation",
				schema: correction.request.schema,
				capture_operation: "external.run_targeted_validation",
				arguments: withoutTokens(bindingArguments({ ...current, target: correction.fix.identity })),
				validation_request: correction.request,
			},
		],
	};
}

export function correctionRequired(current: Current): Transition {
	if (isCorrectionExhausted(current.authority.state)) return stop("unchanged_or_unverified_authority");
	const { state, correction } = current.authority;
	if (state.correction_forecast === undefined) return planRequired(current);
	// Over budget there is nothing to verify yet: the correction must shrink, and nothing is used up.
	if (correction === undefined || correction.actual_lines > state.correction_budget) {
		return {
			kind: "stop",
			reason_code: "corrected_candidate_unavailable",
			correction_request: correctionRequest(current),
		};
	}
	switch (correction.evidence) {
		case undefined:
			return collectEvidence(
				{ ...current, target: correction.fix.identity },
				"correction_repository_verification_required",
			);
		case "invalid":
			return stop("captured_verification_evidence_invalid");
		case "verification_failed":
			return stop("correction_repository_verification_failed");
		case "procedural_tooling_failed":
			return finalize(
				{ ...current, target: correction.fix.identity },
				"correction_repository_tooling_failed",
				[tokenArgument("captured_evidence", "true")],
				[
					plainArgument("state", "correction_required"),
					plainArgument("verification_outcome", "procedural_tooling_failed"),
				],
			);
		case "passed":
			return validationRequired(current, correction);
	}
}
