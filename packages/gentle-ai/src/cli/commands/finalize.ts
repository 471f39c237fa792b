// FINALIZE: flags and the answers of refuter and validator in, the state that the review is in afterwards out.
import { checkShape } from "../../contract/check.ts";
import type { Shape, ShapeName } from "../../contract/checked.ts";
import { invalidInput } from "../../contract/errors.ts";
import { readStrictJson } from "../../contract/strict-json.ts";
import { CONTRACTS, LIMITS } from "../../contract/vocabulary.ts";
import { codecOf } from "../../contract/wire/index.ts";
import { withRepository } from "../../provider/caller.ts";
import { finalize } from "../../provider/finalize.ts";
import { readInput } from "../../provider/input.ts";
import { publishedReceipt } from "../../provider/receipt.ts";
import { FINALIZE_ELIGIBILITY } from "../../review/index.ts";
import { type Flags, missing, optional, wholeNumber } from "../flags.ts";
import { printDocument } from "../output.ts";
import { CWD, cwdOf } from "../selector.ts";
import { TRACE, traced } from "../trace.ts";
import { CONTRACT, ELIGIBILITY, type Verb } from "../verb.ts";

/** A payload of the caller's: strict JSON of exactly one shape. */
function payloadOf<Name extends ShapeName>(
	flags: Flags,
	name: string,
	shape: Name,
	next: string,
): Shape<Name> | undefined {
	const file = flags.text(name);
	if (file === undefined) return undefined;
	const text = readInput(name, file, LIMITS.reviewerPayloadBytes).toString("utf8");
	const json = readStrictJson(text, LIMITS.reviewerPayloadDepth);
	if (!json.ok) throw invalidInput(`--${name}`, json.problem.pointer, json.problem.rule, next);
	const checked = checkShape(shape, json.value);
	if (!checked.ok) throw invalidInput(`--${name}`, checked.problem.pointer, checked.problem.rule, next);
	return checked.value;
}

const REFUTER_NEXT =
	'Answer exactly the findings that STATUS names, as in `{"results":[{"finding_id":...,"outcome":...,"proof_refs":[...]}]}`';
const VALIDATOR_NEXT = "Answer the request that STATUS prints, in the shape of `gentle-ai review schema validator`";

/** stdin is one: of all inputs that may read it, one does. */
function requireOneStdin(flags: Flags, names: readonly string[]): void {
	const [first, second] = names.filter((name) => flags.text(name) === "-");
	if (second === undefined) return;
	throw invalidInput(`--${second}`, "-", `a file: --${first} reads stdin`, "Pass a file for one of them");
}

export const finalizeVerb: Verb = {
	name: "finalize",
	summary: "close the captured results, the evidence, or publish the receipt again",
	operation: "review.finalize",
	refusalExit: 1,
	flags: [
		CWD,
		CONTRACT,
		{ name: "lineage", kind: "text", value: "ID", help: "the review (default: the only open one)" },
		{ name: "captured-results", kind: "boolean", help: "use every captured reviewer result" },
		{ name: "captured-evidence", kind: "boolean", help: "use the captured verification evidence" },
		{ name: "failed", kind: "boolean", help: "must agree with the captured outcome" },
		{ name: "refuter", kind: "text", value: "FILE", help: "the refuter's answers; - is stdin" },
		{ name: "validation", kind: "text", value: "FILE", help: "the targeted validator's answer; - is stdin" },
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
		requireOneStdin(flags, ["refuter", "validation"]);
		const call = {
			contract,
			lineage: optional(flags, "lineage", "lineage"),
			captured_results: flags.bool("captured-results") === true,
			captured_evidence: flags.bool("captured-evidence") === true,
			failed: flags.bool("failed"),
			correction_lines: wholeNumber(flags, "correction-lines"),
			refuter: payloadOf(flags, "refuter", "RefuterBatch", REFUTER_NEXT)?.results,
			validation: payloadOf(flags, "validation", "ValidatorResult", VALIDATOR_NEXT),
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
