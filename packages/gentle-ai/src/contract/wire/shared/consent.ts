// The blocking question of START: the same words in every generation, but for what the decline keeps.
import type { Static } from "typebox";
import * as Type from "typebox";
import type { ConsentQuestion, DeclinedOutcome } from "../../model.ts";
import { NonEmpty, Sha256Schema } from "../../state.ts";
import { shellCommand } from "../../tokens.ts";
import { PROJECTIONS, TIERS } from "../../vocabulary.ts";
import { CONSENT_TEXT } from "../consent-text.ts";
import { Count, closed } from "./parts.ts";

const consentFields = (choices: readonly [RegExp, RegExp]) => {
	const choice = <const Answer extends string>(answer: Answer, invocation: RegExp) =>
		Type.Object(
			{
				answer: Type.Literal(answer),
				label: NonEmpty,
				effect: NonEmpty,
				invocation: Type.String({ pattern: invocation.source }),
			},
			closed,
		);
	return {
		operation: Type.Literal("review.start"),
		action: Type.Literal("consent_required"),
		blocking: Type.Literal(true),
		target_identity: Sha256Schema,
		projection: Type.Enum(PROJECTIONS),
		risk_level: Type.Enum([TIERS[1], TIERS[2]]),
		changed_files: Count,
		changed_lines: Count,
		headline: NonEmpty,
		reason: NonEmpty,
		value: NonEmpty,
		risk_evidence: Type.Array(NonEmpty),
		choices: Type.Tuple([choice("granted", choices[0]), choice("declined", choices[1])]),
		off_path: Type.Object({ note: NonEmpty, command: Type.Literal("gentle-ai review mode disable") }, closed),
	};
};

export function consentShape<const Name extends string, Contract extends Type.TLiteral>(
	schema: Name,
	contract: Contract,
) {
	const asked = contract.const.toString().replaceAll(".", "\\.");
	const invocation = (answer: string) =>
		new RegExp(`^gentle-ai review start --contract ${asked} .* --consent ${answer}$`, "s");
	return Type.Object(
		{ schema: Type.Literal(schema), contract, ...consentFields([invocation("granted"), invocation("declined")]) },
		closed,
	);
}

export type ConsentBody = Static<Type.TObject<ReturnType<typeof consentFields>>>;

/** `kept`: does this generation say that a decline is recorded? */
export function renderConsentBody(question: ConsentQuestion, kept: boolean): ConsentBody {
	const text = CONSENT_TEXT[question.locale];
	const evidence = question.phrases.length === 0 ? undefined : text.join(question.phrases);
	const choice = <Answer extends "granted" | "declined">(answer: Answer, effect: string) => ({
		answer,
		label: text[answer].label,
		effect,
		invocation: shellCommand([...question.invocation, "--consent", answer]),
	});
	return {
		operation: "review.start",
		action: "consent_required",
		blocking: true,
		target_identity: question.target_identity,
		projection: question.projection,
		risk_level: question.risk_level,
		changed_files: question.changed_files,
		changed_lines: question.changed_lines,
		headline: text.headline,
		reason: question.risk_level === "high" ? text.high(evidence) : text.medium(evidence),
		value: text.value,
		risk_evidence: question.risk_level === "high" ? [...question.phrases] : [text.mediumSentence, ...question.phrases],
		choices: [
			choice("granted", text.granted.effect),
			choice("declined", kept ? text.declined.effect : text.declined.firstEffect),
		],
		off_path: { note: text.offNote, command: "gentle-ai review mode disable" },
	};
}

/** The typed declined result keeps the unnegotiated START shape in every contract. */
export function renderDeclined(outcome: DeclinedOutcome): object {
	return {
		operation: "review/start",
		action: "declined",
		lenses_required: false,
		lineage_id: "",
		state: "",
		risk_level: outcome.risk_level,
		selected_lenses: [],
		lens_bindings: [],
		projection: outcome.target.projection ?? "workspace",
		target_identity: outcome.target.identity,
		changed_files: outcome.target.paths.length,
		changed_lines: outcome.changed_lines,
		correction_budget: 0,
		risk_evidence: outcome.phrases,
		consent: "declined_this_candidate",
	};
}
