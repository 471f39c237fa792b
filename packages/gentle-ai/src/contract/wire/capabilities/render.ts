// What a consumer may rely on, before any repository: the constant document of each contract.
import { buildIdentity } from "../../handles.ts";
import { type ContractName, GATES, PROJECTIONS } from "../../vocabulary.ts";
import { hasBootstrap, MANDATORY, type Minor, operationsOf, optionalFeatures, schemasOf } from "./features.ts";

export const TARGET_SELECTORS = [
	{ target_type: "staged", arguments: ["--projection", "staged"] },
	{ target_type: "base_ref", arguments: ["--base-ref", "<ref>"] },
	{ target_type: "workspace_overlay_base_ref", arguments: ["--workspace-overlay", "--base-ref", "<ref>"] },
	{ target_type: "workspace_overlay_base_tree", arguments: ["--workspace-overlay", "--base-tree", "<tree>"] },
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

/** The one minor of each contract that is answered; the others are published for consumers that still know them. */
const CURRENT: Readonly<Record<ContractName, Minor>> = {
	"gentle-ai.review-integration/v1": "v1.5",
	"gentle-ai.review-integration/v2": "v2.0",
};

function renderBootstrap(contract: ContractName): object {
	return {
		command: `gentle-ai review status --cwd <repo> --contract ${contract} --next-transition`,
		target_selector_variants: TARGET_SELECTORS,
		required_feature: "native_next_transition",
		unsupported_outcome: "unsupported-capability",
		parent_only: true,
	};
}

export function renderCapabilities(
	contract: ContractName,
	facts: BuildFacts,
	executableSha256: string,
	minor: Minor = CURRENT[contract],
): object {
	const [major, last] = minor.slice(1).split(".").map(Number);
	return {
		schema: schemasOf(minor).find((name) => name.includes(".capabilities/")),
		contract,
		protocol: { major, minor: last },
		package: { name: "gentle-ai", version: facts.version, release_channel: releaseChannel(facts.version) },
		build: renderBuild(facts),
		executable: {
			sha256: executableSha256,
			evidence: "self-reported",
			verification: "compare-with-published-manifest",
		},
		operations: operationsOf(minor),
		gates: GATES,
		projections: PROJECTIONS,
		schemas: schemasOf(minor),
		features: { mandatory: MANDATORY, optional: optionalFeatures(minor) },
		...(hasBootstrap(minor) && { bootstrap: renderBootstrap(contract) }),
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
