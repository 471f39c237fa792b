// FINALIZE killed at each of its durable steps: of a low-risk review, after the results, and after the evidence.
import { describe, expect, it } from "vitest";
import {
	captureAll,
	captureEvidence,
	expectSuccess,
	finalized,
	firstInput,
	startPrinted,
	status,
	V2,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { orderFrom, reportOf } from "./report.ts";
import { Scene } from "./scene.ts";

const LONG = { timeout: 240_000 };

function scene(repo: TestRepo, lineage: string, flag: string): Scene {
	const words = ["review", "finalize", "--contract", V2, "--lineage", lineage];
	return new Scene(repo, [...words, flag], { replay: words });
}

async function low(): Promise<Scene> {
	const repo = new TestRepo();
	repo.write("guide.md", "# guide\n\nOne more sentence.\n");
	return scene(repo, (await startPrinted(repo)).lineage_id, "--captured-results");
}

async function withResults(): Promise<{ repo: TestRepo; lineage: string }> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	const { lineage_id } = await startPrinted(repo);
	await captureAll(repo);
	return { repo, lineage: lineage_id };
}

async function captured(): Promise<Scene> {
	const { repo, lineage } = await withResults();
	return scene(repo, lineage, "--captured-results");
}

async function verified(): Promise<Scene> {
	const { repo, lineage } = await withResults();
	await finalized(repo, lineage, "--captured-results");
	expectSuccess(await captureEvidence(repo, firstInput(await status(repo)), "passed"));
	return scene(repo, lineage, "--captured-evidence");
}

const UPDATE = "sql UPDATE lineages SET";
const RECEIPT = [UPDATE, "sql COMMIT", "fsync gentle-ai/staging/*.tmp", "link the receipt", "print"];
const REVISION = [UPDATE, "sql COMMIT", "print"];

describe.concurrent.each([
	["of a low-risk review", RECEIPT, reportOf("all", low)],
	["of captured results", REVISION, reportOf("differing", captured)],
	["of captured evidence", RECEIPT, reportOf("differing", verified)],
] as const)("FINALIZE %s killed at each step", (_, order, report) => {
	it("commits, then publishes, then answers", LONG, async () => {
		const steps = (await report()).steps.map((step) => step.replace(/^link .*\/receipts\/.*/, "link the receipt"));
		expect(orderFrom(steps, UPDATE, order)).toEqual(order);
	});

	it("leaves the truth, and the same command or the printed replay converges", LONG, async () => {
		expect((await report()).problems).toEqual([]);
	});

	it("leaves no temporary file in the Git folder once it converged", LONG, async () => {
		expect((await report()).leftovers).toEqual([]);
	});
});
