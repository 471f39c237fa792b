// What the negotiated operations ask of every request: a contract that this version answers, and a folder.
import { ReviewError } from "../contract/errors.ts";
import type { ContractName } from "../contract/vocabulary.ts";
import { type Flags, missing } from "./flags.ts";
import type { VerbContext } from "./verb.ts";

export function cwdOf(flags: Flags): string {
	return flags.text("cwd") ?? ".";
}

/** Contract v1 and the unnegotiated shapes come with a later version; they are refused, not half-answered. */
export function requireV2({ contract }: VerbContext): ContractName {
	if (contract === "gentle-ai.review-integration/v2") return contract;
	if (contract === undefined) throw missing("contract", "gentle-ai.review-integration/v2");
	throw new ReviewError("unsupported_contract", {
		message: "this version answers contract v1 for capabilities only",
		field: "--contract",
		value: contract,
		rule: "gentle-ai.review-integration/v2 for every other operation",
		next: "Pass --contract gentle-ai.review-integration/v2",
	});
}
