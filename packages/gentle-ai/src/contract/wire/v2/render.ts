// The codec of contract v2: version-neutral answers in, documents of this generation out.

import type { ConsentQuestion, StartOutcome, StatusOutcome } from "../../model.ts";
import type { CollectInput } from "../../transition.ts";
import { renderConsentBody } from "../shared/consent.ts";
import { renderLaterStatus } from "../shared/later-status.ts";
import { operationCodec } from "../shared/operation-codec.ts";
import { renderContext, renderStartHead } from "../shared/start.ts";
import { inputHead, validationField } from "../shared/transition-render.ts";
import type { InputV2, StartV3, StatusV3 } from "./shapes.ts";

const contract = "gentle-ai.review-integration/v2" as const;
const PREFIX = "gentle-ai.review-integration" as const;

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
	return renderLaterStatus(`${PREFIX}.status/v3`, contract, outcome, renderInput);
}

function renderConsent(question: ConsentQuestion) {
	return { schema: `${PREFIX}.consent/v2`, contract, ...renderConsentBody(question, true) } as const;
}

export const v2 = {
	renderStart,
	renderStatus,
	renderConsent,
	...operationCodec(`${PREFIX}.operation/v2`, contract, renderInput),
};
