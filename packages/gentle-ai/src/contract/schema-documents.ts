// What `gentle-ai review schema` prints: the shapes that somebody outside writes, as JSON Schemas with sorted keys.
import type { TSchema } from "typebox";
import * as Type from "typebox";
import { sortedRecord } from "./canonical.ts";
import { PATTERNS } from "./limits.ts";
import { RefuterBatch, ValidatorResult } from "./payload-schemas.ts";
import { REFUTER_SCHEMA_ID, REVIEWER_SCHEMA_ID, VALIDATOR_SCHEMA_ID } from "./payloads.ts";
import { NonEmpty, Sha256Schema } from "./scalar-schemas.ts";
import type { SchemaName } from "./schema-names.ts";
import { FinalVerificationIncidentSchema, VerificationRecordSchema } from "./verification-schemas.ts";
import { CAUSAL_DISPOSITIONS, EVIDENCE_CLASSES, isSevere, LENSES, SEVERITIES, SHORT_LENSES } from "./vocabulary.ts";

const closed = { additionalProperties: false } as const;

const severe = SEVERITIES.filter(isSevere);

const Finding = Type.Object(
	{
		id: Type.Optional(Type.String({ pattern: PATTERNS.findingId })),
		lens: Type.Optional(Type.Enum([...SHORT_LENSES])),
		location: NonEmpty,
		severity: Type.Enum([...SEVERITIES]),
		claim: NonEmpty,
		proof_refs: Type.Array(NonEmpty, { minItems: 1 }),
		evidence_class: Type.Optional(Type.Enum([...EVIDENCE_CLASSES])),
		causal_disposition: Type.Optional(Type.Enum([...CAUSAL_DISPOSITIONS])),
	},
	{
		...closed,
		if: { properties: { severity: { enum: severe } }, required: ["severity"] },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: { required: ["evidence_class", "causal_disposition"] },
	},
);

/** The whole answer as the contract wants it; what is read leniently is still written like this. */
const Reviewer = Type.Object(
	{
		subject_hash: Sha256Schema,
		inspection: Type.Object(
			{ status: Type.Literal("completed"), paths: Type.Array(NonEmpty, { uniqueItems: true }) },
			closed,
		),
		lens: Type.Optional(Type.Enum([...LENSES])),
		findings: Type.Array(Finding),
		evidence: Type.Array(NonEmpty, { minItems: 1 }),
	},
	closed,
);

const RawEvidence = Type.String({ minLength: 1 });

const BASE = "https://gentle-ai.dev/schema/review";

const DOCUMENTS: Readonly<Record<SchemaName, readonly [id: string, title: string, schema: TSchema]>> = {
	reviewer: [REVIEWER_SCHEMA_ID, "Reviewer answer", Reviewer],
	refuter: [REFUTER_SCHEMA_ID, "Refuter batch", RefuterBatch],
	validator: [VALIDATOR_SCHEMA_ID, "Targeted validation", ValidatorResult],
	"verification-evidence": [
		`${BASE}/verification-evidence/v1`,
		"Verification evidence: the raw output of a verification, not a JSON object",
		RawEvidence,
	],
	"verification-evidence-record": [
		`${BASE}/verification-evidence-record/v2`,
		"Verification evidence record",
		VerificationRecordSchema,
	],
	"final-verification-incident": [
		`${BASE}/final-verification-incident/v1`,
		"Incident of a final verification",
		FinalVerificationIncidentSchema,
	],
};

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	return sortedRecord(Object.entries(value).map(([key, each]) => [key, sorted(each)] as const));
}

export function schemaDocument(name: SchemaName): unknown {
	const [$id, title, schema] = DOCUMENTS[name];
	const $schema = "https://json-schema.org/draft/2020-12/schema";
	return sorted(JSON.parse(JSON.stringify({ $schema, $id, title, ...schema })));
}
