// What a reviewer's findings do to a review: correction, refutation, escalation, or nothing.
import { describe, expect, it } from "vitest";
import { blocker, type Finding } from "../kit/answers.ts";
import {
	argument,
	captureAll,
	drive,
	failureOf,
	finalize,
	finalized,
	finalizeRefuted,
	firstInput,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

/** Two new lines beside an old one; the budget is one line. */
async function reviewed(findings: readonly Finding[]): Promise<{ repo: TestRepo; lineage: string }> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 1;\nexport const m = 2;\nexport const k = 3;\n");
	const { lineage_id } = await startPrinted(repo);
	await captureAll(repo, () => findings);
	return { repo, lineage: lineage_id };
}

const inferential = (id: string) => blocker("app.ts:2", { id, evidence_class: "inferential" });

describe("a deterministic blocker", () => {
	it("asks for a correction, and says what to correct", async () => {
		const { repo, lineage } = await reviewed([blocker("app.ts:2", { claim: "m shadows the old m" })]);
		const closed = await finalized(repo, lineage, "--captured-results", "--next-transition");
		expect(closed.state).toBe("correction_required");
		expect(closed.next_transition?.correction_request).toMatchObject({
			correction_budget: 1,
			fix_finding_ids: ["R3-001"],
			findings: [{ id: "R3-001", claim: "m shadows the old m", location: "app.ts:2" }],
		});
		const live = await status(repo);
		expect(live).toMatchObject({ action: "finalize", receipt: { status: "expected_missing" } });
		expect(transitionOf(live)).toEqual(closed.next_transition);
		expect(transitionOf(live)).toMatchObject({ kind: "collect", reason_code: "correction_plan_required" });
	});

	it("keeps its review open until the candidate changes once a plan within the budget is there", async () => {
		const { repo, lineage } = await reviewed([blocker("app.ts:2")]);
		await finalized(repo, lineage, "--captured-results");
		expect((await finalized(repo, lineage, "--correction-lines", "1")).state).toBe("correction_required");
		expect(transitionOf(await status(repo))).toMatchObject({
			kind: "stop",
			reason_code: "corrected_candidate_unavailable",
			correction_request: { fix_finding_ids: ["R3-001"] },
		});
	});

	it("is escalated by a plan over the budget, with the account of its lines", async () => {
		const { repo, lineage } = await reviewed([blocker("app.ts:2")]);
		await finalized(repo, lineage, "--captured-results");
		const over = await finalized(repo, lineage, "--correction-lines", "2");
		expect(over.state).toBe("escalated");
		// Used, left and allowed, in whatever order the sentence has them.
		expect(over.escalation?.match(/\d+/g)?.map(Number).sort()).toEqual([0, 1, 2]);
		expect(transitionOf(await status(repo)).reason_code).toBe("native_stop_required");
	});

	it("takes no plan of no lines, and none twice", async () => {
		const { repo, lineage } = await reviewed([blocker("app.ts:2")]);
		await finalized(repo, lineage, "--captured-results");
		expect(failureOf(await finalize(repo, lineage, "--correction-lines", "0")).code).toBe("invalid_request");
		await finalized(repo, lineage, "--correction-lines", "1");
		expect(failureOf(await finalize(repo, lineage, "--correction-lines", "1")).code).toBe("invalid_request");
	});
});

describe("an inferential blocker", () => {
	it("waits for one refuter, whose every finding is named in byte order", async () => {
		const { repo, lineage } = await reviewed([inferential("R3-b"), inferential("R3-a")]);
		const asked = await status(repo);
		expect(transitionOf(asked)).toMatchObject({ kind: "collect", reason_code: "refuter_outcomes_required" });
		expect(firstInput(asked).schema).toBe("https://gentle-ai.dev/schema/review/refuter/v1");
		expect(argument(firstInput(asked), "finding-ids")).toBe("R3-a,R3-b");
		const refused = failureOf(await finalize(repo, lineage, "--captured-results"));
		expect(refused).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		expect(await status(repo)).toEqual(asked);
	});

	it.each([
		["corroborated", "correction_required"],
		["refuted", "validating"],
		["inconclusive", "escalated"],
	] as const)("that is %s makes the review %s", async (outcome, state) => {
		const { repo } = await reviewed([inferential("R3-a")]);
		expect((await finalizeRefuted(repo, outcome)).state).toBe(state);
		expect((await status(repo)).authority?.state).toBe(state);
	});

	it("is not closed by a refuter that answers another finding, twice, or not all", async () => {
		const { repo, lineage } = await reviewed([inferential("R3-a"), inferential("R3-b")]);
		const row = (finding_id: string) => ({ finding_id, outcome: "refuted", proof_refs: ["differential-test: both"] });
		for (const results of [[row("R3-a")], [row("R3-a"), row("R3-b"), row("R3-c")], [row("R3-a"), row("R3-a")], []]) {
			const file = repo.outside("refuter.json", JSON.stringify({ results }));
			const refused = failureOf(await finalize(repo, lineage, "--captured-results", "--refuter", file));
			expect(refused).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		}
		expect(transitionOf(await status(repo)).reason_code).toBe("refuter_outcomes_required");
	});
});

describe("a severe finding without a proven cause", () => {
	it.each([
		["of unknown causality", { causal_disposition: "unknown" }],
		["without sufficient evidence", { evidence_class: "insufficient" }],
	] as const)("%s escalates", async (_, over) => {
		const { repo, lineage } = await reviewed([blocker("app.ts:2", over)]);
		expect((await finalized(repo, lineage, "--captured-results")).state).toBe("escalated");
		expect(transitionOf(await status(repo)).reason_code).toBe("native_stop_required");
	});

	it.each(["pre-existing", "base-only"])("that is %s holds nothing up", async (causal_disposition) => {
		const { repo, lineage } = await reviewed([blocker("app.ts:1", { causal_disposition })]);
		expect((await finalized(repo, lineage, "--captured-results")).state).toBe("validating");
		expect((await drive(repo)).last.authority?.state).toBe("approved");
	});

	it("escalates even beside a blocker that could be corrected", async () => {
		const unknown = blocker("app.ts:3", { id: "R3-z", causal_disposition: "unknown" });
		const { repo, lineage } = await reviewed([blocker("app.ts:2", { id: "R3-a" }), unknown]);
		expect((await finalized(repo, lineage, "--captured-results")).state).toBe("escalated");
	});
});
