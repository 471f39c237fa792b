// How a refused result is told: its rule, the offending place and value, and what would be right.

import { LIMITS } from "../../contract/limits.ts";
import { bounded } from "../../contract/paths.ts";
import { ADMISSION_RULES, type AdmissionCode, type Decision } from "./rules.ts";

export type Diagnostic = {
	readonly code: "inspection_coverage" | "invalid_finding_location" | "candidate_causality_unproven";
	readonly reason: string;
	readonly finding_id?: string;
	readonly location?: string;
	readonly missing_path_count?: number;
	readonly foreign_path_count?: number;
};

export type AdmissionRefusal = {
	readonly admitted: false;
	readonly code: AdmissionCode;
	readonly decision: Decision;
	readonly check: number;
	readonly rule: string;
	/** JSON pointer into the answer. */
	readonly pointer: string;
	/** The offending value, cut and made visible. */
	readonly value: string;
	/** What would be right here, where the rule alone does not tell. */
	readonly hint?: string;
	readonly diagnostic?: Diagnostic;
};

/** A refusal on its way to the door of admission, which answers with it. */
export class Refused extends Error {
	readonly refusal: AdmissionRefusal;
	constructor(refusal: AdmissionRefusal) {
		super(refusal.code);
		this.refusal = refusal;
	}
}

type Beside = { readonly hint?: string; readonly diagnostic?: Diagnostic };

export function refuse(code: AdmissionCode, pointer: string, value: unknown, beside: Beside = {}): Refused {
	const { check, decision, rule } = ADMISSION_RULES[code];
	const shown = bounded(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), LIMITS.boundedValueChars);
	return new Refused({ admitted: false, code, decision, check, rule, pointer, value: shown, ...beside });
}
