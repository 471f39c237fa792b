// Flags and contracts that are refused: every column as the contract has it, words that teach, and nothing changed.
import { describe, expect, it } from "vitest";
import { expectSuccess, failureOf, startWords, V1, V2 } from "../kit/drive.ts";
import { expectColumns, expectTeaching, refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";

const NOBODY = `sha256:${"0".repeat(64)}`;

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

describe("a flag", () => {
	const start = ["review", "start", "--contract", V2, "--projection", "workspace"];
	it.each([
		["unknown", ["review", "status", "--contract", V2, "--nonsense"], "flag", "nonsense"],
		["of another lifecycle", [...start, "--target", NOBODY, "--agent", "pi"], "flag", "agent"],
		["repeated", [...start, "--target", NOBODY, "--target", NOBODY], "--target", "twice"],
		[
			"repeated, although boolean",
			["review", "start", "--contract", V2, "--committed-only", "--committed-only"],
			"--committed-only",
			"twice",
		],
		["missing", ["review", "validate", "--contract", V2], "--gate", undefined],
		["missing beside others", start, "--target", undefined],
		[
			"with a value that is none of its",
			["review", "validate", "--contract", V2, "--gate", "lunch"],
			"--gate",
			"lunch",
		],
		["with half a digest", [...start, "--target", "sha256:12ab"], "--target", "sha256:12ab"],
		[
			"with a lineage that is no name",
			["review", "status", "--contract", V2, "--lineage", "../x"],
			"--lineage",
			"../x",
		],
		[
			"with a lineage that is too long",
			["review", "status", "--contract", V2, "--lineage", "a".repeat(129)],
			"--lineage",
			"aaa",
		],
		[
			"boolean and followed by a detached word",
			["review", "status", "--contract", V2, "--next-transition", "true"],
			"--next-transition",
			"true",
		],
		["without its value", ["review", "status", "--contract", V2, "--gate"], "flag", "gate"],
		["that is no flag at all", ["review", "status", "--contract", V2, "now"], "argument", "now"],
		[
			"of a number that is none",
			["review", "finalize", "--contract", V2, "--correction-lines", "many"],
			"--correction-lines",
			"many",
		],
		["of a language that is not spoken", [...start, "--target", NOBODY, "--locale", "fr"], "--locale", "fr"],
	] as const)("%s is refused by name", async (_, words, field, value) => {
		const failure = failureOf(await refused(medium(), words));
		expectColumns(failure, "invalid_request");
		expectTeaching(failure, field, value);
	});

	it("of a range without its partner is refused before any look at the repository", async () => {
		const repo = medium();
		for (const flags of [
			["--base-ref", "HEAD"],
			["--base-ref", "HEAD", "--committed-only", "--workspace-overlay"],
			["--committed-only"],
			["--workspace-overlay"],
			["--base-ref", "HEAD", "--committed-only", "--projection", "staged"],
		]) {
			expectColumns(failureOf(await refused(repo, startWords(NOBODY, ...flags))), "invalid_request");
		}
	});
});

describe("a contract", () => {
	it.each([
		["empty", ["--contract="], "empty_contract"],
		["empty by position", ["--contract"], "empty_contract"],
		["unknown", ["--contract", "gentle-ai.review-integration/v9"], "unsupported_contract"],
		["unknown with one dash", ["-contract", "x"], "unsupported_contract"],
	] as const)("that is %s is refused in the words of contract v1", async (_, words, code) => {
		const outside = new TestRepo();
		for (const verb of ["status", "start", "finalize", "validate", "capabilities"]) {
			const result = await outside.run(["review", verb, ...words], { cwd: outside.home });
			const failure = failureOf(result);
			expectColumns(failure, code);
			expect(failure).toMatchObject({ contract: V1, operation: `review.${verb}` });
		}
	});

	it("that counts is the last one; START alone refuses a second", async () => {
		const repo = new TestRepo();
		const words = ["--contract", "nonsense", "--contract", V2];
		const answered = await repo.run(["review", "status", ...words, "--next-transition"]);
		expectSuccess(answered);
		expect(answered.json<{ contract: string }>().contract).toBe(V2);
		const refused = failureOf(await repo.run(["review", "start", ...words]));
		expect(refused).toMatchObject({ contract: V2, code: "invalid_request", mutation_outcome: "not_started" });
		expect(refused.cause).toContain("--contract");
	});
});
