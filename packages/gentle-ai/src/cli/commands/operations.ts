// The negotiated operations: flags in, one document of the contract out.

import { checkShape } from "../../contract/check.ts";
import { invalidInput, ReviewError } from "../../contract/errors.ts";
import type { RefuterBatch } from "../../contract/payloads.ts";
import { readStrictJson } from "../../contract/strict-json.ts";
import {
	CONSENT_ANSWERS,
	type ContractName,
	EVALUATED_GATES,
	GATES,
	LIMITS,
	LOCALES,
} from "../../contract/vocabulary.ts";
import {
	renderConsent,
	renderDeclined,
	renderFinalize,
	renderGate,
	renderGateResult,
	renderStart,
	renderStatus,
} from "../../contract/wire/v2/render.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { finalize } from "../../provider/finalize.ts";
import { readInput } from "../../provider/input.ts";
import { start } from "../../provider/start.ts";
import { status } from "../../provider/status.ts";
import { validate } from "../../provider/validate.ts";
import { type Flags, focusOf, missing, once, oneOf, optional, required, requiredOneOf, wholeNumber } from "../flags.ts";
import { printDocument, printRefusal } from "../output.ts";
import { BASE_TREE, CWD, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import { CONTRACT, type Verb, type VerbContext } from "../verb.ts";

function cwdOf(flags: Flags): string {
	return flags.text("cwd") ?? ".";
}

/** Contract v1 and the unnegotiated shapes come with a later version; they are refused, not half-answered. */
function requireV2({ contract }: VerbContext): ContractName {
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
	],
	run: async (flags, context) => {
		const contract = requireV2(context);
		if (!flags.given("projection")) throw missing("projection", "workspace or staged");
		const policy = flags.text("policy");
		const request = {
			selector: selectorFrom(flags, true),
			target: required(flags, "target", "sha256"),
			lineage: optional(flags, "lineage", "lineage"),
			focus: focusOf(flags),
			policy: policy === undefined ? undefined : readInput("policy", policy, LIMITS.policyBytes),
			consent: oneOf(flags, "consent", CONSENT_ANSWERS),
			locale: oneOf(flags, "locale", LOCALES) ?? "en",
			invocation: consentInvocation(flags, contract),
		};
		const answer = await withRepository(processCaller(), cwdOf(flags), (place) => start(place, request));
		switch (answer.kind) {
			case "started":
				printDocument(renderStart(answer.outcome));
				break;
			case "consent":
				printDocument(renderConsent(answer.question));
				break;
			case "declined":
				printDocument(renderDeclined(answer.outcome));
		}
		return 0;
	},
};

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

function refuterOf(flags: Flags): RefuterBatch["results"] | undefined {
	const file = flags.text("refuter");
	if (file === undefined) return undefined;
	const text = readInput("refuter", file, LIMITS.reviewerPayloadBytes).toString("utf8");
	const json = readStrictJson(text, LIMITS.reviewerPayloadDepth);
	const next =
		'Answer exactly the findings that STATUS names, as in `{"results":[{"finding_id":...,"outcome":...,"proof_refs":[...]}]}`';
	if (!json.ok) throw invalidInput("--refuter", json.problem.pointer, json.problem.rule, next);
	const shape = checkShape("RefuterBatch", json.value);
	if (!shape.ok) throw invalidInput("--refuter", shape.problem.pointer, shape.problem.rule, next);
	return shape.value.results;
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
		{ name: "correction-lines", kind: "text", value: "N", help: "forecast of the one correction" },
		{ name: "next-transition", kind: "boolean", help: "print the one next transition" },
	],
	run: async (flags, context) => {
		// The command that STATUS prints names the lineage alone; its answer is the one of contract v2.
		const contract = context.contract === undefined ? "gentle-ai.review-integration/v2" : requireV2(context);
		const call = {
			contract,
			lineage: optional(flags, "lineage", "lineage"),
			captured_results: flags.bool("captured-results") === true,
			captured_evidence: flags.bool("captured-evidence") === true,
			failed: flags.bool("failed"),
			correction_lines: wholeNumber(flags, "correction-lines"),
			refuter: refuterOf(flags),
			next_transition: flags.bool("next-transition") === true,
		} as const;
		const outcome = await withRepository(processCaller(), cwdOf(flags), (place) => finalize(place, call));
		const document = renderFinalize(outcome);
		printDocument(context.contract === undefined ? document.result : document);
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
	run: async (flags, context) => {
		if (context.contract !== undefined) requireV2(context);
		const request = {
			gate: requiredOneOf(flags, "gate", GATES),
			lineage: optional(flags, "lineage", "lineage"),
		};
		const { outcome, refusal } = await withRepository(processCaller(), cwdOf(flags), (place) =>
			validate(place, request),
		);
		if (context.contract !== undefined) {
			if (refusal !== undefined) throw refusal;
			printDocument(renderGate(outcome));
			return 0;
		}
		printDocument(renderGateResult(outcome));
		if (refusal === undefined) return 0;
		printRefusal(refusal);
		return 1;
	},
};
