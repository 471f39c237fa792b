// START: flags in, the opened review, the consent question or the decline out.

import { LIMITS } from "../../contract/limits.ts";
import { CONSENT_ANSWERS, type ContractName, LOCALES } from "../../contract/vocabulary.ts";
import { codecOf } from "../../contract/wire/index.ts";
import { renderDeclined } from "../../contract/wire/shared/consent.ts";
import { withRepository } from "../../provider/caller.ts";
import { readInput } from "../../provider/input.ts";
import { start } from "../../provider/start.ts";
import { type Flags, focusOf, missing, once, oneOf, optional, required } from "../flags.ts";
import { printDocument } from "../output.ts";
import { CWD, cwdOf, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import { budgetOf, firstContact } from "../terminal.ts";
import { TRACE, traced } from "../trace.ts";
import { CONTRACT, type Verb } from "../verb.ts";
import { startUnnegotiated } from "./unnegotiated.ts";

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
			first_contact: firstContact(),
			locale: oneOf(flags, "locale", LOCALES) ?? "en",
			invocation: consentInvocation(flags, contract),
		};
		const codec = codecOf(contract);
		const answer = await traced(flags, "review.start", (caller) =>
			withRepository(caller, cwdOf(flags), (place) => start(place, request), budgetOf(request.consent)),
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
