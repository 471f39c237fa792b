// Which reviewing state a captured result answered: it follows from the state alone, through any number of reopenings.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../packages/gentle-ai/src/contract/canonical.ts";
import { lensResultHash, stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { ReviewState } from "../../packages/gentle-ai/src/contract/state.ts";
import {
	applyEvent,
	artifactSubjects,
	beforeReview,
	refusesReopening,
	reopenedAt,
} from "../../packages/gentle-ai/src/review/index.ts";
import { digest, fresh, MANIFEST } from "./states.ts";

/** Every lens answered without a finding. */
function reviewed(state: ReviewState): ReviewState {
	const results = state.selected_lenses.map((lens) => {
		const result = { lens, findings: [], evidence: ["read it all"] };
		return { result, result_hash: lensResultHash(result) };
	});
	const routed = {
		routed: true,
		state: "validating",
		classifications: {},
		outcomes: {},
		fix_finding_ids: [],
		follow_ups: [],
	} as const;
	return applyEvent(state, { type: "review/complete-review", results, routed });
}

function reopened(state: ReviewState, orders: readonly number[]): ReviewState {
	const entry = (order: number) => `${order}:${state.selected_lenses[order]}:${digest("d")}:${digest("e")}`;
	const all = state.selected_lenses.map((_, order) => order);
	const reopening = {
		previous_revision: stateRevision(state),
		quarantined: orders.map(entry),
		retained: all.filter((order) => !orders.includes(order)).map(entry),
		actor: "A",
		reason: "wrong input",
	};
	return applyEvent(state, { type: "review/reopen-results", reopening });
}

const revisions = (state: ReviewState) =>
	artifactSubjects(state, MANIFEST).map((subject) => subject.authority_revision);

describe("a reviewing state", () => {
	it("is found again, byte for byte, from the state that its results led to", () => {
		const first = fresh(4);
		expect(canonicalJson(beforeReview(reviewed(first)))).toBe(canonicalJson(first));
		const second = reopened(reviewed(first), [1]);
		expect(canonicalJson(beforeReview(reviewed(second)))).toBe(canonicalJson(second));
	});

	it("is, for each slot, the one in which it was opened last", () => {
		const first = fresh(4);
		const [a] = revisions(first);
		expect(revisions(first)).toEqual([a, a, a, a]);
		const second = reopened(reviewed(first), [1, 2]);
		const b = stateRevision(second);
		expect(revisions(second)).toEqual([a, b, b, a]);
		const third = reopened(reviewed(second), [2, 3]);
		const c = stateRevision(third);
		expect(revisions(third)).toEqual([a, b, c, c]);
	});

	it("is what each recorded reopening led to, also when the review went on", () => {
		const first = reviewed(fresh(4));
		const second = reopened(first, [0]);
		const third = reopened(reviewed(second), [3]);
		const closed = reviewed(third);
		expect(canonicalJson(reopenedAt(closed, stateRevision(first))?.state)).toBe(canonicalJson(second));
		expect(canonicalJson(reopenedAt(closed, stateRevision(reviewed(second)))?.state)).toBe(canonicalJson(third));
		expect(reopenedAt(closed, digest("f"))).toBeUndefined();
	});

	it("is refused to what is still reviewed, closed, without lenses, or corrected", () => {
		expect(refusesReopening(reviewed(fresh(1)))).toBeUndefined();
		expect(refusesReopening(fresh(1))).toContain("still collects");
		expect(refusesReopening(reviewed(fresh(0)))).toContain("no lens");
		expect(refusesReopening({ ...reviewed(fresh(1)), correction_attempt_inherited: true })).toContain("used up");
		expect(refusesReopening({ ...reviewed(fresh(1)), state: "approved" })).toContain("closed");
	});
});
