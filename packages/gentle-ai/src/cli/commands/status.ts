// STATUS: flags in, what applies to the target and the one next transition out.
import { EVALUATED_GATES } from "../../contract/vocabulary.ts";
import { renderStatus } from "../../contract/wire/v2/render.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { status } from "../../provider/status.ts";
import { oneOf, optional } from "../flags.ts";
import { cwdOf, requireV2 } from "../negotiated.ts";
import { printDocument } from "../output.ts";
import { BASE_TREE, CWD, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import { CONTRACT, type Verb } from "../verb.ts";

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
		{ name: "next-transition", kind: "boolean", help: "print the one next transition" },
	],
	run: async (flags, context) => {
		const contract = requireV2(context);
		const request = {
			contract,
			selector: selectorFrom(flags, false),
			selected: flags.given("base-ref") || flags.given("base-tree") || flags.given("projection"),
			lineage: optional(flags, "lineage", "lineage"),
			gate: oneOf(flags, "gate", EVALUATED_GATES) ?? "pre-commit",
			next_transition: flags.bool("next-transition") === true,
		} as const;
		const answer = await withRepository(processCaller(), cwdOf(flags), (place) => status(place, request));
		printDocument(renderStatus(answer.outcome));
		return 0;
	},
};
