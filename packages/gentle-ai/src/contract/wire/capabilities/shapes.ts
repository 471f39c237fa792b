// The capabilities document of each minor, as a schema.
import type { TSchema } from "typebox";
import * as Type from "typebox";
import { NonEmpty, Sha256Schema } from "../../scalar-schemas.ts";
import { GATES, PROJECTIONS } from "../../vocabulary.ts";
import { closed } from "../shared/parts.ts";
import { hasBootstrap, MANDATORY, MINORS, type Minor, operationsOf, optionalFeatures, schemasOf } from "./features.ts";

/** Exactly these values, each once. */
function listOf(values: readonly string[]): TSchema {
	return Type.Array(Type.Enum([...values]), { minItems: values.length, maxItems: values.length, uniqueItems: true });
}

function featuresOf(features: readonly { readonly name: string }[]): TSchema {
	const name = Type.Enum(features.map((feature) => feature.name));
	const requires = Type.Array(NonEmpty, { uniqueItems: true });
	const feature = Type.Object({ name, supported: Type.Boolean(), requires }, closed);
	return Type.Array(feature, { minItems: features.length, maxItems: features.length });
}

const Package = Type.Object(
	{
		name: Type.Literal("gentle-ai"),
		version: NonEmpty,
		release_channel: Type.Enum(["development", "prerelease", "stable"]),
	},
	closed,
);

const Build = Type.Object(
	{
		id: Sha256Schema,
		go_version: NonEmpty,
		module_version: Type.String(),
		vcs: Type.String(),
		vcs_revision: Type.String(),
		vcs_time: Type.String(),
		vcs_modified: Type.Enum(["true", "false", "unknown"]),
	},
	closed,
);

const Executable = Type.Object(
	{
		sha256: Sha256Schema,
		evidence: Type.Literal("self-reported"),
		verification: Type.Literal("compare-with-published-manifest"),
	},
	closed,
);

const Selector = Type.Object(
	{
		target_type: Type.Enum(["staged", "base_ref", "workspace_overlay_base_ref", "workspace_overlay_base_tree"]),
		arguments: Type.Array(NonEmpty, { minItems: 2 }),
	},
	closed,
);

function bootstrapOf(contract: string): TSchema {
	return Type.Object(
		{
			command: Type.Literal(`gentle-ai review status --cwd <repo> --contract ${contract} --next-transition`),
			target_selector_variants: Type.Array(Selector, { minItems: 4, maxItems: 4 }),
			required_feature: Type.Literal("native_next_transition"),
			unsupported_outcome: Type.Literal("unsupported-capability"),
			parent_only: Type.Literal(true),
		},
		closed,
	);
}

function compatibilityOf(major: number): TSchema {
	return Type.Object(
		{
			minimum_protocol_major: Type.Literal(major),
			maximum_protocol_major: Type.Literal(major),
			additive_minor_policy: Type.Literal("optional-fields-only"),
			unknown_mandatory: Type.Literal("reject"),
			unknown_optional: Type.Literal("ignore"),
			modes: Type.Tuple([Type.Literal("compact-v2"), Type.Literal("legacy-v1")]),
			legacy_window: Type.Object(
				{
					mode: Type.Literal("legacy-v1"),
					state: Type.Enum(["pre-fence", "active", "deprecated", "expired"]),
					read_only: Type.Boolean(),
					deprecation_started: Type.Boolean(),
					removal: NonEmpty,
					minimum_compatibility_releases: Type.Integer({ minimum: 1 }),
				},
				closed,
			),
		},
		closed,
	);
}

function capabilitiesShape(minor: Minor): TSchema {
	const [major = 0, last = 0] = minor.slice(1).split(".").map(Number);
	const contract = `gentle-ai.review-integration/v${major}`;
	const schemas = schemasOf(minor);
	return Type.Object(
		{
			schema: Type.Literal(schemas.find((name) => name.includes(".capabilities/")) ?? ""),
			contract: Type.Literal(contract),
			protocol: Type.Object({ major: Type.Literal(major), minor: Type.Literal(last) }, closed),
			package: Package,
			build: Build,
			executable: Executable,
			operations: listOf(operationsOf(minor)),
			gates: listOf(GATES),
			projections: listOf(PROJECTIONS),
			schemas: listOf(schemas),
			features: Type.Object(
				{ mandatory: featuresOf(MANDATORY), optional: featuresOf(optionalFeatures(minor)) },
				closed,
			),
			...(hasBootstrap(minor) && { bootstrap: Type.Optional(bootstrapOf(contract)) }),
			compatibility: compatibilityOf(major),
		},
		closed,
	);
}

export const CAPABILITIES = MINORS.map((minor) => ({ minor, schema: capabilitiesShape(minor) }));
