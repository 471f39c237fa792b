// The human commands killed at each of their durable steps: the end of a review, and the switch of a clone.
import { describe, expect, it } from "vitest";
import { captureAll, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { orderFrom, reportOf } from "./report.ts";
import { Scene } from "./scene.ts";

const LONG = { timeout: 240_000 };

async function end(): Promise<Scene> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	await startPrinted(repo);
	await captureAll(repo);
	const { authority } = await status(repo);
	const words = ["review", "end", "--lineage", authority?.lineage_id ?? "", "--reason", "not needed"];
	return new Scene(repo, [...words, "--expected-revision", authority?.revision ?? ""]);
}

async function disable(): Promise<Scene> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return new Scene(repo, ["review", "mode", "disable", "--scope", "clone"]);
}

const GONE = "sql DELETE FROM lineages";
const OFF = "fsync gentle-ai/staging/*.tmp";

describe.concurrent.each([
	["the end of a review", [GONE, "rm objects/pack/pack-*.keep", "print"], reportOf("differing", end)],
	[
		"switching reviews off in a clone",
		[OFF, "link gentle-ai/mode/gen-0000000001.json", "print"],
		reportOf("differing", disable),
	],
] as const)("%s killed at each step", (_, order, report) => {
	it("does what lasts in its order", LONG, async () => {
		expect(orderFrom((await report()).steps, order[0], order)).toEqual(order);
	});

	it("leaves the truth, and the same command converges", LONG, async () => {
		expect((await report()).problems).toEqual([]);
	});

	it("leaves no temporary file in the Git folder once it converged", LONG, async () => {
		expect((await report()).leftovers).toEqual([]);
	});
});
