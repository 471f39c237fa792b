// What a command is: its flags, its help, and what it does with them. Help, usage and parsing come from this one shape.
import type { Operation } from "../contract/operations.ts";
import type { ContractName } from "../contract/vocabulary.ts";
import type { FlagSpec, Flags } from "./flags.ts";

export type Verb = {
	readonly name: string;
	readonly summary: string;
	readonly flags: readonly FlagSpec[];
	/** Negotiated: refusals become failure envelopes of the caller's contract. */
	readonly operation?: Operation;
	/** Answers in the first contract also when the caller named none. */
	readonly alwaysNegotiated?: boolean;
	/** Named by the constant capabilities, and refused as not in this version (decision 49). */
	readonly later?: true;
	/** Exit code of a refusal; 1 for the contract's operations, 2 for the commands that people use. */
	readonly refusalExit: 1 | 2;
	/** A bare word that some commands take, e.g. `enable`. */
	readonly words?: readonly string[];
	readonly run: (flags: Flags, context: VerbContext) => Promise<number>;
};

export type VerbContext = {
	readonly contract: ContractName | undefined;
	readonly word: string | undefined;
	/** The caller's words after the verb, untouched. */
	readonly argv: readonly string[];
};

export const CONTRACT: FlagSpec = {
	name: "contract",
	kind: "text",
	value: "NAME",
	help: "gentle-ai.review-integration/v1 or /v2",
};

export const ELIGIBILITY: FlagSpec = {
	name: "action-eligibility",
	kind: "boolean",
	help: "print what is allowed, and why no more",
};
