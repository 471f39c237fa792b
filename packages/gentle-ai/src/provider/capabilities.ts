// CAPABILITIES: what this executable can do. Needs no repository.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sha256 } from "../contract/canonical.ts";
import type { ContractName } from "../contract/vocabulary.ts";
import { type BuildFacts, renderCapabilities } from "../contract/wire/capabilities/render.ts";

// Filled in by the build; a run from source has none of them.
declare const __PACKAGE_VERSION__: string;
declare const __VCS_REVISION__: string;
declare const __VCS_TIME__: string;
declare const __VCS_MODIFIED__: string;

export function buildFacts(): BuildFacts {
	const runtime = `node${process.versions.node}`;
	if (typeof __PACKAGE_VERSION__ === "undefined") {
		return { version: "devel", runtime, vcs_revision: "", vcs_time: "", vcs_modified: "" };
	}
	return {
		version: __PACKAGE_VERSION__,
		runtime,
		vcs_revision: __VCS_REVISION__,
		vcs_time: __VCS_TIME__,
		vcs_modified: __VCS_MODIFIED__,
	};
}

/** The file that a consumer launches: the launcher, or this module in a run from source. */
function executable(): string {
	const launcher: unknown = Reflect.get(globalThis, Symbol.for("gentle-ai.launcher"));
	return typeof launcher === "string" ? launcher : fileURLToPath(import.meta.url);
}

export function capabilities(contract: ContractName): object {
	return renderCapabilities(contract, buildFacts(), sha256(readFileSync(executable())));
}
