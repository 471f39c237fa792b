// `--trace FILE`: what one call cost, written beside its answer and never into it.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Start } from "../kit/documents.ts";
import { expectSuccess, failureOf, startWords, status, V1 } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

function high(): TestRepo {
	const repo = new TestRepo();
	repo.write("scripts/deploy.sh", "echo deploy\n");
	return repo;
}

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

describe("--trace", () => {
	const trace = (repo: TestRepo, name: string) => JSON.parse(readFileSync(`${repo.folder}/${name}`, "utf8"));

	it("tells what START and FINALIZE cost, and changes nothing of the answer", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const started = await repo.run(startWords(target_identity, "--trace", `${repo.folder}/start.json`));
		expectSuccess(started);
		expect(trace(repo, "start.json")).toMatchObject({
			schema: "gentle-ai.review-trace/v1",
			operation: "review.start",
			outcome: "answered",
			git_children: expect.any(Number),
		});
		const { lineage_id } = started.json<Start>();
		const words = ["finalize", "--contract", V1, "--lineage", lineage_id, "--captured-results"];
		failureOf(await repo.run(["review", ...words, "--trace", `${repo.folder}/refused.json`]));
		expect(trace(repo, "refused.json")).toMatchObject({ operation: "review.finalize", outcome: "invalid_request" });
	});

	it("is refused before anything happens when its file cannot be written", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const words = startWords(target_identity, "--trace", `${repo.folder}/no/such/folder/t.json`);
		expect(failureOf(await repo.run(words)).code).toBe("invalid_request");
		expect((await status(repo)).applicability).toBe("unrelated");
	});

	it("stays in the invocations of the consent question, before the language", async () => {
		const repo = high();
		const { target_identity } = await status(repo);
		const file = `${repo.folder}/t.json`;
		const flags = ["--trace", file, "--locale", "es", "--consent", "relay"];
		const asked = (await repo.run(startWords(target_identity, ...flags))).json<{ choices: { invocation: string }[] }>();
		expect(asked.choices[0]?.invocation).toContain(` --trace ${file} --locale es --consent granted`);
	});
});
