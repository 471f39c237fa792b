// What the negotiated operations share: the folder of a request, and the flag that adds the eligibility lists.
import type { FlagSpec, Flags } from "./flags.ts";

export function cwdOf(flags: Flags): string {
	return flags.text("cwd") ?? ".";
}

export const ELIGIBILITY: FlagSpec = {
	name: "action-eligibility",
	kind: "boolean",
	help: "print what is allowed, and why no more",
};
