// The name of the one document of a human run; whoever only renders one builds no schema for it.
export const RUN_SCHEMA = "gentle-ai.review-run/v1";
