// VALIDATE: one gate in, yes or no out.
import { GATES } from "../../contract/vocabulary.ts";
import { codecOf } from "../../contract/wire/index.ts";
import { renderGateResult } from "../../contract/wire/shared/operation.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { validate } from "../../provider/validate.ts";
import { optional, requiredOneOf } from "../flags.ts";
import { printDocument, printRefusal } from "../output.ts";
import { CWD, cwdOf } from "../selector.ts";
import { CONTRACT, type Verb } from "../verb.ts";

export const validateVerb: Verb = {
	name: "validate",
	summary: "ask a gate whether exactly these bytes were approved",
	operation: "review.validate",
	refusalExit: 1,
	flags: [
		CWD,
		CONTRACT,
		{ name: "gate", kind: "text", value: GATES.join("|"), help: "the gate" },
		{ name: "lineage", kind: "text", value: "ID", help: "the review (default: the one with the exact receipt)" },
	],
	run: async (flags, { contract }) => {
		const request = {
			gate: requiredOneOf(flags, "gate", GATES),
			lineage: optional(flags, "lineage", "lineage"),
		};
		const { outcome, refusal } = await withRepository(processCaller(), cwdOf(flags), (place) =>
			validate(place, request),
		);
		if (contract !== undefined) {
			if (refusal !== undefined) throw refusal;
			printDocument(codecOf(contract).renderGate(outcome));
			return 0;
		}
		printDocument(renderGateResult(outcome));
		if (refusal === undefined) return 0;
		printRefusal(refusal);
		return 1;
	},
};
