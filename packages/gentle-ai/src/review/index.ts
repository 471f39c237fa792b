// The door of the room that decides. Everything here is pure: facts in, decision out.
export {
	ADMISSION_RULES,
	type AdmissionRefusal,
	type AdmissionSlot,
	type Admitted,
	admitResult,
} from "./admission/admit.ts";
export { citations, proofKind } from "./admission/citations.ts";
export { type CandidateFacts, isCausallyProven } from "./admission/location.ts";
export { accountingSentence, ruleAcceptance, ruleForecast } from "./correction.ts";
export { eligibility, FINALIZE_ELIGIBILITY } from "./eligibility.ts";
export { type FinalizePlan, type FinalizeRequest, planFinalize } from "./finalize.ts";
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
export { beginLineage, deriveReceipt, isTerminal } from "./lineage.ts";
export { assessRisk, type RiskAssessment } from "./risk/assess.ts";
export type { ChangedFile, Content } from "./risk/change.ts";
export { looksBinary } from "./risk/content.ts";
export { contentNeed } from "./risk/needs.ts";
export { reasonPhrase } from "./risk/phrases.ts";
export { correctionBudget, selectLenses } from "./risk/select.ts";
export { findingsToRefute, routeFindings } from "./routing.ts";
export { statusColumns } from "./status.ts";
export { artifactSubjects } from "./subjects.ts";
export { isSameTarget } from "./target.ts";
export {
	type AuthorityView,
	type CapturedSlot,
	nextTransition,
	type RouteFacts,
	type RouteRequest,
} from "./transition.ts";
