// STATUS of the fixed repository in every situation, decided by the same functions as a real one.
import { stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type {
	FinalVerificationRetry,
	RepairAssessment,
	StatusOutcome,
} from "../../packages/gentle-ai/src/contract/model.ts";
import type { ReviewState } from "../../packages/gentle-ai/src/contract/state.ts";
import type { ContractName } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	type AuthorityView,
	artifactSubjects,
	eligibility,
	nextTransition,
	type RouteFacts,
	statusOutcome,
} from "../../packages/gentle-ai/src/review/index.ts";
import { CHANGE, digestOf, HANDLE, lineageOf, NEW_SCRIPT } from "./scene.ts";

const LIVE = CHANGE.snapshot;

function decided(contract: ContractName, facts: RouteFacts): StatusOutcome {
	const transition = nextTransition(facts, { contract, gate: "pre-commit", selector: false });
	const asked = { action_eligibility: true, next_transition: true };
	return { ...statusOutcome(facts, transition, asked), candidate_diff: CHANGE.diff };
}

function viewOf(state: ReviewState): AuthorityView {
	const reviewing = state.state === "reviewing";
	return {
		state,
		revision: stateRevision(state),
		manifest: CHANGE.manifest,
		subjects: reviewing ? artifactSubjects(state, CHANGE.manifest) : [],
		slots: [],
		to_refute: [],
		evidence: undefined,
		receipt: { status: "absent" },
		repository_context: HANDLE,
	};
}

export function reviewing(contract: ContractName): StatusOutcome {
	const authority = viewOf(lineageOf(CHANGE, "review-status-fixture"));
	return decided(contract, { applicability: "current_target", live: LIVE, authority });
}

export function unrelated(contract: ContractName): StatusOutcome {
	return decided(contract, {
		applicability: "unrelated",
		live: LIVE,
		reviews_on: true,
		lineage: "review-fresh-fixture",
	});
}

export function ambiguous(contract: ContractName): StatusOutcome {
	return decided(contract, { applicability: "ambiguous", live: LIVE, candidates: ["review-a", "review-b"] });
}

export function corrupted(contract: ContractName): StatusOutcome {
	return decided(contract, { applicability: "corrupted", live: LIVE });
}

/** The lineage waits for its correction, and the live target has left its scope. */
export function recovering(contract: ContractName): StatusOutcome {
	const begun = lineageOf(NEW_SCRIPT, "review-status-recover-fixture");
	const state: ReviewState = { ...begun, state: "correction_required", generation: 3, correction_forecast: 1 };
	const facts = { applicability: "current_target", live: LIVE, recoverable: "scope_changed" } as const;
	return decided(contract, { ...facts, authority: viewOf(state) });
}

/** The final verification failed for want of its tools. */
export function retrying(contract: ContractName): StatusOutcome {
	const begun = lineageOf(CHANGE, "review-final-verification-retry-fixture");
	const state: ReviewState = { ...begun, state: "escalated", generation: 2 };
	const retry: FinalVerificationRetry = {
		incident_schema: "gentle-ai.review-final-verification-incident/v1",
		incident_class: "procedural_tooling_failure",
		validating_revision: digestOf("validating revision"),
		target_identity: LIVE.identity,
		failed_evidence_hash: digestOf("failed evidence"),
		failed_evidence_record_digest: digestOf("failed evidence record"),
		finalize_request_digest: digestOf("finalize request"),
	};
	const receipt = { status: "published", identity: digestOf("receipt") } as const;
	return decided(contract, {
		applicability: "current_target",
		live: LIVE,
		authority: { ...viewOf(state), retry, receipt },
	});
}

export const REPAIR: RepairAssessment = {
	repository_binding: digestOf("repository"),
	candidate: {
		lineage_id: "historical-alias",
		revision: digestOf("historical revision"),
		chain_identity: digestOf("historical chain"),
		event_count: 6,
		alias_event_count: 2,
		operations: ["review/complete-fix", "review/validate-fix"],
	},
	bytes: 4_096,
};

/** A historical record that a maintainer may have repaired. */
export function repairable(contract: ContractName): StatusOutcome {
	const { transition: _, ...outcome } = corrupted(contract);
	const { action, replayability } = outcome;
	const columns = { action, replayability };
	return {
		...outcome,
		repair: REPAIR,
		eligibility: eligibility({ applicability: "corrupted", columns, repairable: true }),
	};
}
