// The schemas that `review schema` prints, held against what admission takes and refuses.
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { blocker, refuterAnswer, reviewerAnswer, warning } from "../kit/answers.ts";
import { expectSuccess } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { MATERIAL_IS_THERE, readFixture } from "../kit/schemas.ts";

const repo = new TestRepo();
const HASH = `sha256:${"a".repeat(64)}`;

async function check(name: string): Promise<(document: unknown) => boolean> {
	const result = await repo.run(["review", "schema", name]);
	expectSuccess(result);
	return new Ajv2020({ strict: false }).compile(result.json<object>());
}

type Answer = Record<string, unknown> & { findings: Record<string, unknown>[] };

function answer(): Answer {
	const text = reviewerAnswer({ subject_hash: HASH }, [{ path: "app.ts" }], [blocker("app.ts:1"), warning("app.ts:2")]);
	return JSON.parse(text) as Answer;
}

describe("a printed schema", () => {
	it("of the reviewer takes a whole answer and refuses each broken one", async () => {
		const fits = await check("reviewer");
		expect(fits(answer())).toBe(true);
		const [severe, ...rest] = answer().findings;
		const without = (field: string) =>
			Object.fromEntries(Object.entries(severe ?? {}).filter(([key]) => key !== field));
		for (const broken of [
			{ ...answer(), extra: 1 },
			{ ...answer(), evidence: [] },
			{ ...answer(), subject_hash: "x" },
			{ ...answer(), inspection: { status: "unavailable", paths: ["app.ts"] } },
			{ ...answer(), inspection: { status: "completed", paths: ["app.ts", "app.ts"] } },
			{ ...answer(), findings: [without("evidence_class"), ...rest] },
			{ ...answer(), findings: [without("causal_disposition"), ...rest] },
			{ ...answer(), findings: [without("proof_refs"), ...rest] },
			{ ...answer(), findings: [{ ...severe, severity: "HIGH" }] },
			{ ...answer(), findings: [{ ...severe, id: "X1" }] },
		]) {
			expect(fits(broken), JSON.stringify(broken)).toBe(false);
		}
	});

	it("of the refuter takes an answer, and of raw evidence takes text and no object", async () => {
		const refuter = await check("refuter");
		expect(refuter(JSON.parse(refuterAnswer(["R3-001"], "refuted")))).toBe(true);
		expect(refuter({ results: [{ finding_id: "R3-001", outcome: "perhaps", proof_refs: ["x"] }] })).toBe(false);
		const raw = await check("verification-evidence");
		expect([raw("42 tests passed\n"), raw(""), raw({ passed: true })]).toEqual([true, false, false]);
	});

	it.skipIf(!MATERIAL_IS_THERE)("of the incident and of the evidence record takes the published fixtures", async () => {
		const incident = await check("final-verification-incident");
		const published = readFixture<object>("v1/fixtures/final-verification-incident.fixture.json");
		expect(incident(published)).toBe(true);
		expect(incident({ ...published, class: "verification_failed" })).toBe(false);
		const record = await check("verification-evidence-record");
		expect(record(readFixture("v1/fixtures/verification-evidence.fixture.json"))).toBe(true);
	});
});
