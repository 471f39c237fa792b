// The names that documents say of themselves; whoever only renders one builds no schema for it.
export const SCHEMA_NAMES = {
	capabilities: "gentle-ai.review-integration.capabilities/v2",
	start: "gentle-ai.review-integration.start/v3",
	status: "gentle-ai.review-integration.status/v3",
	consent: "gentle-ai.review-integration.consent/v2",
	operation: "gentle-ai.review-integration.operation/v2",
	failure: "gentle-ai.review-integration.failure/v2",
	projection: "gentle-ai.review-integration.projection/v1",
	repair: "gentle-ai.review-authority-repair-assessment/v1",
	gateResult: "gentle-ai.review-gate-result/v1",
} as const;

export const RUN_SCHEMA = "gentle-ai.review-run/v1";
