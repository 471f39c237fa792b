// STATUS: flags in, what applies to the target and the one next transition out.
import { EVALUATED_GATES } from "../../contract/vocabulary.ts";
import { codecOf } from "../../contract/wire/index.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { status } from "../../provider/status.ts";
import type { RecoveryAnswer } from "../../review/index.ts";
import { type Flags, missing, oneOf, optional, required } from "../flags.ts";
import { printDocument } from "../output.ts";
import { BASE_TREE, CWD, cwdOf, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import { CONTRACT, ELIGIBILITY, type Verb } from "../verb.ts";
import { statusUnnegotiated } from "./unnegotiated.ts";

/** A recovery is answered as a whole; parts of an answer are refused. */
function recoveryOf(flags: Flags): RecoveryAnswer | undefined {
	const names = ["successor-lineage", "reason", "actor", "authorization"].map((name) => `recovery-${name}`);
	const given = names.filter((name) => flags.given(name));
	if (given.length === 0) return undefined;
	const absent = names.find((name) => !flags.given(name));
	if (absent !== undefined) throw missing(absent, `given together with --${given[0]}`);
	return {
		successor_lineage: required(flags, "recovery-successor-lineage", "lineage"),
		reason: flags.text("recovery-reason") ?? "",
		actor: flags.text("recovery-actor") ?? "",
		authorization: flags.text("recovery-authorization") ?? "",
	};
}

export const statusVerb: Verb = {
	name: "status",
	summary: "say what applies to the target and the one next step",
	operation: "review.status",
	refusalExit: 1,
	flags: [
		CWD,
		CONTRACT,
		...SELECTOR_FLAGS,
		BASE_TREE,
		{ name: "lineage", kind: "text", value: "ID", help: "look at this review only" },
		{ name: "gate", kind: "text", value: "GATE", help: "the gate of an approved review (default: pre-commit)" },
		ELIGIBILITY,
		{ name: "next-transition", kind: "boolean", help: "print the one next transition" },
		{ name: "recovery-successor-lineage", kind: "text", value: "ID", help: "the name of the review that continues" },
		{ name: "recovery-reason", kind: "text", value: "TEXT", help: "why it continues" },
		{ name: "recovery-actor", kind: "text", value: "NAME", help: "the maintainer" },
		{ name: "recovery-authorization", kind: "text", value: "TEXT", help: "the maintainer's exact authorization" },
	],
	run: async (flags, { contract }) => {
		if (contract === undefined) return statusUnnegotiated(flags, statusVerb.flags);
		const request = {
			contract,
			selector: selectorFrom(flags, false),
			selected: flags.given("base-ref") || flags.given("base-tree") || flags.given("projection"),
			lineage: optional(flags, "lineage", "lineage"),
			gate: oneOf(flags, "gate", EVALUATED_GATES) ?? "pre-commit",
			action_eligibility: flags.bool("action-eligibility") === true,
			next_transition: flags.bool("next-transition") === true,
			recovery: recoveryOf(flags),
		} as const;
		const answer = await withRepository(processCaller(), cwdOf(flags), (place) => status(place, request));
		printDocument(codecOf(contract).renderStatus(answer.outcome));
		return 0;
	},
};
