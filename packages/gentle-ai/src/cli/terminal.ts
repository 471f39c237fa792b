// The person at the terminal, if there is one: one question at a time, on stderr.
import type { ConsentQuestion } from "../contract/model.ts";
import { CONSENT_TEXT } from "../contract/wire/consent-text.ts";
import { renderConsentBody } from "../contract/wire/shared/consent.ts";
import { LONG_MS } from "../provider/caller.ts";
import type { FirstContact } from "../provider/start.ts";
import { printNotice } from "./output.ts";

export function canAsk(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true && process.env.CI === undefined;
}

export async function ask(message: string): Promise<boolean> {
	const { confirm, isCancel } = await import("@clack/prompts");
	const answer = await confirm({ message, output: process.stderr });
	return !isCancel(answer) && answer;
}

/** What a START may take that asks nothing by its flags: as long as a person thinks, where there is one. */
export function budgetOf(consent: unknown): number | undefined {
	return consent === undefined && canAsk() ? LONG_MS : undefined;
}

function questionText(question: ConsentQuestion): string {
	const { headline, reason, value, choices, off_path } = renderConsentBody(question, true);
	const effects = choices.map(({ label, effect }) => `${label}: ${effect}`);
	return `${[headline, reason, value, ...effects, off_path.note].join("\n")}\n`;
}

async function askToReview(question: ConsentQuestion): Promise<"granted" | "declined"> {
	printNotice(questionText(question));
	return (await ask(`${CONSENT_TEXT[question.locale].granted.label}?`)) ? "granted" : "declined";
}

/** How START meets the person of a clone, on this terminal or without one. */
export function firstContact(): FirstContact {
	return {
		ask: canAsk() ? askToReview : undefined,
		tell: (locale) => printNotice(`${CONSENT_TEXT[locale].notice} ${CONSENT_TEXT[locale].offNote}\n`),
	};
}
