// Contract v1 of the receipt lifecycle: reviewers are given the candidate as one patch. The first shapes of START and
// STATUS are published beside the current ones; only the current ones are answered.
import type { Static, TProperties } from "typebox";
import * as Type from "typebox";
import { PatchSubjectSchema } from "../../patch-schemas.ts";
import { NonEmpty, Sha256Schema } from "../../scalar-schemas.ts";
import { RiskReasonSchema } from "../../target-schemas.ts";
import { TargetedValidationRequestSchema } from "../../verification-schemas.ts";
import { RECOVERY_DISPOSITIONS, RISK_CODES, STATUS_ACTIONS } from "../../vocabulary.ts";
import { consentShape } from "../shared/consent-shapes.ts";
import { FirstEligibilityShape } from "../shared/eligibility-shapes.ts";
import { failureShape } from "../shared/failure.ts";
import { operationShape } from "../shared/operation-shapes.ts";
import {
	CandidateDiffShape,
	CandidatesShape,
	ContractV1,
	Count,
	closed,
	Manifest,
	ProjectionShape,
} from "../shared/parts.ts";
import { repairShape } from "../shared/repair-shapes.ts";
import { RepositoryContextField, START_STATES, startConditions, startHead } from "../shared/start-shapes.ts";
import { laterStatusShape, ReconciliationField, statusConditions, statusHead } from "../shared/status-shapes.ts";
import { inputShape, transitionShape } from "../shared/transition.ts";

const PREFIX = "gentle-ai.review-integration" as const;

const overlay = ["target_mode", "target_identity", "base_tree", "candidate_tree"];
/** Trees are named for an overlay only; a patch and its manifest come together. */
const dependentRequired = {
	...Object.fromEntries(overlay.map((field) => [field, overlay.filter((other) => other !== field)])),
	candidate_diff: ["changed_path_manifest"],
	changed_path_manifest: ["candidate_diff"],
};
const startOptions = {
	...closed,
	dependentRequired,
	allOf: startConditions("candidate_diff", "changed_path_manifest"),
};
const transport = {
	candidate_diff: Type.Optional(CandidateDiffShape),
	changed_path_manifest: Type.Optional(Manifest),
} as const satisfies TProperties;

/** What came with the second generation: two states of a compact authority, and three reasons. */
const LATER_STATES = ["correction_required", "validating"];
const LATER_REASONS = ["empty_content", "process_boundary", "process_scan_limit"];

const firstReason = Type.Object(
	{ ...RiskReasonSchema.properties, code: Type.Enum(RISK_CODES.filter((code) => !LATER_REASONS.includes(code))) },
	closed,
);

export const StartV1 = Type.Object(
	{
		schema: Type.Literal(`${PREFIX}.start/v1`),
		contract: ContractV1,
		...startHead,
		state: Type.Enum(START_STATES.filter((state) => !LATER_STATES.includes(state))),
		risk_reasons: Type.Array(firstReason, { minItems: 1, uniqueItems: true }),
		...transport,
		repository_context: RepositoryContextField,
	},
	startOptions,
);
export type StartV1 = Static<typeof StartV1>;

export const StartV2 = Type.Object(
	{
		schema: Type.Literal(`${PREFIX}.start/v2`),
		contract: ContractV1,
		...startHead,
		artifact_subjects: Type.Array(PatchSubjectSchema, { maxItems: 4 }),
		...transport,
		repository_context: RepositoryContextField,
	},
	startOptions,
);
export type StartV2 = Static<typeof StartV2>;

const FirstInput = inputShape({});
const FirstTransition = transitionShape(FirstInput);

const Input = inputShape({ artifact_subject: Type.Optional(PatchSubjectSchema), ...transport });
export type InputV1 = Static<typeof Input>;
export const TransitionV1 = transitionShape(Input);

export const StatusV1 = Type.Object(
	{
		schema: Type.Literal(`${PREFIX}.status/v1`),
		contract: ContractV1,
		...statusHead,
		action: Type.Enum(STATUS_ACTIONS.filter((action) => action !== "retry_final_verification")),
		action_disposition: Type.Optional(Type.Enum(RECOVERY_DISPOSITIONS)),
		projection: ProjectionShape,
		candidates: CandidatesShape,
		reconciliation: ReconciliationField,
		eligibility: Type.Optional(FirstEligibilityShape),
		next_transition: Type.Optional(FirstTransition),
		validation_request: Type.Optional(TargetedValidationRequestSchema),
	},
	{ ...closed, allOf: statusConditions },
);
export type StatusV1 = Static<typeof StatusV1>;

export const StatusV2 = laterStatusShape(`${PREFIX}.status/v2`, ContractV1, TransitionV1);
export type StatusV2 = Static<typeof StatusV2>;

export const ConsentV1 = consentShape(`${PREFIX}.consent/v1`, ContractV1);
/** FINALIZE leaves no slot open, so its transition never holds one. */
export const OperationV1 = operationShape(`${PREFIX}.operation/v1`, ContractV1, FirstEligibilityShape, FirstTransition);
export const FailureV1 = failureShape(`${PREFIX}.failure/v1`, ContractV1);
export const RepairV1 = repairShape(`${PREFIX}.repair/v1`, ContractV1);

/** The manifest of a captured result before results were admitted. */
export const ResultArtifactV1 = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-result-artifact/v1"),
		capability: Type.Literal("review.native_result_artifact"),
		path: NonEmpty,
		sha256: Sha256Schema,
		lineage_id: NonEmpty,
		target_identity: Sha256Schema,
		lens: NonEmpty,
		selected_order: Count,
	},
	closed,
);
