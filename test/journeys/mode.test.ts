// The switch: which scope wins, what stops while reviews are off, and what goes on.
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import { COLUMNS } from "../kit/columns.ts";
import {
	approve,
	captureAll,
	captureEvidence,
	captureResult,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	gate,
	startPrinted,
	startWords,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { contentsOf } from "../kit/tree.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

async function mode(repo: TestRepo, ...words: string[]) {
	const result = await repo.run(["review", "mode", ...words, "--json"]);
	return { code: result.code, stderr: result.stderr, ...result.json<{ status: Record<string, string> }>() };
}

describe("the effective mode", () => {
	it("is on by default, and any off wins", async () => {
		const repo = medium();
		const effective = async () => {
			const { status: told } = await mode(repo, "status");
			return [told.effective, told.source];
		};
		expect(await effective()).toEqual(["on", "default"]);
		await mode(repo, "disable", "--scope", "clone");
		expect(await effective()).toEqual(["off", "clone_local"]);
		await mode(repo, "enable");
		expect(await effective()).toEqual(["off", "clone_local"]);
		await mode(repo, "disable");
		await mode(repo, "enable", "--scope", "clone");
		expect(await effective()).toEqual(["off", "global"]);
		await mode(repo, "enable");
		expect(await effective()).toEqual(["on", "global"]);
	});

	it("says who decides when an enable does not switch reviews on", async () => {
		const repo = medium();
		await repo.run(["review", "mode", "disable"]);
		const result = await repo.run(["review", "mode", "enable", "--scope", "clone"]);
		expect(result.stdout + result.stderr).toContain("gentle-ai review mode enable --scope global");
	});

	it("holds for one clone and one home only", async () => {
		const repo = medium();
		await mode(repo, "disable", "--scope", "clone");
		const other = medium();
		const elsewhere = await other.run(["review", "mode", "status", "--json"], { env: { HOME: repo.home } });
		expect(elsewhere.json()).toMatchObject({ status: { effective: "on" } });
	});

	it("is refused over a revision of the clone that somebody changed since", async () => {
		const repo = medium();
		const { status: seen } = await mode(repo, "disable", "--scope", "clone");
		await mode(repo, "enable", "--scope", "clone");
		const words = ["review", "mode", "disable", "--scope", "clone", "--expected-revision", seen.revision ?? ""];
		expect((await repo.run(words)).code).toBe(1);
		expect((await mode(repo, "status")).status.effective).toBe("on");
	});

	it("can be read and turned outside a repository, and beside a broken one", async () => {
		const repo = medium();
		repo.write(".git/HEAD", "nonsense\n");
		expectSuccess(await repo.run(["review", "mode", "disable"]));
		expect((await mode(repo, "status")).status).toMatchObject({ global: "off", effective: "off" });
		expectSuccess(await repo.run(["review", "mode", "enable"], { cwd: repo.home }));
	});
});

describe("while reviews are off", () => {
	it("START, captures and FINALIZE are refused without a trace, and STATUS says how to go on", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		const slot = firstInput(await status(repo));
		await repo.run(["review", "mode", "disable"]);
		const before = contentsOf(repo);
		const { target_identity } = await status(repo);
		const start = failureOf(await repo.run(startWords(target_identity)));
		expect(start).toMatchObject({ code: "rdd_disabled", ...COLUMNS.rdd_disabled });
		expect(start.cause).toContain("gentle-ai review mode enable");
		const capture = await captureResult(repo, slot, answerTo(slot));
		expect(capture.code).toBe(1);
		expect(capture.stderr).toContain("[rdd_disabled]");
		expect(contentsOf(repo)).toEqual(before);
		await repo.run(["review", "mode", "enable"]);
		await captureAll(repo);
		await repo.run(["review", "mode", "disable"]);
		const closing = failureOf(await finalize(repo, lineage_id, "--captured-results"));
		expect(closing).toMatchObject({ code: "rdd_disabled", ...COLUMNS.rdd_disabled });
		repo.write("app.ts", "export const n = 3;\n");
		expect(transitionOf(await status(repo))).toEqual({ kind: "stop", reason_code: "rdd_disabled" });
	});

	it("evidence is refused too, and nothing of the review is lost", async () => {
		const repo = medium();
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo);
		await finalized(repo, lineage_id, "--captured-results");
		const evidence = firstInput(await status(repo));
		await repo.run(["review", "mode", "disable"]);
		expect((await captureEvidence(repo, evidence, "passed")).stderr).toContain("[rdd_disabled]");
		await repo.run(["review", "mode", "enable"]);
		expectSuccess(await captureEvidence(repo, evidence, "passed"));
	});

	it("gates without an exact receipt leave delivery to ordinary policy", async () => {
		const repo = medium();
		await repo.run(["review", "mode", "disable", "--scope", "clone"]);
		repo.stage();
		for (const name of ["pre-commit", "post-apply"]) {
			const result = await gate(repo, name);
			expectSuccess(result);
			expect(result.json()).toMatchObject({
				result: {
					result: "invalidated",
					allowed: false,
					action: "repository-policy",
					delivery: "disabled/unmanaged",
					context: { denial: { stage: "receipt-discovery", code: "receipt_missing" } },
				},
			});
		}
	});

	it("an exact receipt still governs, and a closed review may publish again", async () => {
		const repo = medium();
		const lineage = await approve(repo);
		await repo.run(["review", "mode", "disable"]);
		repo.stage();
		const result = await gate(repo);
		expect(result.json()).toMatchObject({ result: { result: "allow", allowed: true } });
		repo.remove(`.git/gentle-ai/receipts/${lineage}.json`);
		expect((await finalized(repo, lineage)).state).toBe("approved");
		expect((await gate(repo)).code).toBe(0);
	});
});

describe("a switch that cannot be read", () => {
	it("stops START and STATUS, but opens no gate, and names the commands that overwrite it", async () => {
		const repo = medium();
		repo.write("../home/.gentle-ai/state.json", '{"rdd_mode": "perhaps"}');
		const told = await mode(repo, "status");
		expect(told.code).toBe(1);
		expect(told.status.effective).toBe("off");
		expect(told.stderr).toContain("gentle-ai review mode enable --scope global");
		expect(told.stderr).toContain("gentle-ai review mode disable --scope global");
		const fresh = await status(repo);
		expect(transitionOf(fresh).reason_code).toBe("rdd_disabled");
		expect(failureOf(await repo.run(startWords(fresh.target_identity))).code).toBe("rdd_disabled");
		repo.stage();
		expect(failureOf(await gate(repo)).code).toBe("receipt_missing");
		expectSuccess(await repo.run(["review", "mode", "enable", "--scope", "global"]));
		expect(transitionOf(await status(repo)).reason_code).toBe("fresh_target_ready");
	});

	it("of the clone is told and overwritten the same way", async () => {
		const repo = medium();
		await mode(repo, "disable", "--scope", "clone");
		repo.write(".git/gentle-ai/mode/gen-0000000001.json", "{}");
		const told = await mode(repo, "status");
		expect(told.code).toBe(1);
		expect(told.stderr).toContain("gentle-ai review mode enable --scope clone");
		expectSuccess(await repo.run(["review", "mode", "enable", "--scope", "clone"]));
		expect((await mode(repo, "status")).status.effective).toBe("on");
	});
});
