// The words of the contract: every closed set of values and its order. One definition each.

export const CONTRACTS = ["gentle-ai.review-integration/v1", "gentle-ai.review-integration/v2"] as const;
export type ContractName = (typeof CONTRACTS)[number];

export const LENSES = ["review-risk", "review-resilience", "review-readability", "review-reliability"] as const;
export type Lens = (typeof LENSES)[number];

export const SHORT_LENSES = ["risk", "resilience", "readability", "reliability"] as const;
export type ShortLens = (typeof SHORT_LENSES)[number];

/** The prefix belongs to the lens, not to its position: readability is R2 although it runs third. */
export const FINDING_PREFIX: Readonly<Record<Lens, string>> = {
	"review-risk": "R1-",
	"review-readability": "R2-",
	"review-reliability": "R3-",
	"review-resilience": "R4-",
};

/** The lens of a medium-risk candidate when nobody names one. */
export const DEFAULT_FOCUS: ShortLens = "reliability";

export function shortLens(lens: Lens): ShortLens {
	return lens.slice("review-".length) as ShortLens;
}

export function longLens(lens: ShortLens): Lens {
	return `review-${lens}`;
}

export const TIERS = ["low", "medium", "high"] as const;
export type Tier = (typeof TIERS)[number];

export const PROJECTIONS = ["staged", "workspace"] as const;
export type Projection = (typeof PROJECTIONS)[number];

export const TARGET_KINDS = [
	"current-changes",
	"base-diff",
	"base-workspace-overlay",
	"fix-diff",
	"exact-revision",
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const STATES = [
	"reviewing",
	"correction_required",
	"validating",
	"approved",
	"escalated",
	"invalidated",
] as const;
export type State = (typeof STATES)[number];

export const GATES = ["post-apply", "pre-commit", "pre-push", "pre-pr", "release"] as const;
export type Gate = (typeof GATES)[number];

/** The gates that this version evaluates; the others are named by the contract and refused. */
export const EVALUATED_GATES = ["post-apply", "pre-commit"] as const satisfies readonly Gate[];

export function isEvaluated(gate: Gate): boolean {
	return EVALUATED_GATES.some((evaluated) => evaluated === gate);
}

export const SEVERITIES = ["BLOCKER", "CRITICAL", "WARNING", "SUGGESTION"] as const;
export type Severity = (typeof SEVERITIES)[number];

export function isSevere(severity: Severity): boolean {
	return severity === "BLOCKER" || severity === "CRITICAL";
}

export const EVIDENCE_CLASSES = ["deterministic", "inferential", "insufficient"] as const;
export type EvidenceClass = (typeof EVIDENCE_CLASSES)[number];

export const CAUSAL_DISPOSITIONS = [
	"introduced",
	"behavior-activated",
	"worsened",
	"pre-existing",
	"base-only",
	"unknown",
] as const;
export type CausalDisposition = (typeof CAUSAL_DISPOSITIONS)[number];

/** The dispositions that blame the candidate and therefore need proof from the repository. */
export function blamesCandidate(disposition: CausalDisposition): boolean {
	return disposition === "introduced" || disposition === "behavior-activated" || disposition === "worsened";
}

export const PROOF_KINDS = ["changed-hunk", "candidate-created-path", "differential-test", "before-after"] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

export const REFUTER_OUTCOMES = ["corroborated", "refuted", "inconclusive"] as const;
export type RefuterOutcome = (typeof REFUTER_OUTCOMES)[number];

export const FINDING_OUTCOMES = ["info", "corroborated", "refuted", "inconclusive"] as const;
export type FindingOutcome = (typeof FINDING_OUTCOMES)[number];

export const VERIFICATION_OUTCOMES = ["passed", "verification_failed", "procedural_tooling_failed"] as const;
export type VerificationOutcome = (typeof VERIFICATION_OUTCOMES)[number];

export const RISK_CODES = [
	"configuration_change",
	"empty_content",
	"executable_change",
	"executable_mode",
	"hot_path",
	"large_change",
	"non_executable_only",
	"process_boundary",
	"process_scan_limit",
	"service_token",
	"shell_source",
] as const;
export type RiskCode = (typeof RISK_CODES)[number];

export const RISK_SIGNALS = ["auth", "update", "security", "payments", "permissions", "shell_process"] as const;
export type RiskSignal = (typeof RISK_SIGNALS)[number];

export const MANIFEST_STATUSES = ["A", "D", "M", "T"] as const;

export const START_ACTIONS = ["created", "resumed", "reuse-receipt", "blocked-scope-action"] as const;
export type StartAction = (typeof START_ACTIONS)[number];

export const APPLICABILITIES = ["current_target", "unrelated", "ambiguous", "corrupted"] as const;
export type Applicability = (typeof APPLICABILITIES)[number];

export const STATUS_ACTIONS = [
	"start",
	"finalize",
	"validate",
	"recover",
	"retry_final_verification",
	"maintainer_action",
	"select_lineage",
	"repair_authority",
	"reconcile_finalize",
	"stop",
] as const;
export type StatusAction = (typeof STATUS_ACTIONS)[number];

/** Why a closed or stuck review may get a successor. */
export const RECOVERY_DISPOSITIONS = ["scope_changed", "invalidated", "escalated"] as const;
export type RecoveryDisposition = (typeof RECOVERY_DISPOSITIONS)[number];

/** What STATUS says beside the actions that make a successor. */
export const ACTION_DISPOSITIONS = [...RECOVERY_DISPOSITIONS, "final_verification_retry"] as const;
export type ActionDisposition = (typeof ACTION_DISPOSITIONS)[number];

/** What a maintainer's hand may do to a lineage, in the fixed order of the eligibility lists. */
export const MANAGED_ACTIONS = [
	"review.abandon",
	"review.finalize",
	"review.invalidate",
	"review.quarantine-legacy",
	"review.reclaim",
	"review.reconcile-authority",
	"review.reconcile-authority-batch",
	"review.recover",
	"review.repair",
	"review.retry_final_verification",
	"review.start",
	"review.validate",
] as const;
export type ManagedAction = (typeof MANAGED_ACTIONS)[number];

export const REPLAYABILITIES = [
	"not_replayable",
	"exact_replay_safe",
	"status_required",
	"manual_action_required",
] as const;
export type Replayability = (typeof REPLAYABILITIES)[number];

export const RECEIPT_STATUSES = ["expected_missing", "present", "publication_pending", "not_applicable"] as const;
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

export const GATE_RESULTS = ["allow", "scope-changed", "invalidated", "escalated"] as const;
export type GateResult = (typeof GATE_RESULTS)[number];

export const DELIVERIES = ["disabled/unmanaged", "candidate_declined/unmanaged"] as const;
export type Delivery = (typeof DELIVERIES)[number];

export const CONSENT_ANSWERS = ["relay", "granted", "declined"] as const;
export type ConsentDeclaration = (typeof CONSENT_ANSWERS)[number];

export const LOCALES = ["en", "es"] as const;
export type Locale = (typeof LOCALES)[number];

export const MODES = ["on", "off"] as const;
export type Mode = (typeof MODES)[number];

export const MODE_SOURCES = ["default", "global", "clone_local"] as const;
export type ModeSource = (typeof MODE_SOURCES)[number];

export const LIFECYCLES = ["receipt", "atomic"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];
