// FINALIZE as a plan: what each request commits in each state.
import { describe, expect, it } from "vitest";
import { EMPTY_DIGEST } from "../../packages/gentle-ai/src/contract/canonical.ts";
import { stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { ReviewState } from "../../packages/gentle-ai/src/contract/state.ts";
import { VERIFICATION_OUTCOMES } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { deriveReceipt } from "../../packages/gentle-ai/src/review/index.ts";
import { blocker, plan, record, results, steps } from "./plans.ts";
import { fresh, SNAPSHOT } from "./states.ts";

describe("FINALIZE of a review in progress", () => {
	it("approves a low-risk candidate in two revisions, without any input", () => {
		const planned = steps(plan(fresh(0)));
		expect(planned.map(({ operation, state }) => [operation, state.state])).toEqual([
			["review/complete-review", "validating"],
			["review/complete-verification", "approved"],
		]);
		expect(planned.map(({ state, revision }) => revision === stateRevision(state))).toEqual([true, true]);
		expect(planned[1]?.state.evidence_hash).toMatch(/^sha256:/);
		expect(planned[1]?.state.evidence_hash).not.toBe(EMPTY_DIGEST);
		expect(planned[1]?.state).not.toHaveProperty("evidence_outcome");
	});

	it("approves nothing whose repository has moved on", () => {
		expect(plan(fresh(0), {}, { target_unchanged: false }).kind).toBe("refused");
	});

	it("needs every selected lens", () => {
		const state = fresh(4);
		expect(plan(state).kind).toBe("refused");
		for (const missing of [0, 1, 2, 3]) {
			const partial = results(state).map((each, order) => (order === missing ? undefined : each));
			expect(plan(state, { captured_results: true }, { results: partial }).kind).toBe("refused");
		}
		expect(plan(state, { captured_results: true }, { results: [] }).kind).toBe("refused");
	});

	it("without findings goes on to verification, and only there", () => {
		for (const lenses of [1, 4]) {
			const planned = steps(plan(fresh(lenses), { captured_results: true }));
			expect(planned.map(({ state }) => state.state)).toEqual(["validating"]);
			expect(planned[0]?.state.lens_results).toHaveLength(lenses);
		}
	});

	it("with a proven blocker asks for a correction", () => {
		const state = fresh(4);
		const planned = steps(plan(state, { captured_results: true }, { results: results(state, [blocker()]) }));
		expect(planned.map(({ state: each }) => each.state)).toEqual(["correction_required"]);
		expect(planned[0]?.state.fix_finding_ids).toEqual(["R3-001"]);
	});

	it("with a blocker that the repository no longer proves escalates", () => {
		const state = fresh(4);
		const facts = { results: results(state, [blocker()]), proves: () => false };
		expect(steps(plan(state, { captured_results: true }, facts))[0]?.state.state).toBe("escalated");
	});

	it("with a doubtful blocker waits for the refuter", () => {
		const state = fresh(4);
		const facts = { results: results(state, [blocker({ evidence_class: "inferential" })]) };
		expect(plan(state, { captured_results: true }, facts)).toMatchObject({
			kind: "refused",
			field: "--refuter",
			value: "R3-001",
		});
		const refuter = [{ finding_id: "R3-001", outcome: "refuted" as const, proof_refs: ["tracked.txt:1 is guarded"] }];
		expect(steps(plan(state, { captured_results: true, refuter }, facts))[0]?.state.state).toBe("validating");
	});

	it("takes neither evidence nor a forecast", () => {
		expect(plan(fresh(1), { captured_results: true, captured_evidence: true }).kind).toBe("refused");
		expect(plan(fresh(1), { captured_results: true, correction_lines: 1 }).kind).toBe("refused");
	});

	it("takes no verdict of the caller in place of evidence", () => {
		for (const failed of [true, false]) {
			const planned = plan(fresh(1), { captured_results: true, failed });
			if (planned.kind === "advance") expect(planned.steps.map(({ state }) => state.state)).toEqual(["validating"]);
		}
	});
});

describe("FINALIZE of a review that waits for verification", () => {
	const state: ReviewState = { ...fresh(4), state: "validating" };

	it("without evidence commits nothing", () => {
		expect(plan(state).kind).toBe("refused");
		expect(plan(state, { captured_evidence: true }).kind).toBe("refused");
		expect(plan(state, { failed: false }).kind).toBe("refused");
	});

	it.each(VERIFICATION_OUTCOMES)("with evidence that says %s binds the record", (outcome) => {
		const evidence = record(state, outcome);
		const planned = steps(plan(state, { captured_evidence: true }, { evidence }));
		expect(planned).toHaveLength(1);
		expect(planned[0]?.state).toMatchObject({
			state: outcome === "passed" ? "approved" : "escalated",
			evidence_hash: evidence.raw_payload_sha256,
			evidence_record_digest: evidence.record_digest,
			evidence_outcome: outcome,
			evidence_target_identity: SNAPSHOT.identity,
			evidence_authority_revision: stateRevision(state),
		});
	});

	it("refuses a verdict that disagrees with the captured outcome", () => {
		for (const outcome of VERIFICATION_OUTCOMES) {
			for (const failed of [true, false]) {
				const agrees = failed === (outcome !== "passed");
				const planned = plan(state, { captured_evidence: true, failed }, { evidence: record(state, outcome) });
				expect(planned.kind, `${outcome}, --failed=${failed}`).toBe(agrees ? "advance" : "refused");
			}
		}
	});

	it("takes no reviewer results any more", () => {
		const facts = { evidence: record(state, "passed") };
		expect(plan(state, { captured_results: true, captured_evidence: true }, facts).kind).toBe("refused");
	});

	it("of low risk approves by structure alone, if the repository still says the same", () => {
		const low: ReviewState = { ...fresh(0), state: "validating" };
		expect(steps(plan(low)).map(({ state: each }) => each.state)).toEqual(["approved"]);
		expect(plan(low, {}, { target_unchanged: false }).kind).toBe("refused");
	});
});

describe("FINALIZE of a review with blockers", () => {
	const state: ReviewState = {
		...fresh(4),
		state: "correction_required",
		findings: [blocker()],
		fix_finding_ids: ["R3-001"],
	};

	it("keeps a forecast within the budget and waits", () => {
		expect(steps(plan(state, { correction_lines: 10 }))[0]?.state).toMatchObject({
			state: "correction_required",
			correction_forecast: 10,
		});
	});

	it("escalates a forecast of one line more than the budget", () => {
		const after = steps(plan(state, { correction_lines: 11 }))[0]?.state;
		expect(after).toMatchObject({ state: "escalated", correction_forecast: 11 });
	});

	it.each([0, -1, 0.5])("refuses a forecast of %s lines", (correction_lines) => {
		expect(plan(state, { correction_lines }).kind).toBe("refused");
	});

	it("refuses a second forecast, and no forecast at all", () => {
		expect(plan({ ...state, correction_forecast: 4 }, { correction_lines: 4 }).kind).toBe("refused");
		expect(plan(state).kind).toBe("refused");
		expect(plan(state, { captured_evidence: true }, { evidence: record(state, "passed") }).kind).toBe("refused");
	});
});

describe("FINALIZE of a closed review", () => {
	it("replays for the lineage alone and refuses every other input", () => {
		for (const state of ["approved", "escalated", "invalidated"] as const) {
			const closed = { ...fresh(4), state };
			expect(plan(closed)).toEqual({ kind: "replay" });
			for (const request of [
				{ captured_results: true },
				{ captured_evidence: true },
				{ failed: true },
				{ failed: false },
				{ correction_lines: 1 },
				{ refuter: [] },
			]) {
				expect(plan(closed, request).kind, `${state} ${JSON.stringify(request)}`).toBe("refused");
			}
		}
	});

	it("has a receipt whose evidence says passed exactly when it approved", () => {
		for (const outcome of VERIFICATION_OUTCOMES) {
			const state: ReviewState = { ...fresh(4), state: "validating" };
			const last = steps(plan(state, { captured_evidence: true }, { evidence: record(state, outcome) })).at(-1);
			const receipt = last && deriveReceipt(last.state);
			expect(receipt?.terminal_state === "approved").toBe(outcome === "passed");
			expect(receipt?.evidence_outcome).toBe(outcome);
		}
	});
});
