// The reducer as a law: no sequence of events leaves the legal table, and nothing frozen ever moves.
import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { ReviewState } from "../../packages/gentle-ai/src/contract/state.ts";
import { ReviewReceiptSchema, ReviewStateSchema } from "../../packages/gentle-ai/src/contract/state-schemas.ts";
import { type State, VERIFICATION_OUTCOMES } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { deriveReceipt, isTerminal } from "../../packages/gentle-ai/src/review/index.ts";
import { applyEvent, IllegalTransition, type LineageEvent } from "../../packages/gentle-ai/src/review/lineage/index.ts";
import { eventsFor, life, live } from "./lives.ts";
import { digest, fresh } from "./states.ts";

/** Where each event may start and end, from the published table. */
const LEGAL: Readonly<Record<LineageEvent["type"], Readonly<Partial<Record<State, readonly State[]>>>>> = {
	"review/complete-review": { reviewing: ["validating", "correction_required", "escalated"] },
	"review/begin-fix": { correction_required: ["correction_required", "escalated"] },
	"review/complete-correction-verification": { correction_required: ["approved"] },
	"review/escalate-correction-verification": { correction_required: ["escalated"] },
	"review/complete-verification": { validating: ["approved", "escalated"] },
	"review/reopen-results": { validating: ["reviewing"], correction_required: ["reviewing"] },
	"review/invalidate": { reviewing: ["invalidated"] },
};

const FROZEN = [
	"schema",
	"lineage_id",
	"generation",
	"initial_snapshot",
	"genesis_paths",
	"policy_hash",
	"risk_level",
	"selected_lenses",
	"original_changed_lines",
	"correction_budget",
] as const;

/** The guards of the table beside the state. */
function meetsGuard(state: ReviewState, event: LineageEvent): boolean {
	const forecast = state.correction_forecast !== undefined;
	switch (event.type) {
		case "review/complete-review":
			return JSON.stringify(event.results.map(({ result }) => result.lens)) === JSON.stringify(state.selected_lenses);
		case "review/begin-fix":
			return !forecast;
		case "review/complete-correction-verification": {
			const { original_criteria, correction_regression } = event.attempt;
			return (
				forecast && event.evidence.outcome === "passed" && original_criteria.passed && correction_regression.passed
			);
		}
		case "review/escalate-correction-verification":
			return forecast;
		case "review/invalidate":
			return event.reason.trim() !== "";
		default:
			return true;
	}
}

const RUNS = { numRuns: 500 };

describe("C.1: any sequence of events", () => {
	it("moves only as the published table allows, and refuses everything else", () => {
		fc.assert(
			fc.property(life, (each) => {
				live(each, (before, event, after) => {
					const targets = LEGAL[event.type][before.state];
					if (targets === undefined || !meetsGuard(before, event)) expect(after).toBeUndefined();
					else expect(targets).toContain(after?.state);
				});
			}),
			RUNS,
		);
	});

	it("changes nothing in a terminal state", () => {
		fc.assert(
			fc.property(life, (each) => {
				live(each, (before, _, after) => {
					if (isTerminal(before.state)) expect(after).toBeUndefined();
				});
			}),
			RUNS,
		);
		for (const state of ["approved", "escalated", "invalidated"] as const) {
			fc.assert(
				fc.property(eventsFor(fresh(4).selected_lenses), (event) => {
					expect(() => applyEvent({ ...fresh(4), state }, event)).toThrow(IllegalTransition);
				}),
			);
		}
	});

	it("never touches what START froze", () => {
		fc.assert(
			fc.property(life, (each) => {
				live(each, (_, __, after) => {
					if (after === undefined) return;
					for (const field of FROZEN) expect(after[field], field).toEqual(each[0][field]);
				});
			}),
			RUNS,
		);
	});

	it("gives a new revision exactly when the state changes", () => {
		fc.assert(
			fc.property(life, (each) => {
				live(each, (before, _, after) => {
					if (after === undefined) return;
					const same = JSON.stringify(before) === JSON.stringify(after);
					expect(stateRevision(before) === stateRevision(after)).toBe(same);
				});
			}),
			RUNS,
		);
	});

	it("keeps the state in its declared shape and order, so that equal states have one revision", () => {
		const declared = Object.keys(ReviewStateSchema.properties);
		fc.assert(
			fc.property(life, (each) => {
				live(each, (_, __, after) => {
					if (after === undefined) return;
					expect(Check(ReviewStateSchema, after)).toBe(true);
					const keys = Object.keys(after);
					expect(keys).toEqual(declared.filter((key) => keys.includes(key)));
				});
			}),
			RUNS,
		);
	});

	it("ends in a receipt exactly where it is approved or escalated, in the published shape and order", () => {
		const declared = Object.keys(ReviewReceiptSchema.properties);
		fc.assert(
			fc.property(life, (each) => {
				live(each, (before, _, after) => {
					const state = after ?? before;
					const receipt = deriveReceipt(state);
					expect(receipt !== undefined).toBe(state.state === "approved" || state.state === "escalated");
					if (receipt === undefined) return;
					expect(Check(ReviewReceiptSchema, receipt)).toBe(true);
					const keys = Object.keys(receipt);
					expect(keys).toEqual(declared.filter((key) => keys.includes(key)));
					expect(receipt.terminal_state).toBe(state.state);
				});
			}),
			RUNS,
		);
	});
});

describe("a single event", () => {
	it("approves only what passed", () => {
		for (const outcome of VERIFICATION_OUTCOMES) {
			const state = { ...fresh(4), state: "validating" } as const;
			const after = applyEvent(state, {
				type: "review/complete-verification",
				evidence: { evidence_hash: digest("a"), outcome },
			});
			expect(after.state).toBe(outcome === "passed" ? "approved" : "escalated");
		}
	});

	it("keeps a forecast that ends the review", () => {
		const state = { ...fresh(4), state: "correction_required" } as const;
		const after = applyEvent(state, { type: "review/begin-fix", forecast: 99, state: "escalated" });
		expect(after).toMatchObject({ state: "escalated", correction_forecast: 99 });
	});

	it("begins a correction once: with a forecast there is no second one", () => {
		const state = { ...fresh(4), state: "correction_required", correction_forecast: 4 } as const;
		const again: LineageEvent = { type: "review/begin-fix", forecast: 5, state: "correction_required" };
		expect(() => applyEvent(state, again)).toThrow(IllegalTransition);
	});

	it("names what it was about when it is illegal", () => {
		const event: LineageEvent = { type: "review/begin-fix", forecast: 1, state: "correction_required" };
		expect(() => applyEvent(fresh(1), event)).toThrow("review/begin-fix is not legal in state reviewing");
	});
});
