// The target selectors that several commands share.
import { invalidInput } from "../contract/errors.ts";
import { PROJECTIONS } from "../contract/vocabulary.ts";
import type { Selector } from "../provider/target.ts";
import { type FlagSpec, type Flags, missing, oneOf } from "./flags.ts";

export const CWD: FlagSpec = {
	name: "cwd",
	kind: "text",
	value: "DIR",
	help: "a folder inside the work tree (default: this one)",
};

export function cwdOf(flags: Flags): string {
	return flags.text("cwd") ?? ".";
}

export const SELECTOR_FLAGS: readonly FlagSpec[] = [
	{ name: "projection", kind: "text", value: "workspace|staged", help: "which bytes: the work tree, or the index" },
	{ name: "base-ref", kind: "text", value: "REV", help: "compare with this commit instead of HEAD" },
	{ name: "committed-only", kind: "boolean", help: "with --base-ref: only what is committed, REV to HEAD" },
	{ name: "workspace-overlay", kind: "boolean", help: "with --base-ref: REV to the work tree" },
];

export const BASE_TREE: FlagSpec = {
	name: "base-tree",
	kind: "text",
	value: "TREE",
	help: "with --workspace-overlay: the base_tree that START printed",
};

function overlay(flags: Flags): Selector {
	const ref = flags.text("base-ref");
	const tree = flags.text("base-tree");
	const projection = oneOf(flags, "projection", PROJECTIONS) ?? "workspace";
	if (flags.bool("committed-only") === true) {
		throw invalidInput("--workspace-overlay", "true", "combined with --committed-only", "Pass one of the two");
	}
	if (ref !== undefined && tree !== undefined) {
		throw invalidInput("--base-tree", tree, "combined with --base-ref", "Pass one of the two");
	}
	if (ref !== undefined) return { kind: "base-workspace-overlay", base: ref, flag: "--base-ref", projection };
	if (tree !== undefined && projection === "workspace") {
		return { kind: "base-workspace-overlay", base: tree, flag: "--base-tree", projection };
	}
	throw missing("base-ref", "the commit that --workspace-overlay compares with");
}

/** `strict`: START needs the exact pair `--base-ref` and `--committed-only`; STATUS takes the ref alone. */
export function selectorFrom(flags: Flags, strict: boolean): Selector {
	const projection = oneOf(flags, "projection", PROJECTIONS) ?? "workspace";
	const ref = flags.text("base-ref");
	if (flags.bool("workspace-overlay") === true) {
		const selector = overlay(flags);
		if (strict && projection === "staged") {
			throw invalidInput("--projection", "staged", "combined with --workspace-overlay", "Leave one of the two out");
		}
		return selector;
	}
	if (flags.text("base-tree") !== undefined) {
		throw invalidInput(
			"--base-tree",
			flags.text("base-tree") ?? "",
			"used without --workspace-overlay",
			"Add --workspace-overlay",
		);
	}
	if (ref === undefined) {
		if (flags.bool("committed-only") === true)
			throw missing("base-ref", "the commit that --committed-only compares with");
		return { kind: "current-changes", projection };
	}
	if (strict && flags.bool("committed-only") !== true) {
		throw missing("committed-only", "given with --base-ref, or --workspace-overlay instead");
	}
	if (projection === "staged") {
		throw invalidInput("--projection", "staged", "combined with --base-ref", "Leave one of the two out");
	}
	return { kind: "base-diff", base: ref, flag: "--base-ref" };
}
