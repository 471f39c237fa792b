// What each minor of the protocol promises: features, operations and the shapes that it speaks. A minor keeps everything
// that the one before it promised.
import { OPERATIONS, type Operation } from "../../operations.ts";

type Feature = { readonly name: string; readonly supported: true; readonly requires: readonly string[] };

const feature = (name: string, ...requires: string[]): Feature => ({ name, supported: true, requires });

export const MINORS = ["v1.0", "v1.1", "v1.2", "v1.3", "v1.4", "v1.5", "v2.0"] as const;
export type Minor = (typeof MINORS)[number];

function isSince(minor: Minor, first: Minor): boolean {
	return MINORS.indexOf(minor) >= MINORS.indexOf(first);
}

export const MANDATORY: readonly Feature[] = [
	feature("compact_v2_authority"),
	feature("exact_receipt_replay", "compact_v2_authority"),
	feature("five_delivery_gates", "compact_v2_authority"),
	feature("immutable_snapshot"),
	feature("legacy_v1_target_scoped_read_only", "target_scoped_status"),
	feature("repository_independent_capabilities"),
	feature("restart_safe_projection", "target_scoped_status"),
	feature("sdd_receipt_binding", "compact_v2_authority"),
	feature("target_scoped_status", "repository_independent_capabilities"),
	feature("uniform_failure_envelope", "repository_independent_capabilities"),
];

const OPTIONAL: readonly Feature[] = [
	feature("base_ref_workspace_overlay", "immutable_snapshot", "restart_safe_projection"),
	feature("bounded_process_waits", "uniform_failure_envelope"),
	feature("classified_authority_repair", "native_next_transition", "uniform_failure_envelope"),
	feature("exact_gate_receipt_discovery", "five_delivery_gates"),
	feature("native_frozen_candidate_context", "immutable_snapshot"),
	feature("native_low_risk_verification", "compact_v2_authority"),
	feature("native_next_transition", "target_scoped_status"),
	feature(
		"one_shot_final_verification_retry",
		"compact_v2_authority",
		"exact_receipt_replay",
		"native_next_transition",
	),
	feature("opaque_repository_context", "compact_v2_authority", "native_next_transition"),
	feature("outcome_bound_verification_evidence", "compact_v2_authority", "native_next_transition"),
	feature(
		"provider_artifact_admission",
		"compact_v2_authority",
		"native_frozen_candidate_context",
		"opaque_repository_context",
	),
	feature("provider_targeted_validation_request", "compact_v2_authority", "native_next_transition"),
	feature("recovered_correction_evidence", "compact_v2_authority", "provider_targeted_validation_request"),
	feature("risk_reasons", "repository_independent_capabilities"),
	feature("scope_change_diagnostics", "uniform_failure_envelope"),
	feature("validating_result_reopen", "compact_v2_authority", "provider_artifact_admission"),
];

/** The last optional feature of contract v2; v1 transports a patch instead. */
const NATIVE_GIT_CONTEXT = feature(
	"provider_bound_native_git_context",
	"native_frozen_candidate_context",
	"opaque_repository_context",
	"provider_artifact_admission",
);

/** The minor that brought a feature; the others were there from the beginning. */
const SINCE: Readonly<Record<string, Minor>> = {
	base_ref_workspace_overlay: "v1.1",
	native_next_transition: "v1.1",
	native_frozen_candidate_context: "v1.2",
	opaque_repository_context: "v1.2",
	provider_targeted_validation_request: "v1.2",
	classified_authority_repair: "v1.3",
	provider_artifact_admission: "v1.3",
	recovered_correction_evidence: "v1.3",
	validating_result_reopen: "v1.3",
	one_shot_final_verification_retry: "v1.4",
	outcome_bound_verification_evidence: "v1.5",
	provider_bound_native_git_context: "v2.0",
};

export function optionalFeatures(minor: Minor): Feature[] {
	return [...OPTIONAL, NATIVE_GIT_CONTEXT].filter(({ name }) => isSince(minor, SINCE[name] ?? "v1.0"));
}

const OPERATION_SINCE: Partial<Record<Operation, Minor>> = {
	"review.repair": "v1.3",
	"review.retry_final_verification": "v1.4",
};

export function operationsOf(minor: Minor): Operation[] {
	return OPERATIONS.filter((operation) => isSince(minor, OPERATION_SINCE[operation] ?? "v1.0"));
}

export function hasBootstrap(minor: Minor): boolean {
	return isSince(minor, "v1.1");
}

/** A shape and the version that a minor speaks: the last one whose minor is not later. */
type Versions = readonly (readonly [since: Minor, version: string])[];

const INTEGRATION = "gentle-ai.review-integration";
const PAYLOAD = "https://gentle-ai.dev/schema/review";

const SHAPES: readonly (readonly [name: string, versions: Versions])[] = [
	[
		"gentle-ai.review-admitted-result",
		[
			["v1.3", "v1"],
			["v2.0", "v2"],
		],
	],
	[
		"gentle-ai.review-artifact-subject",
		[
			["v1.3", "v1"],
			["v2.0", "v2"],
		],
	],
	["gentle-ai.review-authority-repair-assessment", [["v1.3", "v1"]]],
	["gentle-ai.review-authority-status", [["v1.0", "v1"]]],
	["gentle-ai.review-gate-request", [["v1.0", "v1"]]],
	[`${INTEGRATION}.capabilities`, MINORS.map((minor) => [minor, minor.replace(/\.0$/, "")] as const)],
	[
		`${INTEGRATION}.failure`,
		[
			["v1.0", "v1"],
			["v2.0", "v2"],
		],
	],
	["gentle-ai.review-final-verification-incident", [["v1.4", "v1"]]],
	[
		`${INTEGRATION}.operation`,
		[
			["v1.0", "v1"],
			["v2.0", "v2"],
		],
	],
	[`${INTEGRATION}.projection`, [["v1.0", "v1"]]],
	[
		`${INTEGRATION}.repair`,
		[
			["v1.3", "v1"],
			["v2.0", "v2"],
		],
	],
	[
		`${INTEGRATION}.start`,
		[
			["v1.0", "v1"],
			["v1.3", "v2"],
			["v2.0", "v3"],
		],
	],
	[
		`${INTEGRATION}.status`,
		[
			["v1.0", "v1"],
			["v1.3", "v2"],
			["v2.0", "v3"],
		],
	],
	["gentle-ai.review-receipt", [["v1.0", "v1"]]],
	["gentle-ai.review-receipt", [["v1.0", "v2"]]],
	[
		"gentle-ai.review-result-artifact",
		[
			["v1.0", "v1"],
			["v1.3", "v2"],
		],
	],
	["gentle-ai.review-targeted-validation-request", [["v1.2", "v1"]]],
	["gentle-ai.review-verification-evidence", [["v1.5", "v2"]]],
	[`${PAYLOAD}/refuter`, [["v1.0", "v1"]]],
	[`${PAYLOAD}/reviewer`, [["v1.0", "v1"]]],
	[`${PAYLOAD}/validator`, [["v1.0", "v1"]]],
	[`${INTEGRATION}.consent`, [["v2.0", "v2"]]],
];

export function schemasOf(minor: Minor): string[] {
	return SHAPES.flatMap(([name, versions]) => {
		const spoken = versions.findLast(([since]) => isSince(minor, since));
		return spoken === undefined ? [] : [`${name}/${spoken[1]}`];
	});
}
