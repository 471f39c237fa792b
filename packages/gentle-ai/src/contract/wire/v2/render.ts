// The codec of contract v2: version-neutral answers in, documents of this generation out.
import type {
	CollectInput,
	ConsentQuestion,
	FinalizeOutcome,
	GateOutcome,
	RetryOutcome,
	StartOutcome,
	StatusOutcome,
} from "../../model.ts";
import { renderConsentBody } from "../shared/consent.ts";
import { renderEligibility } from "../shared/eligibility.ts";
import { renderFinalized, renderGateResult, renderRetried } from "../shared/operation.ts";
import { renderAssessment } from "../shared/repair.ts";
import { renderContext, renderStartHead } from "../shared/start.ts";
import { renderAuthorityTarget, renderProjection, renderReconciliation, renderStatusHead } from "../shared/status.ts";
import { inputHead, renderTransition, validationField } from "../shared/transition-render.ts";
import type { InputV2, StartV3, StatusV3 } from "./shapes.ts";

const contract = "gentle-ai.review-integration/v2" as const;
const PREFIX = "gentle-ai.review-integration";

function renderStart(outcome: StartOutcome): StartV3 {
	const reviewed = outcome.selected_lenses.length > 0;
	return {
		schema: `${PREFIX}.start/v3`,
		contract,
		...renderStartHead(outcome, true),
		artifact_subjects: outcome.context === undefined ? [] : [...outcome.subjects],
		...(reviewed && { changed_path_manifest: [...outcome.manifest] }),
		...renderContext(outcome),
	};
}

function renderInput(input: CollectInput): InputV2 {
	const { slot } = input;
	return {
		...inputHead(input),
		arguments: [...input.arguments],
		...(slot !== undefined && {
			artifact_subject: slot.subject,
			base_tree: slot.subject.base_tree,
			candidate_tree: slot.subject.candidate_tree,
			changed_path_manifest: [...slot.manifest],
		}),
		...validationField(input),
	};
}

function renderStatus(outcome: StatusOutcome): StatusV3 {
	const { transition, eligibility, final_verification_retry } = outcome;
	return {
		schema: `${PREFIX}.status/v3`,
		contract,
		...renderStatusHead(outcome),
		...renderAuthorityTarget(outcome),
		projection: renderProjection(outcome),
		repair: renderAssessment(outcome.repair),
		candidates: [...outcome.candidates],
		...renderReconciliation(outcome),
		...(eligibility !== undefined && { eligibility: renderEligibility(eligibility) }),
		...(transition !== undefined && { next_transition: renderTransition(transition, renderInput) }),
		...validationField(outcome),
		...(final_verification_retry !== undefined && { final_verification_retry }),
	};
}

function renderConsent(question: ConsentQuestion) {
	return { schema: `${PREFIX}.consent/v2`, contract, ...renderConsentBody(question, true) } as const;
}

function renderFinalize(outcome: FinalizeOutcome) {
	const { transition } = outcome;
	const next = transition === undefined ? undefined : renderTransition(transition, renderInput);
	return {
		schema: `${PREFIX}.operation/v2`,
		contract,
		operation: "review.finalize",
		result: renderFinalized(outcome, next),
	} as const;
}

function renderGate(outcome: GateOutcome) {
	return {
		schema: `${PREFIX}.operation/v2`,
		contract,
		operation: "review.validate",
		result: renderGateResult(outcome),
	} as const;
}

function renderRetry(outcome: RetryOutcome) {
	return {
		schema: `${PREFIX}.operation/v2`,
		contract,
		operation: "review.retry_final_verification",
		result: renderRetried(outcome),
	} as const;
}

export const v2 = { renderStart, renderStatus, renderConsent, renderFinalize, renderGate, renderRetry };
