// The codec of contract v1: version-neutral answers in, documents of this generation out.
import type {
	CollectInput,
	ConsentQuestion,
	FinalizeOutcome,
	GateOutcome,
	RetryOutcome,
	StartOutcome,
	StatusOutcome,
} from "../../model.ts";
import { type CandidateDiff, patchSubject } from "../../patch.ts";
import { renderConsentBody } from "../shared/consent.ts";
import { renderEligibility, renderFirstEligibility } from "../shared/eligibility.ts";
import { renderFinalized, renderGateResult, renderRetried } from "../shared/operation.ts";
import type { CandidateDiffShape } from "../shared/parts.ts";
import { renderAssessment } from "../shared/repair.ts";
import { renderContext, renderStartHead } from "../shared/start.ts";
import { renderAuthorityTarget, renderProjection, renderReconciliation, renderStatusHead } from "../shared/status.ts";
import { inputHead, renderTransition, validationField } from "../shared/transition-render.ts";
import type { InputV1, StartV1, StartV2, StatusV1, StatusV2 } from "./shapes.ts";

const contract = "gentle-ai.review-integration/v1" as const;
const PREFIX = "gentle-ai.review-integration";

function renderDiff({ bytes, sha256 }: CandidateDiff): CandidateDiffShape {
	return { encoding: "base64", data: Buffer.from(bytes).toString("base64"), sha256, byte_size: bytes.length };
}

function requireDiff(diff: CandidateDiff | undefined): CandidateDiff {
	if (diff === undefined) throw new Error("contract v1 was answered without the candidate's patch");
	return diff;
}

function renderTransport(outcome: StartOutcome) {
	if (outcome.selected_lenses.length === 0) return {};
	return {
		candidate_diff: renderDiff(requireDiff(outcome.candidate_diff)),
		changed_path_manifest: [...outcome.manifest],
	};
}

function renderSubjects({ context, subjects, candidate_diff }: StartOutcome) {
	if (context === undefined || subjects.length === 0) return [];
	const { sha256 } = requireDiff(candidate_diff);
	return subjects.map((subject) => patchSubject(subject, sha256));
}

function renderStart(outcome: StartOutcome): StartV2 {
	return {
		schema: `${PREFIX}.start/v2`,
		contract,
		...renderStartHead(outcome, false),
		artifact_subjects: renderSubjects(outcome),
		...renderTransport(outcome),
		...renderContext(outcome),
	};
}

/** The first shape of START, as packages before the artifact subjects said it. */
export function renderFirstStart(outcome: StartOutcome): StartV1 {
	return {
		schema: `${PREFIX}.start/v1`,
		contract,
		...renderStartHead(outcome, false),
		...renderTransport(outcome),
		...renderContext(outcome),
	};
}

/** A slot is named by its lens and order; which transport a result came through is in its own subject hash. */
function argumentsOf(input: CollectInput) {
	return input.arguments.filter(({ name }) => input.slot === undefined || name !== "subject-hash");
}

function renderFirstInput(input: CollectInput) {
	return { ...inputHead(input), arguments: argumentsOf(input), ...validationField(input) };
}

function renderInput(input: CollectInput, diff: CandidateDiff | undefined): InputV1 {
	const { slot } = input;
	return {
		...inputHead(input),
		arguments: argumentsOf(input),
		...(slot !== undefined && {
			artifact_subject: patchSubject(slot.subject, requireDiff(diff).sha256),
			candidate_diff: renderDiff(requireDiff(diff)),
			changed_path_manifest: [...slot.manifest],
		}),
		...validationField(input),
	};
}

function renderStatus(outcome: StatusOutcome): StatusV2 {
	const { transition, eligibility, final_verification_retry } = outcome;
	return {
		schema: `${PREFIX}.status/v2`,
		contract,
		...renderStatusHead(outcome),
		...renderAuthorityTarget(outcome),
		projection: renderProjection(outcome),
		repair: renderAssessment(outcome.repair),
		candidates: [...outcome.candidates],
		...renderReconciliation(outcome),
		...(eligibility !== undefined && { eligibility: renderEligibility(eligibility) }),
		...(transition !== undefined && {
			next_transition: renderTransition(transition, (input) => renderInput(input, outcome.candidate_diff)),
		}),
		...validationField(outcome),
		...(final_verification_retry !== undefined && { final_verification_retry }),
	};
}

/** The first shape of STATUS, as packages before the classified repair said it; a retry has no word there. */
export function renderFirstStatus(outcome: StatusOutcome): StatusV1 {
	const { transition, eligibility } = outcome;
	return {
		schema: `${PREFIX}.status/v1`,
		contract,
		...renderStatusHead(outcome),
		projection: renderProjection(outcome),
		candidates: [...outcome.candidates],
		...renderReconciliation(outcome),
		...(eligibility !== undefined && { eligibility: renderFirstEligibility(eligibility) }),
		...(transition !== undefined && { next_transition: renderTransition(transition, renderFirstInput) }),
		...validationField(outcome),
	} as StatusV1;
}

function renderConsent(question: ConsentQuestion) {
	return { schema: `${PREFIX}.consent/v1`, contract, ...renderConsentBody(question, false) } as const;
}

function renderFinalize(outcome: FinalizeOutcome) {
	const { transition } = outcome;
	const next = transition === undefined ? undefined : renderTransition(transition, renderFirstInput);
	return {
		schema: `${PREFIX}.operation/v1`,
		contract,
		operation: "review.finalize",
		result: renderFinalized(outcome, next),
	} as const;
}

function renderGate(outcome: GateOutcome) {
	return {
		schema: `${PREFIX}.operation/v1`,
		contract,
		operation: "review.validate",
		result: renderGateResult(outcome),
	} as const;
}

function renderRetry(outcome: RetryOutcome) {
	return {
		schema: `${PREFIX}.operation/v1`,
		contract,
		operation: "review.retry_final_verification",
		result: renderRetried(outcome),
	} as const;
}

export const v1 = { renderStart, renderStatus, renderConsent, renderFinalize, renderGate, renderRetry };
