// What a consumer may rely on, before any repository: the constant document of each contract.
import { buildIdentity } from "../canonical.ts";
import { OPERATIONS } from "../errors.ts";
import { type ContractName, GATES, PROJECTIONS } from "../vocabulary.ts";

type Feature = { readonly name: string; readonly supported: true; readonly requires: readonly string[] };

const feature = (name: string, ...requires: string[]): Feature => ({ name, supported: true, requires });

const MANDATORY: readonly Feature[] = [
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

/** Name, version in contract v1, version in contract v2. */
const SCHEMAS: readonly (readonly [string, string, string])[] = [
	["gentle-ai.review-admitted-result", "v1", "v2"],
	["gentle-ai.review-artifact-subject", "v1", "v2"],
	["gentle-ai.review-authority-repair-assessment", "v1", "v1"],
	["gentle-ai.review-authority-status", "v1", "v1"],
	["gentle-ai.review-gate-request", "v1", "v1"],
	["gentle-ai.review-integration.capabilities", "v1.5", "v2"],
	["gentle-ai.review-integration.failure", "v1", "v2"],
	["gentle-ai.review-final-verification-incident", "v1", "v1"],
	["gentle-ai.review-integration.operation", "v1", "v2"],
	["gentle-ai.review-integration.projection", "v1", "v1"],
	["gentle-ai.review-integration.repair", "v1", "v2"],
	["gentle-ai.review-integration.start", "v2", "v3"],
	["gentle-ai.review-integration.status", "v2", "v3"],
	["gentle-ai.review-receipt", "v1", "v1"],
	["gentle-ai.review-receipt", "v2", "v2"],
	["gentle-ai.review-result-artifact", "v2", "v2"],
	["gentle-ai.review-targeted-validation-request", "v1", "v1"],
	["gentle-ai.review-verification-evidence", "v2", "v2"],
	["https://gentle-ai.dev/schema/review/refuter", "v1", "v1"],
	["https://gentle-ai.dev/schema/review/reviewer", "v1", "v1"],
	["https://gentle-ai.dev/schema/review/validator", "v1", "v1"],
];

export type BuildFacts = {
	readonly version: string;
	readonly runtime: string;
	readonly vcs_revision: string;
	readonly vcs_time: string;
	readonly vcs_modified: string;
};

function releaseChannel(version: string): "development" | "prerelease" | "stable" {
	if (version === "dev" || version === "devel") return "development";
	return version.includes("-") ? "prerelease" : "stable";
}

function renderBuild(facts: BuildFacts): { id: string } & Record<string, string> {
	const build = {
		go_version: facts.runtime,
		module_version: `v${facts.version}`,
		vcs: facts.vcs_revision === "" ? "" : "git",
		vcs_revision: facts.vcs_revision,
		vcs_time: facts.vcs_time,
		vcs_modified: facts.vcs_modified === "" ? "unknown" : facts.vcs_modified,
	};
	return { id: buildIdentity({ package_version: facts.version, ...build }), ...build };
}

export function renderCapabilities(contract: ContractName, facts: BuildFacts, executableSha256: string): object {
	const v2 = contract === "gentle-ai.review-integration/v2";
	const major = v2 ? 2 : 1;
	return {
		schema: `gentle-ai.review-integration.capabilities/${v2 ? "v2" : "v1.5"}`,
		contract,
		protocol: { major, minor: v2 ? 0 : 5 },
		package: { name: "gentle-ai", version: facts.version, release_channel: releaseChannel(facts.version) },
		build: renderBuild(facts),
		executable: {
			sha256: executableSha256,
			evidence: "self-reported",
			verification: "compare-with-published-manifest",
		},
		operations: OPERATIONS,
		gates: GATES,
		projections: PROJECTIONS,
		schemas: [
			...SCHEMAS.map(([name, inV1, inV2]) => `${name}/${v2 ? inV2 : inV1}`),
			...(v2 ? ["gentle-ai.review-integration.consent/v2"] : []),
		],
		features: { mandatory: MANDATORY, optional: v2 ? [...OPTIONAL, NATIVE_GIT_CONTEXT] : OPTIONAL },
		bootstrap: {
			command: `gentle-ai review status --cwd <repo> --contract ${contract} --next-transition`,
			target_selector_variants: [
				{ target_type: "staged", arguments: ["--projection", "staged"] },
				{ target_type: "base_ref", arguments: ["--base-ref", "<ref>"] },
				{ target_type: "workspace_overlay_base_ref", arguments: ["--workspace-overlay", "--base-ref", "<ref>"] },
				{ target_type: "workspace_overlay_base_tree", arguments: ["--workspace-overlay", "--base-tree", "<tree>"] },
			],
			required_feature: "native_next_transition",
			unsupported_outcome: "unsupported-capability",
			parent_only: true,
		},
		compatibility: {
			minimum_protocol_major: major,
			maximum_protocol_major: major,
			additive_minor_policy: "optional-fields-only",
			unknown_mandatory: "reject",
			unknown_optional: "ignore",
			modes: ["compact-v2", "legacy-v1"],
			legacy_window: {
				mode: "legacy-v1",
				state: "active",
				read_only: true,
				deprecation_started: true,
				removal: "not-scheduled",
				minimum_compatibility_releases: 1,
			},
		},
	};
}
