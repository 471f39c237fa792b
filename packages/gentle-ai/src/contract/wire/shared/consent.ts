// The consent question and the declined START as documents.
import type { ConsentQuestion, DeclinedOutcome } from "../../model.ts";
import { shellCommand } from "../../tokens.ts";
import { CONSENT_TEXT } from "../consent-text.ts";
import type { ConsentBody } from "./consent-shapes.ts";

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
