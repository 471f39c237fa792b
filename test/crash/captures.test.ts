// Captures killed at each of their durable steps: a reviewer's answer, and verification evidence.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import { captureAll, finalized, firstInput, startPrinted, status, tokensOf } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { orderFrom, reportOf } from "./report.ts";
import { Scene } from "./scene.ts";

const LONG = { timeout: 240_000 };

async function reviewing(): Promise<{ repo: TestRepo; lineage: string }> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return { repo, lineage: (await startPrinted(repo)).lineage_id };
}

async function result(): Promise<Scene> {
	const { repo } = await reviewing();
	const slot = firstInput(await status(repo));
	return new Scene(repo, ["review", "capture-result", ...tokensOf(slot), "--input=-"], { stdin: answerTo(slot) });
}

async function evidence(): Promise<Scene> {
	const { repo, lineage } = await reviewing();
	await captureAll(repo);
	await finalized(repo, lineage, "--captured-results");
	const words = ["review", "capture-evidence", ...tokensOf(firstInput(await status(repo)))];
	return new Scene(repo, [...words, "--outcome=passed", "--input=-"], { stdin: "42 tests passed\n" });
}

describe.concurrent.each([
	["of a result", ["sql INSERT INTO results", "sql COMMIT", "link the result", "print"], reportOf("differing", result)],
	["of evidence", ["sql INSERT INTO evidence", "sql COMMIT", "print"], reportOf("differing", evidence)],
] as const)("a capture %s killed at each step", (_, order, report) => {
	it("commits before it answers", LONG, async () => {
		const steps = (await report()).steps.map((step) => step.replace(/^link .*\/results\/.*/, "link the result"));
		expect(orderFrom(steps, order[0], order)).toEqual(order);
	});

	it("leaves the truth, and the same command converges", LONG, async () => {
		expect((await report()).problems).toEqual([]);
	});

	it("leaves no temporary file in the Git folder once it converged", LONG, async () => {
		expect((await report()).leftovers).toEqual([]);
	});
});
