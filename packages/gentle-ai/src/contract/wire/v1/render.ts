// The codec of contract v1: version-neutral answers in, documents of this generation out.

import type { ConsentQuestion, StartOutcome, StatusOutcome } from "../../model.ts";
import { type CandidateDiff, patchSubject } from "../../patch.ts";
import type { CollectInput } from "../../transition.ts";
import { renderConsentBody } from "../shared/consent.ts";
import { renderFirstEligibility } from "../shared/eligibility.ts";
import { renderLaterStatus } from "../shared/later-status.ts";
import { operationCodec } from "../shared/operation-codec.ts";
import type { CandidateDiffShape } from "../shared/parts.ts";
import { renderContext, renderStartHead } from "../shared/start.ts";
import { renderProjection, renderReconciliation, renderStatusHead } from "../shared/status.ts";
import { inputHead, renderTransition, validationField } from "../shared/transition-render.ts";
import type { InputV1, StartV1, StartV2, StatusV1, StatusV2 } from "./shapes.ts";

const contract = "gentle-ai.review-integration/v1" as const;
const PREFIX = "gentle-ai.review-integration" as const;

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
	return renderLaterStatus(`${PREFIX}.status/v2`, contract, outcome, (input) =>
		renderInput(input, outcome.candidate_diff),
	);
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

export const v1 = {
	renderStart,
	renderStatus,
	renderConsent,
	...operationCodec(`${PREFIX}.operation/v1`, contract, renderFirstInput),
};
