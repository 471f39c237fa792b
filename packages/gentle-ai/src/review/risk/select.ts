// What a tier costs: the lenses that must look, and the lines that one correction may change.

import { LIMITS } from "../../contract/limits.ts";
import { LENSES, type Lens, longLens, type ShortLens } from "../../contract/vocabulary.ts";
import type { RiskAssessment } from "./assess.ts";

/** None, exactly one, or the canonical four in their order. */
export function selectLenses(risk: RiskAssessment, focus: ShortLens): readonly Lens[] {
	switch (risk.tier) {
		case "low":
			return [];
		case "medium":
			return [risk.large_documentation ? "review-readability" : longLens(focus)];
		case "high":
			return LENSES;
	}
}

/** Half of the authored lines, rounded up, never more than the cap; frozen at START. */
export function correctionBudget(originalChangedLines: number): number {
	if (!Number.isSafeInteger(originalChangedLines) || originalChangedLines < 0) {
		throw new RangeError(`authored lines must be a non-negative integer, not ${originalChangedLines}`);
	}
	return Math.min(LIMITS.correctionBudget, Math.ceil(originalChangedLines / 2));
}
