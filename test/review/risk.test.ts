// Runs the published risk cases: contents in, tier, reasons, lenses, lines and budget out.
import { describe, expect, it } from "vitest";
import type { RiskReason } from "../../packages/gentle-ai/src/contract/state.ts";
import type { Lens, ShortLens, Tier } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { DEFAULT_FOCUS } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { assessRisk, correctionBudget, selectLenses } from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite } from "../contract/data.ts";
import { changedFile, type Side } from "./changes.ts";

type Input = {
	readonly changes: readonly { readonly path: string; readonly old: Side; readonly new: Side }[];
	readonly focus?: ShortLens;
};
type Expect = {
	readonly tier: Tier;
	readonly reasons: readonly RiskReason[];
	readonly selected_lenses: readonly Lens[];
	readonly original_changed_lines: number;
	readonly correction_budget: number;
};

describe("published behaviour: risk", () => {
	for (const { id, input, expect: expected, why } of readSuite<Input, Expect>("risk").cases) {
		const files = input.changes
			.map((change) => changedFile(change.path, change.old, change.new))
			.sort((left, right) => Buffer.compare(Buffer.from(left.path), Buffer.from(right.path)));
		it(`${id}: ${why}`, () => {
			const risk = assessRisk(files);
			expect(risk.tier).toBe(expected.tier);
			expect(risk.reasons).toEqual(expected.reasons);
			expect(risk.changed_lines).toBe(expected.original_changed_lines);
			expect(selectLenses(risk, input.focus ?? DEFAULT_FOCUS)).toEqual(expected.selected_lenses);
			expect(correctionBudget(risk.changed_lines)).toBe(expected.correction_budget);
		});
	}
});
