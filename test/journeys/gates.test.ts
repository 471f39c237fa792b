// The gates: exactly the approved bytes pass, and a denial says what differs.
import { chmodSync, readdirSync, renameSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import type { Failure, GateResult } from "../kit/documents.ts";
import { approveLow, captureAll, expectSuccess, failureOf, finalized, gate, startPrinted, V2 } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

const text = (word: string) => `# Guide\n\nThis says ${word}.\n`;

/** Two changed documents and a new one, approved as a work tree; nothing is staged yet. */
async function approved(): Promise<{ repo: TestRepo; lineage: string }> {
	const repo = new TestRepo({ files: { "app.md": text("one"), "guide.md": text("one"), "run.md": text("one") } });
	repo.write("app.md", text("two"));
	repo.write("guide.md", text("two"));
	repo.write("new.md", text("fresh"));
	return { repo, lineage: await approveLow(repo) };
}

async function allowed(repo: TestRepo, name = "pre-commit"): Promise<GateResult> {
	const result = await gate(repo, name);
	expectSuccess(result);
	const verdict = result.json<{ result: GateResult }>().result;
	expect(verdict).toMatchObject({ result: "allow", allowed: true, action: "continue" });
	return verdict;
}

async function denied(repo: TestRepo, flags: readonly string[] = [], name = "pre-commit"): Promise<Failure> {
	return failureOf(await gate(repo, name, flags));
}

/** A denial of changed bytes: typed, with the account of what differs, and with the names a person needs. */
function expectScopeChange(failure: Failure, repo: TestRepo, lineage: string, ...words: string[]): void {
	expect(failure).toMatchObject({
		code: expect.stringMatching(/^(gate|receipt)_scope_changed$/),
		mutation_outcome: "not_started",
		authority_applicability: "current_target",
		next_action: "explicit-maintainer-action",
		context: {
			scope_change: {
				actual: { candidate_tree: repo.git("write-tree") },
				predecessor_lineage_id: lineage,
				recovery_operation: "review.recover",
			},
		},
	});
	expect(failure.context?.scope_change?.differing_path_count).toBeGreaterThan(0);
	for (const word of words) expect(`${failure.message} ${failure.cause}`).toContain(word);
}

describe("pre-commit", () => {
	it("allows exactly the approved bytes once they are staged, also when untracked files lie around", async () => {
		const { repo, lineage } = await approved();
		repo.stage();
		expect((await allowed(repo)).context).toMatchObject({ gate: "pre-commit", lineage_id: lineage });
		repo.write("stray.txt", "not staged\n");
		await allowed(repo);
		expectSuccess(await gate(repo, "pre-commit", ["--lineage", lineage]));
	});

	it("judges the index alone: edits after staging do not matter, unstaged edits do not help", async () => {
		const { repo } = await approved();
		await denied(repo);
		repo.stage();
		repo.write("app.md", text("later"));
		await allowed(repo);
	});

	it("denies one more byte and names the path", async () => {
		const { repo, lineage } = await approved();
		repo.write("app.md", `${text("two")} `);
		repo.stage();
		expectScopeChange(await denied(repo), repo, lineage, "app.md");
		expectScopeChange(await denied(repo, ["--lineage", lineage]), repo, lineage, "app.md");
	});

	it("denies one more path", async () => {
		const { repo, lineage } = await approved();
		repo.write("extra.md", text("extra"));
		repo.stage();
		const failure = await denied(repo);
		expectScopeChange(failure, repo, lineage, "extra.md");
		expect(failure.context?.scope_change?.differing_path_count).toBe(1);
	});

	it("denies one other mode bit and names both modes", async () => {
		const { repo, lineage } = await approved();
		chmodSync(repo.path("app.md"), 0o755);
		repo.stage();
		expectScopeChange(await denied(repo), repo, lineage, "app.md", "100644", "100755");
	});

	it("denies a part of what was approved and names what is missing", async () => {
		const { repo, lineage } = await approved();
		repo.git("add", "app.md", "new.md");
		expectScopeChange(await denied(repo), repo, lineage, "guide.md");
	});

	it("denies a part of one file", async () => {
		const repo = new TestRepo({ files: { "long.md": "first\n\n\n\n\n\n\n\nlast\n" } });
		repo.write("long.md", "first 1\n\n\n\n\n\n\n\nlast 2\n");
		const lineage = await approveLow(repo);
		const half = repo.gitWith({ input: "first 1\n\n\n\n\n\n\n\nlast\n" }, "hash-object", "-w", "--stdin");
		repo.git("update-index", "--cacheinfo", `100644,${half.toString().trim()},long.md`);
		expectScopeChange(await denied(repo), repo, lineage, "long.md");
	});

	it("denies the approved bytes without a path that an approved deletion kept", async () => {
		const { repo, lineage } = await approved();
		repo.stage();
		repo.git("rm", "--quiet", "--cached", "run.md");
		expectScopeChange(await denied(repo), repo, lineage, "run.md");
	});

	it("allows the approved tree on another commit of the same base, and denies it on another base", async () => {
		const { repo, lineage } = await approved();
		repo.stage();
		const tree = repo.git("write-tree");
		repo.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", "same tree", "--only");
		await allowed(repo);
		repo.write("app.md", text("five"));
		repo.git("commit", "--quiet", "--no-verify", "--message", "moved", "--only", "app.md");
		repo.git("read-tree", tree);
		expect(await denied(repo, ["--lineage", lineage])).toMatchObject({ code: "gate_invalidated" });
	});

	it("says what differs when HEAD moved under the approved tree in a file of its own", async () => {
		const { repo, lineage } = await approved();
		repo.stage();
		const tree = repo.git("write-tree");
		repo.write("run.md", text("moved"));
		repo.git("commit", "--quiet", "--no-verify", "--message", "moved", "--only", "run.md");
		repo.git("read-tree", tree);
		const failure = await denied(repo, ["--lineage", lineage]);
		expect(`${failure.message} ${failure.cause}`).toMatch(/run\.md|base/);
		expect((await denied(repo)).code).not.toBe("authority_corrupted");
	});

	it("answers a lineage that is not there, is still open, or is somebody else's", async () => {
		const { repo } = await approved();
		repo.stage();
		expect(await denied(repo, ["--lineage", "review-nobody"])).toMatchObject({ code: "invalid_request" });
		const other = new TestRepo();
		other.write("app.ts", "export const n = 2;\n");
		const open = await startPrinted(other);
		expect(await denied(other, ["--lineage", open.lineage_id])).toMatchObject({ code: "receipt_missing" });
		expect(await denied(other)).toMatchObject({ code: "receipt_missing", next_action: "review.status" });
	});

	it("denies an escalated review of exactly these bytes", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo, () => [blocker("app.ts:1", { causal_disposition: "unknown" })]);
		expect((await finalized(repo, lineage_id, "--captured-results")).state).toBe("escalated");
		repo.stage();
		expect(await denied(repo)).toMatchObject({
			code: "gate_escalated",
			phase: "preflight",
			retry_safe: true,
			next_action: "review.status",
			lineage_id,
		});
	});

	it("finds no receipt of another branch, and none after the commit", async () => {
		const { repo } = await approved();
		repo.stage();
		repo.git("commit", "--quiet", "--no-verify", "--message", "reviewed");
		repo.write("other.md", text("other"));
		repo.stage();
		expect(await denied(repo)).toMatchObject({ code: "receipt_unrelated", authority_applicability: "unrelated" });
	});

	it("asks which receipt is meant when two are about these bytes", async () => {
		const { repo, lineage } = await approved();
		repo.stage();
		const staged = await approveLow(repo, ["--projection", "staged"]);
		const ambiguous = await denied(repo);
		expect(ambiguous).toMatchObject({ code: "receipt_ambiguous", required_inputs: ["lineage_id"] });
		for (const id of [lineage, staged]) {
			expect(ambiguous.cause).toContain(id);
			expectSuccess(await gate(repo, "pre-commit", ["--lineage", id]));
		}
	});
});

describe("a gate that nobody negotiated", () => {
	it("prints its denial as a result and in words, and exits 1", async () => {
		const { repo, lineage } = await approved();
		repo.git("add", "app.md", "new.md");
		for (const flags of [[], ["--lineage", lineage]]) {
			const answer = await repo.run(["review", "validate", "--gate", "pre-commit", ...flags]);
			expect(answer.code).toBe(1);
			const result = answer.json<GateResult & { schema: string }>();
			expect(result).toMatchObject({
				schema: "gentle-ai.review-gate-result/v1",
				result: "scope-changed",
				allowed: false,
				action: "explicit-maintainer-action",
			});
			expect(`${result.reason} ${answer.stderr}`).toContain("guide.md");
		}
	});

	it("says why it found no receipt", async () => {
		const answer = await new TestRepo().run(["review", "validate", "--gate", "pre-commit"]);
		expect(answer.code).toBe(1);
		expect(answer.json<GateResult>()).toMatchObject({
			result: "invalidated",
			allowed: false,
			context: { gate: "pre-commit", lineage_id: "", denial: { stage: "receipt-discovery", code: "receipt_missing" } },
		});
	});
});

describe("post-apply", () => {
	it("allows the approved work tree and denies one untracked file more, by its name", async () => {
		const { repo } = await approved();
		await allowed(repo, "post-apply");
		repo.write("stray.txt", "nobody saw me\n");
		const failure = await denied(repo, [], "post-apply");
		expect(`${failure.message} ${failure.cause}`).toContain("stray.txt");
	});

	it("denies a rename of approved bytes", async () => {
		const { repo } = await approved();
		renameSync(repo.path("new.md"), repo.path("newer.md"));
		const failure = await denied(repo, [], "post-apply");
		expect(`${failure.message} ${failure.cause}`).toContain("newer.md");
	});
});

describe("an approved tree that is gone from the repository", () => {
	it("is found again from the index: the same bytes pass, others are denied for what they are", async () => {
		const { repo } = await approved();
		repo.stage();
		for (const pack of readdirSync(repo.path(".git/objects/pack"))) rmSync(repo.path(".git/objects/pack", pack));
		await allowed(repo);
		repo.write("app.md", text("three"));
		repo.stage();
		const failure = await denied(repo);
		expect(failure.code).toMatch(/^(gate|receipt)_scope_changed$/);
		expect(`${failure.message} ${failure.cause}`).toContain("app.md");
	});
});

describe("an operation of a later version", () => {
	it.each([
		["repair", "review.repair"],
		["bind-sdd", "review.bind_sdd"],
	])("%s is refused under its own name, whatever its flags are", async (verb, operation) => {
		const words = ["review", verb, "--contract", V2, "--lineage", "some-review", "--anything"];
		const failure = failureOf(await new TestRepo().run(words));
		expect(failure).toMatchObject({
			operation,
			code: "invalid_request",
			contract: V2,
			mutation_outcome: "not_started",
		});
		expect(failure.cause).toContain("newer gentle-ai");
	});
});

describe("a gate of a later version", () => {
	it.each(["pre-push", "pre-pr", "release"])("%s is refused, never answered with yes", async (name) => {
		const failure = failureOf(await gate(new TestRepo(), name));
		expect(failure).toMatchObject({ code: "invalid_request", contract: V2, mutation_outcome: "not_started" });
	});
});
