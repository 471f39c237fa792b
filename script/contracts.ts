// Writes contracts/ from the shapes in packages/gentle-ai/src/contract: `node script/contracts.ts`. With --check it
// writes nothing and fails when a published file is not what the code says.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { TSchema } from "typebox";
import { RefuterBatch } from "../packages/gentle-ai/src/contract/payloads.ts";
import {
	AdmittedResultSchema,
	ArtifactSubjectSchema,
	ResultArtifactSchema,
	ReviewReceiptSchema,
	VerificationRecordSchema,
} from "../packages/gentle-ai/src/contract/state.ts";
import { ReviewRun } from "../packages/gentle-ai/src/contract/wire/run.ts";
import {
	ConsentV2,
	FailureV2,
	OperationV2,
	StartV3,
	StatusV3,
} from "../packages/gentle-ai/src/contract/wire/v2/shapes.ts";
import { ADMISSION_RULES } from "../packages/gentle-ai/src/review/index.ts";

const root = resolve(import.meta.dirname, "..", "contracts");
const base = "https://gentle-ai.dev/contracts";

type Published = { readonly path: string; readonly title: string; readonly schema: TSchema };

const PUBLISHED: readonly Published[] = [
	{ path: "review-integration/v2/schemas/start.schema.json", title: "START response v3", schema: StartV3 },
	{ path: "review-integration/v2/schemas/status.schema.json", title: "STATUS response v3", schema: StatusV3 },
	{ path: "review-integration/v2/schemas/consent.schema.json", title: "Consent question v2", schema: ConsentV2 },
	{ path: "review-integration/v2/schemas/operation.schema.json", title: "Operation result v2", schema: OperationV2 },
	{ path: "review-integration/v2/schemas/failure.schema.json", title: "Failure envelope v2", schema: FailureV2 },
	{
		path: "review-integration/v2/schemas/artifact-subject.schema.json",
		title: "Reviewer artifact subject v2",
		schema: ArtifactSubjectSchema,
	},
	{
		path: "review-integration/v2/schemas/admitted-result.schema.json",
		title: "Admitted reviewer result v2",
		schema: AdmittedResultSchema,
	},
	{
		path: "review-integration/v2/schemas/result-artifact.schema.json",
		title: "Captured result manifest v2",
		schema: ResultArtifactSchema,
	},
	{
		path: "review-integration/v2/schemas/verification-evidence.schema.json",
		title: "Verification evidence record v2",
		schema: VerificationRecordSchema,
	},
	{ path: "review-integration/v2/schemas/receipt.schema.json", title: "Receipt v2", schema: ReviewReceiptSchema },
	{ path: "review-integration/v2/schemas/refuter.schema.json", title: "Refuter batch v1", schema: RefuterBatch },
	{ path: "review-run/v1/review-run.schema.json", title: "Human review run v1", schema: ReviewRun },
];

function document({ path, title, schema }: Published): string {
	const head = { $schema: "https://json-schema.org/draft/2020-12/schema", $id: `${base}/${path}`, title };
	return `${JSON.stringify({ ...head, ...schema }, null, "\t")}\n`;
}

const files: readonly (readonly [path: string, text: string])[] = [
	...PUBLISHED.map((published) => [published.path, document(published)] as const),
	["review-integration/v2/admission-rules.json", `${JSON.stringify(ADMISSION_RULES, null, "\t")}\n`],
];

const check = process.argv.includes("--check");
for (const [name, wanted] of files) {
	const path = join(root, name);
	if (!check) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, wanted);
	} else if (!existsSync(path) || readFileSync(path, "utf8") !== wanted) {
		console.error(`contracts/${relative(root, path)} is not what the code says; run: node script/contracts.ts`);
		process.exitCode = 1;
	}
}
