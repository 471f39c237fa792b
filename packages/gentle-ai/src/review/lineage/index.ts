// The life of a review: its states, and every legal transition.
export { beforeInvalidation, beginLineage, retryVerification, type Succession } from "./begin.ts";
export { IllegalTransition, type LineageEvent, type LineageOperation, type VerificationEvidence } from "./events.ts";
export { deriveReceipt } from "./receipt.ts";
export { applyEvent } from "./reducer.ts";
export { isCorrectionConsumed, isCorrectionExhausted, isTerminal, ordered } from "./shape.ts";
