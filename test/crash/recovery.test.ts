// The rare mutations killed at each of their durable steps: the retry of a verification, reopened results, a review that
// was given up, and one that is moved into quarantine.
import { describe, expect, it } from "vitest";
import { approve, captureAll, expectSuccess, finalized, startPrinted, status } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { askedRetry, closedBy, retryCommand, retryWords } from "../kit/spoiled.ts";
import { orderFrom, reportOf } from "./report.ts";
import { Scene } from "./scene.ts";

const LONG = { timeout: 240_000 };

async function started(): Promise<{ repo: TestRepo; binding: () => Promise<string[]> }> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	const { lineage_id } = await startPrinted(repo);
	const binding = async () => {
		const revision = (await status(repo)).authority?.revision ?? "";
		return ["--lineage", lineage_id, "--expected-revision", revision, "--reason", "wrong input"];
	};
	return { repo, binding };
}

async function retry(): Promise<Scene> {
	const { repo } = await closedBy("procedural_tooling_failed");
	const words = retryWords(await askedRetry(repo));
	return new Scene(repo, retryCommand(words), { stdin: words.incident, stillClock: true });
}

async function invalidate(): Promise<Scene> {
	const { repo, binding } = await started();
	return new Scene(repo, ["review", "invalidate", ...(await binding())]);
}

async function reopen(): Promise<Scene> {
	const { repo, binding } = await started();
	await captureAll(repo);
	const bound = await binding();
	await finalized(repo, bound[1] ?? "", "--captured-results");
	const { target_identity } = await status(repo);
	const words = ["review", "reopen-results", ...(await binding()), "--target", target_identity, "--actor", "A"];
	const named = [...words, "--quarantine-lens", "review-reliability"];
	const prepared = await repo.run([...named, "--prepare"]);
	expectSuccess(prepared);
	const { plan } = prepared.json<{ plan: { required_maintainer_authorization: string } }>();
	return new Scene(repo, [...named, "--maintainer-authorization", plan.required_maintainer_authorization]);
}

async function prune(): Promise<Scene> {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	const lineage = await approve(repo);
	repo.commit("the candidate");
	repo.write("guide.md", "# guide\n\nNext.\n");
	repo.commit("another one");
	return new Scene(repo, ["review", "prune", "--json", "--lineage", lineage, "--apply"]);
}

const COMMIT = "sql COMMIT";
const STATE = "sql UPDATE lineages SET";
const FILE = "fsync gentle-ai/staging/*.tmp";
const GONE = "sql DELETE FROM lineages";

describe.concurrent.each([
	["a retried verification", ["sql INSERT INTO lineages", COMMIT, "print"], reportOf("differing", retry)],
	[
		"reopened results",
		["sql INSERT INTO quarantined_results", "sql DELETE FROM results", STATE, COMMIT, "print"],
		reportOf("differing", reopen),
	],
	["an invalidated review", [STATE, COMMIT, "print"], reportOf("differing", invalidate)],
	["a pruned review", [FILE, GONE, COMMIT, "print"], reportOf("differing", prune)],
] as const)("%s killed at each step", (_, order, report) => {
	it("does what lasts in its order", LONG, async () => {
		const { steps } = await report();
		const first = steps.indexOf(order[0]);
		const from = orderFrom(steps.slice(first), order[0], order);
		expect(from.filter((step, at) => from.indexOf(step) === at)).toEqual(order);
	});

	it("leaves the truth, and the same command converges", LONG, async () => {
		expect((await report()).problems).toEqual([]);
	});

	it("leaves no temporary file in the Git folder once it converged", LONG, async () => {
		expect((await report()).leftovers).toEqual([]);
	});
});
