// The negotiated operations: flags in, one document of the contract out.

import type { Static, TSchema } from "typebox";
import { checkShape } from "../../contract/check.ts";
import { invalidInput } from "../../contract/errors.ts";
import { RefuterBatch, ValidatorResult } from "../../contract/payloads.ts";
import { readStrictJson } from "../../contract/strict-json.ts";
import {
	CONSENT_ANSWERS,
	CONTRACTS,
	type ContractName,
	EVALUATED_GATES,
	GATES,
	LIMITS,
	LOCALES,
} from "../../contract/vocabulary.ts";
import { codecOf } from "../../contract/wire/index.ts";
import { renderDeclined } from "../../contract/wire/shared/consent.ts";
import { renderGateResult } from "../../contract/wire/shared/operation.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { finalize } from "../../provider/finalize.ts";
import { readInput } from "../../provider/input.ts";
import { publishedReceipt } from "../../provider/receipt.ts";
import { start } from "../../provider/start.ts";
import { status } from "../../provider/status.ts";
import { validate } from "../../provider/validate.ts";
import { FINALIZE_ELIGIBILITY, type RecoveryAnswer } from "../../review/index.ts";
import {
	type FlagSpec,
	type Flags,
	focusOf,
	missing,
	once,
	oneOf,
	optional,
	required,
	requiredOneOf,
	wholeNumber,
} from "../flags.ts";
import { printDocument, printRefusal } from "../output.ts";
import { BASE_TREE, CWD, cwdOf, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import { TRACE, traced } from "../trace.ts";
import { CONTRACT, type Verb } from "../verb.ts";
import { startUnnegotiated, statusUnnegotiated } from "./unnegotiated.ts";

const ELIGIBILITY: FlagSpec = {
	name: "action-eligibility",
	kind: "boolean",
	help: "print what is allowed, and why no more",
};

/** The asking command in the contract's word order, without its answer. */
function consentInvocation(flags: Flags, contract: ContractName): string[] {
	const words = ["gentle-ai", "review", "start", "--contract", contract, "--cwd", cwdOf(flags)];
	const value = (name: string) => {
		const text = flags.text(name);
		if (text !== undefined) words.push(`--${name}`, text);
	};
	value("target");
	words.push("--projection", flags.text("projection") ?? "workspace");
	value("lineage");
	value("base-ref");
	if (flags.bool("committed-only") === true) words.push("--committed-only");
	if (flags.bool("workspace-overlay") === true) words.push("--workspace-overlay");
	value("policy");
	if (focusOf(flags) !== "reliability") value("focus");
	value("trace");
	value("locale");
	return words;
}

export const startVerb: Verb = {
	name: "start",
	summary: "freeze one candidate and open its review",
	operation: "review.start",
	refusalExit: 1,
	flags: [
		CWD,
		...once([
			CONTRACT,
			{ name: "target", kind: "text", value: "SHA256", help: "the target_identity that STATUS printed" },
			...SELECTOR_FLAGS,
			{ name: "lineage", kind: "text", value: "ID", help: "a name for the review (default: derived from the target)" },
			{ name: "consent", kind: "text", value: CONSENT_ANSWERS.join("|"), help: "relay the question, or answer it" },
			{ name: "locale", kind: "text", value: LOCALES.join("|"), help: "language of the question" },
		]),
		{ name: "focus", kind: "text", value: "LENS", help: "the lens of a medium-risk candidate (default: reliability)" },
		{ name: "policy", kind: "text", value: "FILE", help: "policy text; its bytes are hashed, not interpreted" },
		TRACE,
	],
	run: async (flags, { contract }) => {
		if (contract === undefined) return startUnnegotiated(flags);
		if (!flags.given("projection")) throw missing("projection", "workspace or staged");
		const policy = flags.text("policy");
		const request = {
			contract,
			selector: selectorFrom(flags, true),
			target: required(flags, "target", "sha256"),
			lineage: optional(flags, "lineage", "lineage"),
			focus: focusOf(flags),
			policy: policy === undefined ? undefined : readInput("policy", policy, LIMITS.policyBytes),
			consent: oneOf(flags, "consent", CONSENT_ANSWERS),
			locale: oneOf(flags, "locale", LOCALES) ?? "en",
			invocation: consentInvocation(flags, contract),
		};
		const codec = codecOf(contract);
		const answer = await traced(flags, "review.start", (caller) =>
			withRepository(caller, cwdOf(flags), (place) => start(place, request)),
		);
		switch (answer.kind) {
			case "started":
				printDocument(codec.renderStart(answer.outcome));
				break;
			case "consent":
				printDocument(codec.renderConsent(answer.question));
				break;
			case "declined":
				printDocument(renderDeclined(answer.outcome));
		}
		return 0;
	},
};

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

/** A payload of the caller's: strict JSON of exactly one shape. */
function payloadOf<Schema extends TSchema>(
	flags: Flags,
	name: string,
	schema: Schema,
	next: string,
): Static<Schema> | undefined {
	const file = flags.text(name);
	if (file === undefined) return undefined;
	const text = readInput(name, file, LIMITS.reviewerPayloadBytes).toString("utf8");
	const json = readStrictJson(text, LIMITS.reviewerPayloadDepth);
	if (!json.ok) throw invalidInput(`--${name}`, json.problem.pointer, json.problem.rule, next);
	const shape = checkShape(schema, json.value);
	if (!shape.ok) throw invalidInput(`--${name}`, shape.problem.pointer, shape.problem.rule, next);
	return shape.value;
}

const REFUTER_NEXT =
	'Answer exactly the findings that STATUS names, as in `{"results":[{"finding_id":...,"outcome":...,"proof_refs":[...]}]}`';
const VALIDATOR_NEXT = "Answer the request that STATUS prints, in the shape of `gentle-ai review schema validator`";

/** stdin is one: of all inputs that may read it, one does. */
function requireOneStdin(flags: Flags, names: readonly string[]): void {
	const readers = names.filter((name) => flags.text(name) === "-");
	const [, second] = readers;
	if (second !== undefined) {
		throw invalidInput(`--${second}`, "-", `a file: --${readers[0]} reads stdin`, "Pass a file for one of them");
	}
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
			refuter: payloadOf(flags, "refuter", RefuterBatch, REFUTER_NEXT)?.results,
			validation: payloadOf(flags, "validation", ValidatorResult, VALIDATOR_NEXT),
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
