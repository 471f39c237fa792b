// The one next transition. STATUS, START, captures and FINALIZE all ask this function; nothing else invents a route.
import { correctionPlanRequestHash, sortedByBytes } from "../contract/canonical.ts";
import type { CapturedArtifact, CorrectionRequest, Execution, Transition } from "../contract/model.ts";
import { REFUTER_SCHEMA_ID, REVIEWER_SCHEMA_ID } from "../contract/payloads.ts";
import type { ReasonCode } from "../contract/reason-codes.ts";
import type { AdmittedFinding, ArtifactSubject, ManifestEntry, ReviewState, Snapshot } from "../contract/state.ts";
import { plainArgument, reviewCommand, type TransitionArgument, tokenArgument } from "../contract/tokens.ts";
import type { ContractName, Gate, VerificationOutcome } from "../contract/vocabulary.ts";

export type CapturedSlot =
	| { readonly status: "open" }
	| { readonly status: "captured"; readonly artifact: CapturedArtifact }
	| { readonly status: "unverifiable" };

/** One lineage as the repository and the store show it now; the receipt lifecycle's whole input to a decision. */
export type AuthorityView = {
	readonly state: ReviewState;
	readonly revision: string;
	readonly manifest: readonly ManifestEntry[];
	readonly subjects: readonly ArtifactSubject[];
	readonly slots: readonly CapturedSlot[];
	/** Findings that the refuter batch must answer before the captured results can be finalized. */
	readonly to_refute: readonly string[];
	readonly evidence: VerificationOutcome | "invalid" | undefined;
	readonly receipt: { readonly status: "absent" | "published" | "conflict"; readonly identity?: string };
	readonly repository_context: string;
};

export type RouteRequest = {
	readonly contract: ContractName;
	readonly gate: Gate;
	/** STATUS had a target selector of its own. */
	readonly selector: boolean;
};

export type RouteFacts =
	| {
			readonly applicability: "unrelated";
			readonly live: Snapshot;
			readonly reviews_on: boolean;
			/** The lineage id that START would take: the one asked for, or the derived free one. */
			readonly lineage: string;
	  }
	| { readonly applicability: "ambiguous"; readonly live: Snapshot; readonly candidates: readonly string[] }
	| { readonly applicability: "corrupted"; readonly live: Snapshot }
	| { readonly applicability: "current_target"; readonly live: Snapshot; readonly authority: AuthorityView };

function projectionOf(snapshot: Snapshot): "workspace" | "staged" {
	return snapshot.projection ?? "workspace";
}

function stop(reason_code: ReasonCode): Transition {
	return { kind: "stop", reason_code };
}

function freshStart(facts: Extract<RouteFacts, { applicability: "unrelated" }>, request: RouteRequest): Transition {
	const { live } = facts;
	if (live.kind === "base-workspace-overlay" && live.projection === "staged") {
		return stop("staged_workspace_overlay_recovery_unavailable");
	}
	if (!facts.reviews_on) return stop("rdd_disabled");
	if (live.base_tree === live.candidate_tree) return emptyCandidate(live);
	const args = [
		tokenArgument("contract", request.contract),
		tokenArgument("target", live.identity),
		tokenArgument("projection", projectionOf(live)),
		...(live.kind === "base-diff"
			? [tokenArgument("base-ref", live.base_tree), tokenArgument("committed-only", "true")]
			: []),
		...(live.kind === "base-workspace-overlay"
			? [tokenArgument("base-ref", live.base_tree), tokenArgument("workspace-overlay", "true")]
			: []),
		tokenArgument("lineage", facts.lineage),
	];
	return {
		kind: "execute",
		reason_code: "fresh_target_ready",
		execute: {
			operation: "review.start",
			command: reviewCommand("start", args),
			arguments: args,
			preconditions: [plainArgument("target_identity", live.identity)],
			binding: { lineage_id: facts.lineage, target_identity: live.identity },
		},
	};
}

function targetArguments(live: Snapshot): TransitionArgument[] {
	return [
		plainArgument("target_identity", live.identity),
		plainArgument("projection", projectionOf(live)),
		plainArgument("base_tree", live.base_tree),
		plainArgument("candidate_tree", live.candidate_tree),
	];
}

function emptyCandidate(live: Snapshot): Transition {
	return {
		kind: "collect",
		reason_code: "empty_candidate_base_ref_required",
		inputs: [
			{
				name: "base_ref",
				schema: "gentle-ai.review-base-ref-selection/v1",
				capture_operation: "external.select_base_ref",
				arguments: targetArguments(live),
			},
		],
	};
}

function selectLineage(live: Snapshot, candidates: readonly string[]): Transition {
	return {
		kind: "collect",
		reason_code: "lineage_selection_required",
		inputs: [
			{
				name: "lineage_selection",
				schema: "gentle-ai.review-lineage-selection/v1",
				capture_operation: "external.select_lineage",
				arguments: [...targetArguments(live), plainArgument("candidates", sortedByBytes(candidates).join(","))],
			},
		],
	};
}

type Current = { readonly authority: AuthorityView; readonly target: string };

function bindingArguments({ authority, target }: Current): Required<TransitionArgument>[] {
	return [
		tokenArgument("lineage", authority.state.lineage_id),
		tokenArgument("expected-revision", authority.revision),
		tokenArgument("target", target),
	];
}

function withoutTokens(args: readonly Required<TransitionArgument>[]): TransitionArgument[] {
	return args.map(({ name, value }) => plainArgument(name, value));
}

function finalize(
	current: Current,
	reason_code: ReasonCode,
	flags: readonly Required<TransitionArgument>[],
	preconditions: readonly TransitionArgument[],
	artifacts?: Execution["artifacts"],
): Transition {
	const { authority, target } = current;
	const args = [tokenArgument("lineage", authority.state.lineage_id), ...flags];
	return {
		kind: "execute",
		reason_code,
		execute: {
			operation: "review.finalize",
			command: reviewCommand("finalize", args),
			arguments: args,
			preconditions,
			binding: { lineage_id: authority.state.lineage_id, revision: authority.revision, target_identity: target },
			...(artifacts !== undefined && { artifacts }),
		},
	};
}

function reviewing(current: Current): Transition {
	const { authority } = current;
	if (authority.slots.some(({ status }) => status === "unverifiable")) return stop("captured_artifacts_unverifiable");
	const open = authority.subjects.filter((_, order) => authority.slots[order]?.status !== "captured");
	if (open.length > 0) {
		return {
			kind: "collect",
			reason_code: "reviewer_results_required",
			inputs: open.map((subject) => ({
				name: "reviewer_result",
				schema: REVIEWER_SCHEMA_ID,
				capture_operation: "review.capture-result",
				arguments: [
					...bindingArguments(current),
					tokenArgument("repository-context", authority.repository_context),
					tokenArgument("lens", subject.lens),
					tokenArgument("order", String(subject.selected_order)),
					tokenArgument("subject-hash", subject.subject_hash),
				],
				slot: { subject, manifest: authority.manifest },
			})),
		};
	}
	if (authority.to_refute.length > 0) {
		return {
			kind: "collect",
			reason_code: "refuter_outcomes_required",
			inputs: [
				{
					name: "refuter_outcomes",
					schema: REFUTER_SCHEMA_ID,
					capture_operation: "external.run_refuter",
					arguments: [
						...withoutTokens(bindingArguments(current)),
						plainArgument("finding-ids", authority.to_refute.join(",")),
					],
				},
			],
		};
	}
	const artifacts = authority.slots.flatMap((slot) => (slot.status === "captured" ? [slot.artifact] : []));
	return finalize(
		current,
		"captured_results_ready",
		[tokenArgument("captured-results", "true")],
		[plainArgument("state", "reviewing"), plainArgument("captured_artifacts", "complete")],
		artifacts,
	);
}

function correctionFinding(finding: AdmittedFinding): CorrectionRequest["findings"][number] {
	const { evidence_class, causal_disposition, ...rest } = finding;
	return {
		...rest,
		evidence: finding.proof_refs.join("; "),
		...(evidence_class !== undefined && { evidence_class }),
		...(causal_disposition !== undefined && { causal_disposition }),
	};
}

function correctionRequest(current: Current): CorrectionRequest {
	const { state, revision } = current.authority;
	const request = {
		schema: "gentle-ai.review-correction-plan-request/v1",
		lineage_id: state.lineage_id,
		expected_revision: revision,
		target_identity: current.target,
		correction_budget: state.correction_budget,
		fix_finding_ids: state.fix_finding_ids,
		findings: state.findings.filter(({ id }) => state.fix_finding_ids.includes(id)).map(correctionFinding),
	} as const;
	const { schema, ...rest } = request;
	return { schema, request_hash: correctionPlanRequestHash(request), ...rest };
}

function correctionRequired(current: Current): Transition {
	// Without a single line to spend there is no correction to plan.
	if (current.authority.state.correction_budget === 0) return stop("unchanged_or_unverified_authority");
	const correction_request = correctionRequest(current);
	if (current.authority.state.correction_forecast !== undefined) {
		return { kind: "stop", reason_code: "corrected_candidate_unavailable", correction_request };
	}
	return {
		kind: "collect",
		reason_code: "correction_plan_required",
		inputs: [
			{
				name: "correction_lines",
				schema: "gentle-ai.review-correction-plan/v1",
				capture_operation: "external.plan_correction",
				arguments: withoutTokens(bindingArguments(current)),
			},
		],
		correction_request,
	};
}

const EVIDENCE_REASON: Readonly<Record<VerificationOutcome, ReasonCode>> = {
	passed: "captured_verification_evidence_passed",
	verification_failed: "captured_verification_failed",
	procedural_tooling_failed: "captured_verification_tooling_failed",
};

function validating(current: Current): Transition {
	const { authority } = current;
	const bound = { authority, target: authority.state.current_snapshot.identity };
	if (authority.evidence === "invalid") return stop("captured_verification_evidence_invalid");
	if (authority.evidence !== undefined) {
		return finalize(
			bound,
			EVIDENCE_REASON[authority.evidence],
			[tokenArgument("captured-evidence", "true")],
			[plainArgument("state", "validating"), plainArgument("verification_outcome", authority.evidence)],
		);
	}
	if (authority.state.risk_level === "low") {
		return finalize(
			bound,
			"native_low_risk_verification",
			[],
			[plainArgument("state", "validating"), plainArgument("risk_level", "low")],
		);
	}
	return {
		kind: "collect",
		reason_code: "verification_evidence_required",
		inputs: [
			{
				name: "evidence",
				schema: "gentle-ai.review-verification-evidence/v2",
				capture_operation: "review.capture-evidence",
				arguments: bindingArguments(bound),
			},
		],
	};
}

function closed(current: Current, request: RouteRequest): Transition {
	const { authority, target } = current;
	if (authority.receipt.status === "conflict") return stop("corrupted_or_unverifiable_authority");
	if (authority.receipt.status === "absent") {
		return finalize(
			current,
			"exact_receipt_replay",
			[],
			[plainArgument("state", authority.state.state), plainArgument("receipt", "publication_pending")],
		);
	}
	if (authority.state.state !== "approved") return stop("native_stop_required");
	const args = [tokenArgument("lineage", authority.state.lineage_id), tokenArgument("gate", request.gate)];
	return {
		kind: "execute",
		reason_code: "approved_receipt_ready",
		execute: {
			operation: "review.validate",
			command: reviewCommand("validate", args),
			arguments: args,
			...(request.selector && { selector_arguments: [] }),
			preconditions: [plainArgument("state", "approved"), plainArgument("receipt", "present")],
			binding: { lineage_id: authority.state.lineage_id, revision: authority.revision, target_identity: target },
		},
	};
}

export function nextTransition(facts: RouteFacts, request: RouteRequest): Transition {
	switch (facts.applicability) {
		case "unrelated":
			return freshStart(facts, request);
		case "ambiguous":
			return selectLineage(facts.live, facts.candidates);
		case "corrupted":
			return stop("corrupted_or_unverifiable_authority");
		case "current_target":
			return currentTransition(
				// What is bound is the frozen target; the live one may be the same trees under another selector.
				{ authority: facts.authority, target: facts.authority.state.initial_snapshot.identity },
				request,
			);
	}
}

function currentTransition(current: Current, request: RouteRequest): Transition {
	switch (current.authority.state.state) {
		case "reviewing":
			return reviewing(current);
		case "correction_required":
			return correctionRequired(current);
		case "validating":
			return validating(current);
		case "approved":
		case "escalated":
			return closed(current, request);
		case "invalidated":
			return stop("manual_intervention_required");
	}
}
