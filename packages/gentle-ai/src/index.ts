// The library: the operations of the command line, in this process, typed. Every function rejects with a `ReviewError`
// for an expected refusal and answers with a version-neutral value; the codec of a contract turns such a value into a
// document of that contract.

export { ReviewError } from "./contract/errors.ts";
export type { FailureCode } from "./contract/failures.ts";
export type {
	ConsentQuestion,
	DeclinedOutcome,
	FinalizeOutcome,
	GateOutcome,
	RetryOutcome,
	StartOutcome,
	StatusOutcome,
} from "./contract/model.ts";
export type { Operation } from "./contract/operations.ts";
export type { ReviewerAnswer, ReviewerFinding } from "./contract/payloads.ts";
export type { ManifestEntry, ResultArtifact, ReviewReceipt, VerificationRecord } from "./contract/state.ts";
export type { Transition } from "./contract/transition.ts";
export { renderFailure } from "./contract/wire/failure.ts";
export { codecOf } from "./contract/wire/index.ts";
export type { ReviewRun } from "./contract/wire/run.ts";
export { renderDeclined } from "./contract/wire/shared/consent.ts";
export { type AbandonRequest, abandon } from "./provider/abandon.ts";
export { type Caller, processCaller, withRepository } from "./provider/caller.ts";
export { capabilities } from "./provider/capabilities.ts";
export { captureEvidence } from "./provider/capture-evidence.ts";
export { AdmissionError, captureResult, preflightResult, type SlotBinding } from "./provider/capture-result.ts";
export { type EndRequest, endReview } from "./provider/end.ts";
export { type FinalizeCall, finalize } from "./provider/finalize.ts";
export { inspectAuthority } from "./provider/inspect.ts";
export { type InvalidateRequest, invalidate } from "./provider/invalidate.ts";
export { modeStatus, setCloneMode, setGlobalMode } from "./provider/mode.ts";
export { listReviews } from "./provider/overview.ts";
export { type PruneRequest, prune } from "./provider/prune.ts";
export { type RecoverRequest, recover } from "./provider/recover.ts";
export { reopenResults } from "./provider/reopen.ts";
export type { ReopenRequest } from "./provider/reopen-plan.ts";
export { type RetryRequest, retryFinalVerification } from "./provider/retry-verification.ts";
export { type RunEvent, type RunOptions, runReview } from "./provider/run/index.ts";
export { type StartAnswer, type StartRequest, start } from "./provider/start.ts";
export { type StatusRequest, status } from "./provider/status.ts";
export type { Selector } from "./provider/target.ts";
export { type GateRequest, validate } from "./provider/validate.ts";
export type { CandidateView, Reviewer, ReviewerSession, Slot } from "./reviewers/reviewer.ts";
export { staticReviewer } from "./reviewers/static/index.ts";
