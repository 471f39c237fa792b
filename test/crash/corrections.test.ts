// The one correction killed at each of its durable steps: its plan, its evidence, its verdict, and the successor of a
// review that it outgrew. And what contract v1 begins with: START and the capture of a result.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import {
	BLOCKED_FILES,
	blocked,
	type Checks,
	FIXED,
	NEW,
	planned,
	verdict,
	verified,
	widened,
} from "../kit/corrected.ts";
import { executionOf, firstInput, startPrinted, startWords, status, tokensOf, V1, V2 } from "../kit/drive.ts";
import type { TestRepo } from "../kit/repo.ts";
import { CheckedRepo } from "../kit/schemas.ts";
import { orderFrom, reportOf } from "./report.ts";
import { Scene } from "./scene.ts";

const LONG = { timeout: 240_000 };

function checked(contract: string): CheckedRepo {
	return new CheckedRepo({ files: BLOCKED_FILES, contract });
}

function finalizeWords(lineage: string): string[] {
	return ["review", "finalize", "--contract", V2, "--lineage", lineage];
}

async function plan(): Promise<Scene> {
	const { repo, lineage } = await blocked();
	return new Scene(repo, [...finalizeWords(lineage), "--correction-lines", "2"]);
}

async function evidence(): Promise<Scene> {
	const { repo } = await planned(await blocked());
	repo.write("app.ts", FIXED);
	const words = ["review", "capture-evidence", ...tokensOf(firstInput(await status(repo)))];
	return new Scene(repo, [...words, "--outcome=passed", "--input=-"], { stdin: "42 tests passed\n" });
}

async function judgedBy(checks: Checks, contract: string): Promise<Scene> {
	const { repo, lineage } = await verified(await planned(await blocked([], checked(contract))));
	const file = repo.outside("validation.json", verdict(await status(repo), checks));
	const words = finalizeWords(lineage);
	return new Scene(repo, [...words, "--captured-evidence", "--validation", file], { replay: words });
}

async function recovery(): Promise<Scene> {
	const open = await planned(await blocked());
	return new Scene(open.repo, ["review", "recover", ...tokensOf(executionOf(await widened(open)))], {
		stillClock: true,
	});
}

function changed(): TestRepo {
	const repo = checked(V1);
	repo.write("app.ts", NEW);
	return repo;
}

async function startV1(): Promise<Scene> {
	const repo = changed();
	return new Scene(repo, startWords((await status(repo)).target_identity));
}

async function captureV1(): Promise<Scene> {
	const repo = changed();
	await startPrinted(repo);
	const slot = firstInput(await status(repo));
	return new Scene(repo, ["review", "capture-result", ...tokensOf(slot), "--input=-"], { stdin: answerTo(slot) });
}

const CLOSED = ["sql UPDATE lineages SET", "fsync gentle-ai/staging/*.tmp", "link the receipt"];
const PACKED = ["git pack-objects", "rename objects/pack/pack-*.keep", "rename objects/pack/pack-*.idx"];
const OPENED = [...PACKED, "sql INSERT INTO lineages"];

describe.concurrent.each([
	["the plan of a correction", ["sql UPDATE lineages SET"], reportOf("differing", plan)],
	["the evidence of a corrected candidate", [...PACKED, "sql INSERT INTO evidence"], reportOf("differing", evidence)],
	["a verdict that approves", CLOSED, reportOf("differing", () => judgedBy({}, V2))],
	[
		"a verdict that escalates, under contract v1",
		CLOSED,
		reportOf("differing", () => judgedBy({ original: false }, V1)),
	],
	["a recovery", OPENED, reportOf("differing", recovery)],
	["a START under contract v1", OPENED, reportOf("differing", startV1)],
	["a capture under contract v1", ["sql INSERT INTO results", "link the result"], reportOf("differing", captureV1)],
] as const)("%s killed at each step", (_, order, report) => {
	it("does what lasts in its order, commits it, and only then answers", LONG, async () => {
		const named = (await report()).steps.map((step) => step.replace(/^link .*\/(receipt|result)s\/.*/, "link the $1"));
		expect(orderFrom(named, order[0] ?? "", order)).toEqual(order);
		const decides = order.find((step) => step.startsWith("sql")) ?? "";
		const [next, ...rest] = orderFrom(named, decides, ["sql COMMIT", ...order.slice(-1), "print"]).filter(
			(step) => step !== decides,
		);
		expect(next).toBe("sql COMMIT");
		expect(rest.at(-1)).toBe("print");
	});

	it("leaves the truth, and the same command converges (E2)", LONG, async () => {
		expect((await report()).problems).toEqual([]);
	});

	it("leaves no temporary file in the Git folder once it converged", LONG, async () => {
		expect((await report()).leftovers).toEqual([]);
	});
});
