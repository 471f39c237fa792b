// The human fields of the consent question. English is pinned by the published fixtures; Spanish is our translation.
import type { Locale } from "../vocabulary.ts";

export type ConsentText = {
	readonly headline: string;
	readonly value: string;
	readonly granted: { readonly label: string; readonly effect: string };
	/** Contract v1 keeps its own words for the effect; both say what happens. */
	readonly declined: { readonly label: string; readonly effect: string; readonly firstEffect: string };
	readonly offNote: string;
	/** Where nobody can be asked. */
	readonly notice: string;
	readonly mediumSentence: string;
	readonly high: (evidence: string | undefined) => string;
	readonly medium: (evidence: string | undefined) => string;
	readonly join: (phrases: readonly string[]) => string;
};

export const CONSENT_TEXT: Readonly<Record<Locale, ConsentText>> = {
	en: {
		headline: "Gentle AI can review this change before you call it done.",
		value: "Reviewing takes a bit longer, and it makes the result substantially safer.",
		granted: {
			label: "Run the review now",
			effect:
				"Reviews this exact frozen candidate now; nothing is granted for later candidates, so each later medium- or high-risk candidate asks again.",
		},
		declined: {
			label: "Not now, just this once",
			effect:
				"Skips the review for this exact candidate only; no review lineage or receipt is created, and ordinary delivery is unmanaged by candidate choice. The next candidate is asked again. This is not the kill switch.",
			firstEffect:
				"Skips the review for this candidate only; nothing is persisted and the next candidate is asked again. This is not the kill switch.",
		},
		offNote: "To turn reviews off for good, run 'gentle-ai review mode disable'.",
		notice: "Gentle AI reviews this change, and each later one of medium or high risk in this clone.",
		mediumSentence: "the change is not purely passive documentation",
		high: (evidence) => `this change gets a deeper review because it touches ${evidence ?? "something sensitive"}.`,
		medium: (evidence) =>
			evidence === undefined
				? "this change gets one consolidated review because it is not purely passive documentation."
				: `this change gets one consolidated review because it is not purely passive documentation; the review starts at ${evidence}.`,
		join: (phrases) => joined(phrases, "and", "more"),
	},
	es: {
		headline: "Gentle AI puede revisar este cambio antes de que lo des por terminado.",
		value: "Revisar tarda un poco más y hace que el resultado sea bastante más seguro.",
		granted: {
			label: "Revisar ahora",
			effect:
				"Revisa ahora exactamente este candidato congelado; no se concede nada para candidatos posteriores, así que cada candidato posterior de riesgo medio o alto vuelve a preguntar.",
		},
		declined: {
			label: "Ahora no, solo esta vez",
			effect:
				"Omite la revisión solo para este candidato exacto; no se crea ningún linaje ni recibo de revisión, y la entrega ordinaria queda sin gestionar por elección de este candidato. El siguiente candidato vuelve a preguntar. Esto no es el interruptor general.",
			firstEffect:
				"Omite la revisión solo para este candidato; no se guarda nada y el siguiente candidato vuelve a preguntar. Esto no es el interruptor general.",
		},
		offNote: "Para desactivar las revisiones de forma permanente, ejecuta 'gentle-ai review mode disable'.",
		notice: "Gentle AI revisa este cambio, y cada uno posterior de riesgo medio o alto en este clon.",
		mediumSentence: "el cambio no es solo documentación pasiva",
		high: (evidence) => `este cambio recibe una revisión más profunda porque toca ${evidence ?? "algo delicado"}.`,
		medium: (evidence) =>
			evidence === undefined
				? "este cambio recibe una revisión consolidada porque no es solo documentación pasiva."
				: `este cambio recibe una revisión consolidada porque no es solo documentación pasiva; la revisión empieza en ${evidence}.`,
		join: (phrases) => joined(phrases, "y", "más"),
	},
};

/** One phrase; two joined; more: the first two and the number of the rest. */
function joined(phrases: readonly string[], and: string, more: string): string {
	const [first = "", second] = phrases;
	if (second === undefined) return first;
	if (phrases.length === 2) return `${first} ${and} ${second}`;
	return `${first}, ${second}, ${and} ${phrases.length - 2} ${more}`;
}
