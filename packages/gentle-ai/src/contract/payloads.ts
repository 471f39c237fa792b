// What reviewers and refuters may answer, as published under `gentle-ai review schema`.
import type { CAUSAL_DISPOSITIONS, EVIDENCE_CLASSES, SHORT_LENSES } from "./vocabulary.ts";

export type {
	DecodedFinding,
	DecodedReviewerResult,
	RefuterRow,
	ValidatorResult,
} from "./payload-schemas.ts";

export const REVIEWER_SCHEMA_ID = "https://gentle-ai.dev/schema/review/reviewer/v1";
export const VALIDATOR_SCHEMA_ID = "https://gentle-ai.dev/schema/review/validator/v1";
export const REFUTER_SCHEMA_ID = "https://gentle-ai.dev/schema/review/refuter/v1";

/** What a reviewer writes; every field as the contract wants it. */
export type ReviewerAnswer = {
	readonly subject_hash: string;
	readonly inspection: { readonly status: "completed"; readonly paths: readonly string[] };
	readonly findings: readonly ReviewerFinding[];
	readonly evidence: readonly string[];
};

export type ReviewerFinding = {
	readonly id?: string;
	readonly lens?: (typeof SHORT_LENSES)[number];
	readonly location: string;
	readonly severity: "BLOCKER" | "CRITICAL" | "WARNING" | "SUGGESTION";
	readonly claim: string;
	readonly proof_refs: readonly string[];
	readonly evidence_class?: (typeof EVIDENCE_CLASSES)[number];
	readonly causal_disposition?: (typeof CAUSAL_DISPOSITIONS)[number];
};
