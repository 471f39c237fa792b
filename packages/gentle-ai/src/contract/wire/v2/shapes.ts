// Contract v2 of the receipt lifecycle: reviewers are given two trees. Types, checks and published JSON Schemas all come
// from here. Field order is the order on the wire.
import type { Static, TProperties } from "typebox";
import * as Type from "typebox";
import { ArtifactSubjectSchema } from "../../result-schemas.ts";
import { LineageIdSchema, Sha256Schema, TreeSchema } from "../../scalar-schemas.ts";
import { LENSES, SHORT_LENSES } from "../../vocabulary.ts";
import { consentShape } from "../shared/consent-shapes.ts";
import { FirstEligibilityShape } from "../shared/eligibility-shapes.ts";
import { failureShape } from "../shared/failure.ts";
import { operationShape } from "../shared/operation-shapes.ts";
import { ContractV2, closed, Manifest } from "../shared/parts.ts";
import { repairShape } from "../shared/repair-shapes.ts";
import { RepositoryContextField, startConditions, startHead } from "../shared/start-shapes.ts";
import { laterStatusShape } from "../shared/status-shapes.ts";
import { inputShape, transitionShape } from "../shared/transition.ts";

const PREFIX = "gentle-ai.review-integration" as const;

const trees = ["base_tree", "candidate_tree"];

export const StartV3 = Type.Object(
	{
		schema: Type.Literal(`${PREFIX}.start/v3`),
		contract: ContractV2,
		...startHead,
		artifact_subjects: Type.Array(ArtifactSubjectSchema, { maxItems: 4 }),
		changed_path_manifest: Type.Optional(Manifest),
		repository_context: RepositoryContextField,
	},
	{
		...closed,
		dependentRequired: {
			target_mode: ["target_identity", ...trees],
			target_identity: ["target_mode", ...trees],
			base_tree: ["candidate_tree"],
			candidate_tree: ["base_tree"],
			changed_path_manifest: trees,
		},
		allOf: startConditions(...trees, "changed_path_manifest"),
	},
);
export type StartV3 = Static<typeof StartV3>;

const slot = {
	artifact_subject: Type.Optional(ArtifactSubjectSchema),
	base_tree: Type.Optional(TreeSchema),
	candidate_tree: Type.Optional(TreeSchema),
	changed_path_manifest: Type.Optional(Manifest),
} as const satisfies TProperties;

const Input = inputShape(slot);
export type InputV2 = Static<typeof Input>;
const TransitionV2 = transitionShape(Input);

export const StatusV3 = laterStatusShape(`${PREFIX}.status/v3`, ContractV2, TransitionV2);
export type StatusV3 = Static<typeof StatusV3>;

export const ConsentV2 = consentShape(`${PREFIX}.consent/v2`, ContractV2);
export const OperationV2 = operationShape(`${PREFIX}.operation/v2`, ContractV2, FirstEligibilityShape, TransitionV2);
export const FailureV2 = failureShape(`${PREFIX}.failure/v2`, ContractV2);
export const RepairV2 = repairShape(`${PREFIX}.repair/v2`, ContractV2);

/** A result that was admitted but not kept. */
export const CaptureDryRun = Type.Object(
	{
		schema: Type.Literal("gentle-ai.review-capture-result-dry-run/v1"),
		operation: Type.Literal("review/capture-result"),
		validation: Type.Literal("accepted"),
		lineage_id: LineageIdSchema,
		lens: Type.Enum([...SHORT_LENSES, ...LENSES]),
		selected_order: Type.Integer({ minimum: 0, maximum: 3 }),
		subject_hash: Sha256Schema,
		admission_decision: Type.Optional(Type.Literal("completed")),
	},
	closed,
);
