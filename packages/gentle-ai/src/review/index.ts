// The door of the room that decides. Everything here is pure: facts in, decision out.
export { type AdmissionSlot, type Admitted, admitResult } from "./admission/admit.ts";
export { citations, proofKind } from "./admission/citations.ts";
export { type CandidateFacts, isCausallyProven } from "./admission/location.ts";
export type { AdmissionRefusal } from "./admission/refusal.ts";
export { ADMISSION_RULES } from "./admission/rules.ts";
export { accountingSentence, correctionTarget, ruleAcceptance, ruleForecast, validationRequest } from "./correction.ts";
export { eligibility, FINALIZE_ELIGIBILITY } from "./eligibility.ts";
export { type CorrectedCandidate, type FinalizePlan, type FinalizeRequest, planFinalize } from "./finalize/index.ts";
export {
	assessReceipt,
	type ClosedReview,
	type Delivered,
	type DiscoveryCode,
	discoverReceipt,
	evaluateGate,
	type GateReceipt,
	type GateVerdict,
	isRanged,
	judgeDelivery,
	selectReceipt,
	undiscovered,
	unmanaged,
	unreviewedUntracked,
} from "./gate.ts";
export {
	applyEvent,
	beforeInvalidation,
	beginLineage,
	deriveReceipt,
	isCorrectionConsumed,
	isCorrectionExhausted,
	isTerminal,
	retryVerification,
	type Succession,
} from "./lineage/index.ts";
export { statusOutcome } from "./outcome.ts";
export {
	abandonAuthorization,
	isPlainLine,
	recoveryAuthorization,
	reopenAuthorization,
	retryAuthorization,
} from "./recovery.ts";
export { beforeReview, refusesReopening, reopenedAt } from "./reopening.ts";
export { assessRisk, type RiskAssessment } from "./risk/assess.ts";
export type { ChangedFile, Content } from "./risk/change.ts";
export { looksBinary } from "./risk/content.ts";
export { contentNeed } from "./risk/needs.ts";
export { reasonPhrase } from "./risk/phrases.ts";
export { correctionBudget, selectLenses } from "./risk/select.ts";
export { findingsToRefute, routeFindings } from "./routing.ts";
export { statusColumns } from "./status.ts";
export { artifactSubjects } from "./subjects.ts";
export {
	claim,
	continuesApproved,
	isSameTarget,
	type Relation,
	relate,
	reviewedTarget,
} from "./target.ts";
export {
	type AuthorityView,
	type CapturedSlot,
	nextTransition,
	type RecoveryAnswer,
	type RouteFacts,
	type RouteRequest,
} from "./transition/index.ts";
