// The published plain words for each reason: a subject, and where it is.
import type { RiskReason } from "../../contract/state.ts";
import type { Locale, RiskCode, RiskSignal } from "../../contract/vocabulary.ts";

type Words = Readonly<{
	codes: Readonly<Partial<Record<RiskCode, string>>>;
	hot: Readonly<Partial<Record<RiskSignal, string>>>;
	in: string;
	empty: (path: string) => string;
}>;

const WORDS: Readonly<Record<Locale, Words>> = {
	en: {
		codes: {
			service_token: "service credentials",
			shell_source: "shell scripting",
			process_boundary: "code that starts other processes",
			process_scan_limit: "code that starts other processes",
			executable_mode: "an executable permission change",
			executable_change: "an executable change",
			configuration_change: "a configuration change",
		},
		hot: { auth: "authentication", security: "security", payments: "payments", update: "the update path" },
		in: "in",
		empty: (path) => `${path} is an empty file`,
	},
	es: {
		codes: {
			service_token: "credenciales de servicio",
			shell_source: "scripts de shell",
			process_boundary: "código que inicia otros procesos",
			process_scan_limit: "código que inicia otros procesos",
			executable_mode: "un cambio del permiso de ejecución",
			executable_change: "un cambio ejecutable",
			configuration_change: "un cambio de configuración",
		},
		hot: {
			auth: "autenticación",
			security: "seguridad",
			payments: "pagos",
			update: "la ruta de actualización",
		},
		in: "en",
		empty: (path) => `${path} es un archivo vacío`,
	},
};

/** The phrase of one reason, or nothing for the two codes that describe the whole change. */
export function reasonPhrase(reason: RiskReason, locale: Locale): string | undefined {
	const words = WORDS[locale];
	const path = reason.path ?? "";
	if (reason.code === "empty_content") return words.empty(path);
	const subject =
		reason.code === "hot_path" && reason.signal !== undefined ? words.hot[reason.signal] : words.codes[reason.code];
	return subject === undefined ? undefined : `${subject} ${words.in} ${path}`;
}
