// Runs the published budget cases: freeze, forecast, acceptance.
import { describe, expect, it } from "vitest";
import type { VerificationOutcome } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { reportsUnavailableInspection } from "../../packages/gentle-ai/src/review/admission/citations.ts";
import {
	accountingSentence,
	correctionBudget,
	ruleAcceptance,
	ruleForecast,
} from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite } from "../contract/data.ts";

type Input =
	| { readonly op: "freeze"; readonly original_changed_lines: number }
	| {
			readonly op: "forecast";
			readonly correction_budget: number;
			readonly spent: number;
			readonly forecast: number;
			readonly existing_forecast?: number;
			readonly attempts?: number;
	  }
	| {
			readonly op: "accept";
			readonly correction_budget: number;
			readonly forecast: number;
			readonly actual: number;
			readonly original_criteria?: boolean;
			readonly correction_regression?: boolean;
			readonly repository_outcome: VerificationOutcome;
			readonly validator_evidence?: readonly string[];
	  };
type Expect = {
	readonly correction_budget?: number;
	readonly error?: true;
	readonly state?: string;
	readonly accepted?: boolean;
	readonly cause?: string;
	readonly spent?: number;
	readonly remaining?: number;
	readonly total?: number;
	readonly attempts_consumed?: number;
};

function checkFreeze(lines: number, expected: Expect): void {
	if (expected.error) expect(() => correctionBudget(lines)).toThrow();
	else expect(correctionBudget(lines)).toBe(expected.correction_budget);
}

/** What is not accepted changes nothing, so the review stays where a correction is due. */
function checkRuling(ruling: { readonly accepted: boolean; readonly state?: string }, expected: Expect): void {
	const { state, accepted, cause, spent, remaining, total, attempts_consumed } = expected;
	expect(ruling.accepted).toBe(accepted);
	expect(ruling.state ?? "correction_required").toBe(state);
	const named = Object.entries({ cause, spent, remaining, total, attempts_consumed }).filter(
		([, value]) => value !== undefined,
	);
	expect(ruling).toMatchObject(Object.fromEntries(named));
	if (cause === undefined) expect(ruling).not.toHaveProperty("cause");
}

describe("published behaviour: correction budget", () => {
	for (const { id, input, expect: expected, why } of readSuite<Input, Expect>("correction-budget").cases) {
		it(`${id}: ${why}`, () => {
			switch (input.op) {
				case "freeze":
					return checkFreeze(input.original_changed_lines, expected);
				case "forecast": {
					const { correction_budget, spent, attempts = 0, existing_forecast: forecast } = input;
					return checkRuling(ruleForecast({ correction_budget, spent, attempts, forecast }, input.forecast), expected);
				}
				case "accept": {
					const account = {
						correction_budget: input.correction_budget,
						spent: 0,
						attempts: 0,
						forecast: input.forecast,
					};
					const measure = {
						repository_outcome: input.repository_outcome,
						actual: input.actual,
						original_criteria: input.original_criteria ?? false,
						correction_regression: input.correction_regression ?? false,
						inspection_unavailable: reportsUnavailableInspection(input.validator_evidence ?? []),
					};
					return checkRuling(ruleAcceptance(account, measure), expected);
				}
			}
		});
	}
});

describe("a forecast", () => {
	const account = { correction_budget: 10, spent: 0, attempts: 0, forecast: undefined };

	it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("of %s lines is no forecast", (lines) => {
		expect(ruleForecast(account, lines)).toEqual({ accepted: false, reason: "not_positive" });
	});

	it("counts together with what was spent before", () => {
		expect(ruleForecast({ ...account, spent: 4 }, 6)).toEqual({ accepted: true, state: "correction_required" });
		expect(ruleForecast({ ...account, spent: 4 }, 7)).toMatchObject({
			state: "escalated",
			spent: 11,
			remaining: 0,
			total: 10,
		});
	});
});

describe("an acceptance", () => {
	const account = { correction_budget: 10, spent: 0, attempts: 0, forecast: 5 };
	const measure = {
		repository_outcome: "passed",
		actual: 10,
		original_criteria: true,
		correction_regression: true,
		inspection_unavailable: false,
	} as const;

	it("of exactly the budget approves, of one line more is refused and consumes nothing", () => {
		expect(ruleAcceptance(account, measure)).toEqual({ accepted: true, state: "approved" });
		expect(ruleAcceptance(account, { ...measure, actual: 11 })).toEqual({ accepted: false, reason: "over_budget" });
		expect(ruleAcceptance({ ...account, spent: 1 }, measure)).toEqual({ accepted: false, reason: "over_budget" });
	});

	it("names the first check that failed, and records the attempt", () => {
		expect(ruleAcceptance(account, { ...measure, original_criteria: false, correction_regression: false })).toEqual({
			accepted: true,
			state: "escalated",
			cause: "original_criteria_failed",
			attempts_consumed: 1,
		});
		expect(ruleAcceptance(account, { ...measure, correction_regression: false })).toEqual({
			accepted: true,
			state: "escalated",
			cause: "correction_regression_failed",
			attempts_consumed: 1,
		});
	});

	it("asks the repository before the validator", () => {
		const failed = { ...measure, repository_outcome: "verification_failed", inspection_unavailable: true } as const;
		expect(ruleAcceptance(account, failed)).toEqual({ accepted: false, reason: "verification_failed" });
	});

	it("is accounted for in one sentence", () => {
		expect(accountingSentence({ spent: 11, remaining: 0, total: 10 })).toBe(
			"The correction uses 11 of 10 allowed lines; 0 are left.",
		);
	});
});
