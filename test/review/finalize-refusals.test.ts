// What FINALIZE may never commit, whatever it is asked.
import { describe, expect, it } from "vitest";
import type { ReviewState } from "../../packages/gentle-ai/src/contract/state.ts";
import { VERIFICATION_OUTCOMES } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import type { FinalizePlan, FinalizeRequest } from "../../packages/gentle-ai/src/review/index.ts";
import { plan, record } from "./plans.ts";
import { fresh } from "./states.ts";

describe("an input of another phase", () => {
	const validating: ReviewState = { ...fresh(4), state: "validating" };
	const blocked: ReviewState = { ...fresh(4), state: "correction_required", fix_finding_ids: ["R3-001"] };

	it.each<[string, ReviewState, Partial<FinalizeRequest>]>([
		["reviewer results beside a forecast", blocked, { captured_results: true, correction_lines: 4 }],
		["evidence beside a forecast", blocked, { captured_evidence: true, correction_lines: 4 }],
		["refuter rows beside a forecast", blocked, { refuter: [], correction_lines: 4 }],
		["a forecast beside evidence", validating, { captured_evidence: true, correction_lines: 4 }],
		["refuter rows beside evidence", validating, { captured_evidence: true, refuter: [] }],
	])("is refused, never ignored: %s", (_, state, request) => {
		expect(plan(state, request, { evidence: record(state, "passed") }).kind).toBe("refused");
	});
});

describe("no request", () => {
	const flags = [true, false];
	const requests = (["reviewing", "correction_required", "validating"] as const).flatMap((state) =>
		[0, 1, 4].flatMap((lenses) =>
			[undefined, ...VERIFICATION_OUTCOMES].flatMap((outcome) =>
				flags.flatMap((captured_results) =>
					flags.flatMap((captured_evidence) =>
						flags.map((target_unchanged) => ({
							start: { ...fresh(lenses), state } satisfies ReviewState,
							request: { captured_results, captured_evidence },
							outcome,
							target_unchanged,
						})),
					),
				),
			),
		),
	);

	function approves(planned: FinalizePlan): boolean {
		return planned.kind === "advance" && planned.steps.at(-1)?.state.state === "approved";
	}

	it("approves anything but a passed verification or an untouched low-risk candidate", () => {
		for (const { start, request, outcome, target_unchanged } of requests) {
			const evidence = outcome && record(start, outcome);
			if (!approves(plan(start, request, { evidence, target_unchanged }))) continue;
			const verified = request.captured_evidence && outcome === "passed";
			expect(verified || (start.risk_level === "low" && target_unchanged)).toBe(true);
		}
	});

	it("that calls the verification failed is ever answered with an approval", () => {
		for (const { start, request, outcome } of requests) {
			const evidence = outcome && record(start, outcome);
			const planned = plan(start, { ...request, failed: true }, { evidence });
			expect(approves(planned), `${start.state}, ${start.risk_level}`).toBe(false);
		}
	});
});
