// FINALIZE: flags and the answers of refuter and validator in, the state that the review is in afterwards out.
import { CONTRACTS } from "../../contract/vocabulary.ts";
import { codecOf } from "../../contract/wire/index.ts";
import { withRepository } from "../../provider/caller.ts";
import { finalize } from "../../provider/finalize.ts";
import { publishedReceipt } from "../../provider/receipt.ts";
import { FINALIZE_ELIGIBILITY } from "../../review/index.ts";
import { missing, optional, wholeNumber } from "../flags.ts";
import { HANDED, handedIn } from "../handed-in.ts";
import { printDocument } from "../output.ts";
import { CWD, cwdOf } from "../selector.ts";
import { TRACE, traced } from "../trace.ts";
import { CONTRACT, ELIGIBILITY, type Verb } from "../verb.ts";

export const finalizeVerb: Verb = {
	name: "finalize",
	summary: "close the captured results, the evidence, or publish the receipt again",
	operation: "review.finalize",
	refusalExit: 1,
	flags: [
		CWD,
		CONTRACT,
		{ name: "lineage", kind: "text", value: "ID", help: "the review (default: the only open one)" },
		...HANDED,
		{ name: "correction-lines", kind: "text", value: "N", help: "forecast of the one correction" },
		ELIGIBILITY,
		{ name: "next-transition", kind: "boolean", help: "print the one next transition" },
		TRACE,
	],
	run: async (flags, context) => {
		const negotiated = context.contract !== undefined;
		if (!negotiated && flags.given("action-eligibility")) throw missing("contract", "given with --action-eligibility");
		// The command that STATUS prints names the lineage alone; what it then says is the same in every contract.
		const contract = context.contract ?? CONTRACTS[1];
		const call = {
			contract,
			lineage: optional(flags, "lineage", "lineage"),
			...handedIn(flags),
			correction_lines: wholeNumber(flags, "correction-lines"),
			next_transition: flags.bool("next-transition") === true,
		} as const;
		const { outcome, receipt } = await traced(flags, "review.finalize", (caller) =>
			withRepository(caller, cwdOf(flags), async (place) => {
				const outcome = await finalize(place, call);
				return { outcome, receipt: publishedReceipt(place, outcome) };
			}),
		);
		const eligibility = flags.bool("action-eligibility") === true ? FINALIZE_ELIGIBILITY : undefined;
		const document = codecOf(contract).renderFinalize({ ...outcome, ...(eligibility && { eligibility }) });
		printDocument(
			negotiated ? document : { ...document.result, ...(receipt !== undefined && { receipt_path: receipt }) },
		);
		return 0;
	},
};
