// A FINALIZE as it was asked, what it is decided from, and the refusals that every phase shares.
import { stateRevision } from "../../contract/identities.ts";
import type { Location } from "../../contract/location.ts";
import type { RefuterRow, ValidatorResult } from "../../contract/payloads.ts";
import type {
	AdmittedResult,
	ReviewState,
	RiskReason,
	Snapshot,
	TargetedValidationRequest,
	VerificationRecord,
} from "../../contract/state.ts";
import type { CausalDisposition } from "../../contract/vocabulary.ts";
import { applyEvent, type LineageEvent, type LineageOperation, type VerificationEvidence } from "../lineage/index.ts";

export type FinalizeRequest = {
	readonly captured_results: boolean;
	readonly captured_evidence: boolean;
	/** The caller's own verdict; it may agree with the captured outcome, never override it. */
	readonly failed: boolean | undefined;
	readonly correction_lines: number | undefined;
	readonly refuter: readonly RefuterRow[] | undefined;
	readonly validation: ValidatorResult | undefined;
};

export type FinalizeView = {
	readonly state: ReviewState;
	/** One entry a selected lens, in order; undefined while the slot is open. */
	readonly results: readonly (AdmittedResult | undefined)[];
	readonly evidence: VerificationRecord | undefined;
	readonly risk_reasons: readonly RiskReason[];
	/** The corrected candidate that the repository holds now; undefined while it is the frozen one or out of scope. */
	readonly correction: CorrectedCandidate | undefined;
	/** The live target, rebuilt from the frozen selectors, is still the frozen one. */
	readonly target_unchanged: boolean;
	readonly proves: (location: Location, disposition: CausalDisposition) => boolean;
};

export type CorrectedCandidate = {
	readonly fix: Snapshot;
	readonly actual_lines: number;
	readonly request: TargetedValidationRequest;
};

export type PlannedStep = {
	readonly operation: LineageOperation;
	readonly state: ReviewState;
	readonly revision: string;
};

export type FinalizePlan =
	| { readonly kind: "advance"; readonly steps: readonly PlannedStep[] }
	/** Terminal at entry: publish the receipt again if it is missing; nothing else can happen. */
	| { readonly kind: "replay" }
	| {
			readonly kind: "refused";
			readonly field: string;
			readonly value: string;
			readonly rule: string;
			readonly next: string;
	  };

const STATUS_NEXT =
	"Run `gentle-ai review status --contract gentle-ai.review-integration/v2 --next-transition` and do what it prints";

export function refused(field: string, value: string, rule: string, next: string = STATUS_NEXT): FinalizePlan {
	return { kind: "refused", field, value, rule, next };
}

export function step(state: ReviewState, event: LineageEvent): PlannedStep {
	const next = applyEvent(state, event);
	return { operation: event.type, state: next, revision: stateRevision(next) };
}

export type Input = "captured_results" | "captured_evidence" | "failed" | "correction_lines" | "refuter" | "validation";

const INPUT_FLAGS: Readonly<Record<Input, string>> = {
	captured_results: "--captured-results",
	captured_evidence: "--captured-evidence",
	failed: "--failed",
	correction_lines: "--correction-lines",
	refuter: "--refuter",
	validation: "--validation",
};

function given(request: FinalizeRequest, input: Input): boolean {
	const value = request[input];
	return value !== undefined && (input === "failed" || value !== false);
}

/** An input that this phase does not take is refused, never ignored. */
export function refuseOthers(
	state: ReviewState,
	request: FinalizeRequest,
	accepted: readonly Input[],
): FinalizePlan | undefined {
	const inputs = Object.keys(INPUT_FLAGS) as Input[];
	const foreign = inputs.find((input) => given(request, input) && !accepted.includes(input));
	if (foreign === undefined) return undefined;
	const value = request[foreign];
	const shown = typeof value === "object" ? "given" : String(value);
	return refused(INPUT_FLAGS[foreign], shown, `accepted while the review is ${state.state}`);
}

export function evidenceOf(record: VerificationRecord): VerificationEvidence {
	return {
		evidence_hash: record.raw_payload_sha256,
		outcome: record.outcome,
		record: {
			digest: record.record_digest,
			target_identity: record.target_identity,
			authority_revision: record.authority_revision,
		},
	};
}

/** A caller's own verdict may agree with the captured outcome, and nothing else. */
export function disagreement(request: FinalizeRequest, evidence: VerificationRecord): FinalizePlan | undefined {
	if (request.failed === undefined || request.failed === (evidence.outcome !== "passed")) return undefined;
	const rule = `in agreement with the captured outcome ${evidence.outcome}`;
	return refused("--failed", String(request.failed), rule);
}
