// The words of the one classified repair.
export const SUPPORTED = ["review/complete-fix", "review/validate-fix"] as const;
export const CLASS = "legacy_v1_historical_alias";
export const CAUSE = "unsupported_historical_v1_operation_alias";
export const DISPOSITION = "quarantine-approved-historical-alias";
export const AUTHORIZATION = "gentle-ai.review-repair-authorization/v1";
export const REPAIR_INPUTS = ["actor", "reason", "maintainer_authorization"] as const;
