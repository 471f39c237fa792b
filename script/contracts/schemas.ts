// The published schemas: which shape lies where. A shape that is published by itself is referred to, not repeated.
import { posix } from "node:path";
import type { TSchema } from "typebox";
import { AdmittedPatchResultSchema, PatchSubjectSchema } from "../../packages/gentle-ai/src/contract/patch-schemas.ts";
import { RefuterBatch, ValidatorResult } from "../../packages/gentle-ai/src/contract/payload-schemas.ts";
import {
	AdmittedResultSchema,
	ArtifactSubjectSchema,
	ResultArtifactSchema,
} from "../../packages/gentle-ai/src/contract/result-schemas.ts";
import { ReviewReceiptSchema } from "../../packages/gentle-ai/src/contract/state-schemas.ts";
import {
	FinalVerificationIncidentSchema,
	TargetedValidationRequestSchema,
	VerificationRecordSchema,
} from "../../packages/gentle-ai/src/contract/verification-schemas.ts";
import { CAPABILITIES } from "../../packages/gentle-ai/src/contract/wire/capabilities/shapes.ts";
import { ReviewRun } from "../../packages/gentle-ai/src/contract/wire/run.ts";
import { ProjectionShape } from "../../packages/gentle-ai/src/contract/wire/shared/parts.ts";
import { AssessmentShape } from "../../packages/gentle-ai/src/contract/wire/shared/repair-shapes.ts";
import { CorrectionPlanRequestShape } from "../../packages/gentle-ai/src/contract/wire/shared/transition.ts";
import * as v1 from "../../packages/gentle-ai/src/contract/wire/v1/shapes.ts";
import * as v2 from "../../packages/gentle-ai/src/contract/wire/v2/shapes.ts";

const BASE = "https://gentle-ai.dev/contracts";

type Row = readonly [file: string, title: string, schema: TSchema];

const FIRST: readonly Row[] = [
	["admitted-result", "Admitted reviewer result v1", AdmittedPatchResultSchema],
	["artifact-subject", "Reviewer artifact subject v1", PatchSubjectSchema],
	["authority-repair-assessment", "Assessment of a classified repair", AssessmentShape],
	["consent", "Consent question v1", v1.ConsentV1],
	["correction-plan-request", "Request for a correction plan", CorrectionPlanRequestShape],
	["failure", "Failure envelope v1", v1.FailureV1],
	["final-verification-incident", "Incident of a final verification", FinalVerificationIncidentSchema],
	["operation", "Operation result v1", v1.OperationV1],
	["projection", "Projection of a target", ProjectionShape],
	["repair", "Classified repair v1", v1.RepairV1],
	["result-artifact", "Captured result manifest v1", v1.ResultArtifactV1],
	["result-artifact-v2", "Captured result manifest v2", ResultArtifactSchema],
	["start", "START response v1", v1.StartV1],
	["start-v2", "START response v2", v1.StartV2],
	["status", "STATUS response v1", v1.StatusV1],
	["status-v2", "STATUS response v2", v1.StatusV2],
	["targeted-validation-request", "Request for a targeted validation", TargetedValidationRequestSchema],
	["verification-evidence", "Verification evidence record v2", VerificationRecordSchema],
];

const SECOND: readonly Row[] = [
	["admitted-result", "Admitted reviewer result v2", AdmittedResultSchema],
	["artifact-subject", "Reviewer artifact subject v2", ArtifactSubjectSchema],
	["capture-result-dry-run", "Dry run of a capture", v2.CaptureDryRun],
	["consent", "Consent question v2", v2.ConsentV2],
	["failure", "Failure envelope v2", v2.FailureV2],
	["operation", "Operation result v2", v2.OperationV2],
	["receipt", "Receipt v2", ReviewReceiptSchema],
	["refuter", "Refuter batch v1", RefuterBatch],
	["repair", "Classified repair v2", v2.RepairV2],
	["result-artifact", "Captured result manifest v2", ResultArtifactSchema],
	["start", "START response v3", v2.StartV3],
	["status", "STATUS response v3", v2.StatusV3],
	["validator", "Targeted validation v1", ValidatorResult],
	["verification-evidence", "Verification evidence record v2", VerificationRecordSchema],
];

function capabilityRows(major: string): Row[] {
	return CAPABILITIES.filter(({ minor }) => minor.startsWith(major)).map(({ minor, schema }) => {
		const name = minor.endsWith(".0") ? "capabilities" : `capabilities-${minor}`;
		return [name, `Capabilities of protocol ${minor.slice(1)}`, schema];
	});
}

type Published = { readonly path: string; readonly title: string; readonly schema: TSchema };

function below(folder: string, rows: readonly Row[]): Published[] {
	return rows.map(([file, title, schema]) => ({ path: `${folder}/${file}.schema.json`, title, schema }));
}

const PUBLISHED: readonly Published[] = [
	...below("review-integration/v1/schemas", [...FIRST, ...capabilityRows("v1")]),
	...below("review-integration/v2/schemas", [...SECOND, ...capabilityRows("v2")]),
	{ path: "review-run/v1/review-run.schema.json", title: "Human review run v1", schema: ReviewRun },
];

/** Where each published shape lies; one that lies in both folders is referred to in the reader's own. */
const PLACES = new Map<string, string[]>();
for (const { path, schema } of PUBLISHED) {
	const text = JSON.stringify(schema);
	PLACES.set(text, [...(PLACES.get(text) ?? []), path]);
}

/** Draft 2020-12 calls the parts of a tuple `prefixItems`. */
function entriesOf(node: object): [string, unknown][] {
	const entries = Object.entries(node).filter(([key]) => key !== "additionalItems");
	return entries.flatMap(([key, value]): [string, unknown][] =>
		key === "items" && Array.isArray(value)
			? [
					["prefixItems", value],
					["items", false],
				]
			: [[key, value]],
	);
}

function linked(node: unknown, from: string, isRoot: boolean): unknown {
	if (Array.isArray(node)) return node.map((each) => linked(each, from, false));
	if (typeof node !== "object" || node === null) return node;
	const places = isRoot ? [] : (PLACES.get(JSON.stringify(node)) ?? []);
	const place = places.find((path) => posix.dirname(path) === posix.dirname(from)) ?? places[0];
	if (place !== undefined) return { $ref: posix.relative(posix.dirname(from), place) };
	return Object.fromEntries(entriesOf(node).map(([key, value]) => [key, linked(value, from, false)]));
}

/** Every schema file: its path below contracts/, and its text. */
export function schemaFiles(): [path: string, text: string][] {
	return PUBLISHED.map(({ path, title, schema }) => {
		const head = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: `${BASE}/${path}`, title };
		return [path, `${JSON.stringify({ ...head, ...(linked(schema, path, true) as object) }, null, "\t")}\n`];
	});
}
