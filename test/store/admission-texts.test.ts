// Field reports FR-13, FR-14 and FR-19: what surrounds an answer, what is none, and what saw nothing.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import {
	captureResult,
	expectSuccess,
	failureOf,
	finalize,
	firstInput,
	startPrinted,
	status,
	tokensOf,
} from "../kit/drive.ts";
import { refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";
import { queryStore } from "../kit/store.ts";

async function reviewing() {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	const { lineage_id } = await startPrinted(repo);
	const before = await status(repo);
	return { repo, lineage_id, before, slot: firstInput(before) };
}

describe.concurrent("JSON with company (FR-13)", () => {
	const FENCE = "```";
	const SURROUNDED = [
		["after two sentences", (json: string) => `I read every path. Here is the result:\n${json}`],
		["in one fence", (json: string) => `${FENCE}json\n${json}\n${FENCE}\n`],
		["followed by a sentence", (json: string) => `${json}\nThat is all.`],
	] as const;

	it("is admitted wherever it stands, and the same canonical result is kept", async () => {
		const kept: unknown[] = [];
		for (const [, surround] of [["alone", (json: string) => json] as const, ...SURROUNDED]) {
			const { repo, slot } = await reviewing();
			// Braces and a fence inside of a string belong to the string.
			const answer = JSON.parse(answerTo(slot)) as { evidence: string[] };
			answer.evidence = [`The body { of "f" } is closed by a brace } and quotes ${FENCE}json {"a": 1} ${FENCE}`];
			expectSuccess(await captureResult(repo, slot, surround(JSON.stringify(answer))));
			const [row] = queryStore(repo, "SELECT envelope FROM results");
			const envelope = JSON.parse(String(row?.envelope)) as {
				result: { evidence: string[] };
				admission: { canonical_sha256: string };
			};
			expect(envelope.result.evidence).toEqual(answer.evidence);
			kept.push([envelope.result, envelope.admission.canonical_sha256]);
		}
		expect(kept).toHaveLength(4);
		expect(new Set(kept.map((each) => JSON.stringify(each))).size).toBe(1);
	});
});

/** Refused, the world unchanged byte for byte, and the same slot offered again. */
async function expectOpenAfter(answer: (json: string) => string): Promise<string> {
	const { repo, before, slot } = await reviewing();
	const words = ["review", "capture-result", ...tokensOf(slot), "--input=-"];
	const result = await refused(repo, words, answer(answerTo(slot)));
	expect(result.stdout).toBe("");
	expect(await status(repo)).toEqual(before);
	return result.stderr;
}

describe.concurrent("no JSON, two, or half (FR-14)", () => {
	it.each([
		["empty text", () => "", /empty_result/],
		["white space", () => " \n\t\n", /empty_result/],
		["narration only", () => "I looked at everything and it is fine.", /no_object/],
		["two empty objects", () => "{} {}", /several_objects/],
		["a bracket that is missing", (json: string) => json.slice(0, -1), /unterminated_object/],
		["the right object twice", (json: string) => `${json}\n${json}`, /several_objects/],
	] as const)("%s is refused by its own name, and the slot stays open", async (_, answer, code) => {
		expect(await expectOpenAfter(answer)).toMatch(code);
	});
});

describe.concurrent("a reviewer that saw nothing (FR-19)", () => {
	const without = (json: string, over: Record<string, unknown>) =>
		JSON.stringify({ ...(JSON.parse(json) as object), evidence: ["no access to the repository"], ...over });

	it.each([
		["inspection missing", { inspection: undefined }],
		["inspection not completed", { inspection: { status: "unavailable", paths: ["app.ts"] } }],
		["no path inspected", { inspection: { status: "completed", paths: [] } }],
	] as const)("with %s is refused as incomplete", async (_, over) => {
		expect(await expectOpenAfter((json) => without(json, over))).toMatch(/\(incomplete, /);
	});

	it("does not let the review advance", async () => {
		const { repo, lineage_id, before, slot } = await reviewing();
		const answer = without(answerTo(slot), { inspection: { status: "completed", paths: [] } });
		expect((await captureResult(repo, slot, answer)).code).toBe(1);
		expect(failureOf(await finalize(repo, lineage_id, "--captured-results"))).toMatchObject({
			code: "invalid_request",
			mutation_outcome: "not_started",
		});
		expect(await status(repo)).toEqual(before);
	});
});
