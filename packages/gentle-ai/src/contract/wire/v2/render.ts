// The codec of contract v2: version-neutral answers in, documents of this generation out.

import type { Static } from "typebox";
import type {
	CollectInput,
	ConsentQuestion,
	DeclinedOutcome,
	FinalizeOutcome,
	GateOutcome,
	StartOutcome,
	StatusOutcome,
	Transition,
} from "../../model.ts";
import type { Snapshot } from "../../state.ts";
import { shellCommand } from "../../tokens.ts";
import { CONSENT_TEXT } from "../consent-text.ts";
import { SCHEMA_NAMES } from "../names.ts";
import type {
	ConsentV2,
	InputShape,
	NextTransition,
	OperationV2,
	ProjectionShape,
	RepairSentinel,
	StartV3,
	StatusV3,
} from "./shapes.ts";

const contract = "gentle-ai.review-integration/v2" as const;

export function renderStart(outcome: StartOutcome): StartV3 {
	const { target, context } = outcome;
	const overlay = target.kind === "base-workspace-overlay";
	const reviewed = outcome.selected_lenses.length > 0;
	return {
		schema: SCHEMA_NAMES.start,
		contract,
		operation: "review.start",
		action: outcome.action,
		lenses_required: reviewed,
		lineage_id: outcome.lineage_id,
		state: outcome.state,
		risk_level: outcome.risk_level,
		selected_lenses: [...outcome.selected_lenses],
		projection: target.projection ?? "workspace",
		...(overlay && { target_mode: "base-workspace-overlay", target_identity: target.identity }),
		...((reviewed || overlay) && { base_tree: target.base_tree, candidate_tree: target.candidate_tree }),
		changed_files: target.paths.length,
		changed_lines: outcome.changed_lines,
		correction_budget: outcome.correction_budget,
		risk_reasons: [...outcome.risk_reasons],
		artifact_subjects: context === undefined ? [] : [...outcome.subjects],
		...(reviewed && { changed_path_manifest: [...outcome.manifest] }),
		...(context !== undefined && {
			repository_context: { capability: "review.opaque_repository_context", ...context },
		}),
	};
}

function renderInput(input: CollectInput): InputShape {
	const { name, schema, capture_operation, slot } = input;
	return {
		name,
		schema,
		capture_operation,
		arguments: [...input.arguments],
		...(slot !== undefined && {
			artifact_subject: slot.subject,
			base_tree: slot.subject.base_tree,
			candidate_tree: slot.subject.candidate_tree,
			changed_path_manifest: [...slot.manifest],
		}),
	};
}

export function renderTransition(transition: Transition): Static<typeof NextTransition> {
	const { kind, reason_code } = transition;
	// The shape of a correction request is checked by its schema; the model keeps it as the reducer made it.
	const correction =
		transition.kind !== "execute" && transition.correction_request !== undefined
			? { correction_request: transition.correction_request as Static<typeof NextTransition>["correction_request"] }
			: {};
	if (transition.kind === "execute") {
		const { operation, command, selector_arguments, preconditions, binding, artifacts } = transition.execute;
		return {
			kind,
			reason_code,
			execute: {
				operation,
				command,
				arguments: [...transition.execute.arguments],
				...(selector_arguments !== undefined && { selector_arguments: [...selector_arguments] }),
				preconditions: [...preconditions],
				binding,
				...(artifacts !== undefined && { artifacts: [...artifacts] }),
			},
		};
	}
	if (transition.kind === "collect") {
		return { kind, reason_code, collect: { inputs: transition.inputs.map(renderInput) }, ...correction } as Static<
			typeof NextTransition
		>;
	}
	return { kind, reason_code, ...correction } as Static<typeof NextTransition>;
}

function renderProjection(live: Snapshot, initial: Snapshot): ProjectionShape {
	return {
		schema: SCHEMA_NAMES.projection,
		kind: live.kind,
		projection: live.projection ?? "workspace",
		base_tree: live.base_tree,
		initial_review_tree: initial.candidate_tree,
		current_candidate_tree: live.candidate_tree,
		paths_digest: live.paths_digest,
		paths: live.paths,
		intended_untracked: live.intended_untracked,
		intended_untracked_proof: live.intended_untracked_proof,
		initial_snapshot_identity: initial.identity,
		current_snapshot_identity: live.identity,
	};
}

const REPAIR_SENTINEL: RepairSentinel = {
	schema: SCHEMA_NAMES.repair,
	status: "unsupported",
	counts: {
		lineages: 0,
		compact_lineages: 0,
		legacy_lineages: 0,
		events: 0,
		bytes: 0,
		eligible_candidates: 0,
		unsupported_lineages: 0,
		conflicts: 0,
	},
	supported_operations: ["review/complete-fix", "review/validate-fix"],
	authorization_schema: "gentle-ai.review-repair-authorization/v1",
};

export function renderStatus(outcome: StatusOutcome): StatusV3 {
	const { authority, live } = outcome;
	return {
		schema: SCHEMA_NAMES.status,
		contract,
		operation: "review.status",
		applicability: outcome.applicability,
		...(authority !== undefined && {
			authority: {
				version: "compact-v2",
				lineage_id: authority.lineage_id,
				state: authority.state,
				generation: authority.generation,
				revision: authority.revision,
			},
		}),
		receipt: outcome.receipt,
		action: outcome.action,
		replayability: outcome.replayability,
		...(authority !== undefined && {
			frozen: {
				tier: authority.tier,
				original_changed_lines: authority.original_changed_lines,
				correction_budget: authority.correction_budget,
			},
		}),
		target_identity: live.identity,
		...(authority !== undefined &&
			authority.current.identity !== live.identity && { authority_target_identity: authority.current.identity }),
		projection: renderProjection(live, authority?.initial ?? live),
		repair: REPAIR_SENTINEL,
		candidates: [...outcome.candidates],
		...(outcome.transition !== undefined && { next_transition: renderTransition(outcome.transition) }),
	};
}

export function renderConsent(question: ConsentQuestion): ConsentV2 {
	const text = CONSENT_TEXT[question.locale];
	const evidence = question.phrases.length === 0 ? undefined : text.join(question.phrases);
	const choice = <Answer extends "granted" | "declined">(answer: Answer) => ({
		answer,
		label: text[answer].label,
		effect: text[answer].effect,
		invocation: shellCommand([...question.invocation, "--consent", answer]),
	});
	return {
		schema: SCHEMA_NAMES.consent,
		contract,
		operation: "review.start",
		action: "consent_required",
		blocking: true,
		target_identity: question.target_identity,
		projection: question.projection,
		risk_level: question.risk_level,
		changed_files: question.changed_files,
		changed_lines: question.changed_lines,
		headline: text.headline,
		reason: question.risk_level === "high" ? text.high(evidence) : text.medium(evidence),
		value: text.value,
		risk_evidence: question.risk_level === "high" ? [...question.phrases] : [text.mediumSentence, ...question.phrases],
		choices: [choice("granted"), choice("declined")],
		off_path: { note: text.offNote, command: "gentle-ai review mode disable" },
	};
}

/** The typed declined result keeps the unnegotiated START shape in every contract. */
export function renderDeclined(outcome: DeclinedOutcome): object {
	return {
		operation: "review/start",
		action: "declined",
		lenses_required: false,
		lineage_id: "",
		state: "",
		risk_level: outcome.risk_level,
		selected_lenses: [],
		lens_bindings: [],
		projection: outcome.target.projection ?? "workspace",
		target_identity: outcome.target.identity,
		changed_files: outcome.target.paths.length,
		changed_lines: outcome.changed_lines,
		correction_budget: 0,
		risk_evidence: outcome.phrases,
		consent: "declined_this_candidate",
	};
}

const TERMINAL_ACTION = "validate delivery with gentle-ai review validate --gate <gate>";

export function renderFinalize(outcome: FinalizeOutcome): OperationV2 {
	const terminal = ["approved", "escalated", "invalidated"].includes(outcome.state);
	return {
		schema: SCHEMA_NAMES.operation,
		contract,
		operation: "review.finalize",
		result: {
			operation: "review/finalize",
			lineage_id: outcome.lineage_id,
			state: outcome.state,
			action: terminal ? TERMINAL_ACTION : "continue the current review state",
			...(outcome.escalation !== undefined && { escalation: outcome.escalation }),
			store_revision: outcome.revision,
			...(outcome.transition !== undefined && { next_transition: renderTransition(outcome.transition) }),
		},
	};
}

export function renderGate(outcome: GateOutcome): OperationV2 {
	return {
		schema: SCHEMA_NAMES.operation,
		contract,
		operation: "review.validate",
		result: renderGateResult(outcome),
	};
}

/** The gate result as it stands alone, without a negotiated envelope. */
export function renderGateResult(outcome: GateOutcome): Extract<OperationV2["result"], { allowed: boolean }> {
	return {
		schema: SCHEMA_NAMES.gateResult,
		result: outcome.result,
		allowed: outcome.allowed,
		action: outcome.action,
		reason: outcome.reason,
		...(outcome.delivery !== undefined && { delivery: outcome.delivery }),
		context: outcome.context,
	};
}
