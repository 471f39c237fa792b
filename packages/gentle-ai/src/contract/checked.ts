// Every shape that the program checks while it runs, by name. The build compiles one check out of each of them.
import type { Static } from "typebox";
import { EngineAnswerSchema } from "./engine-schemas.ts";
import { CloneModeSchema, LocatorSchema } from "./local-schemas.ts";
import { StoredEnvelopeSchema } from "./patch-schemas.ts";
import { DecodedReviewerResult, RefuterBatch, ValidatorResult } from "./payload-schemas.ts";
import { ResultArtifactSchema } from "./result-schemas.ts";
import { ReviewStateSchema } from "./state-schemas.ts";
import { FrozenFactsSchema, SnapshotSchema } from "./target-schemas.ts";
import { VerificationRecordSchema } from "./verification-schemas.ts";

export const CHECKED = {
	CloneMode: CloneModeSchema,
	DecodedReviewerResult,
	EngineAnswer: EngineAnswerSchema,
	FrozenFacts: FrozenFactsSchema,
	Locator: LocatorSchema,
	RefuterBatch,
	ResultArtifact: ResultArtifactSchema,
	ReviewState: ReviewStateSchema,
	Snapshot: SnapshotSchema,
	StoredEnvelope: StoredEnvelopeSchema,
	ValidatorResult,
	VerificationRecord: VerificationRecordSchema,
} as const;

export type ShapeName = keyof typeof CHECKED;
export type Shape<Name extends ShapeName> = Static<(typeof CHECKED)[Name]>;
