// What the walks have found, each reduced to its shortest sequence.
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import {
	approveLow,
	captureAll,
	executionOf,
	expectSuccess,
	finalized,
	runExecute,
	startPrinted,
	status,
	statusWords,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { storePath } from "../kit/store.ts";

const reasonOf = async (repo: TestRepo, flags: readonly string[] = []) =>
	transitionOf(await status(repo, flags)).reason_code;

/** A review that waits for its correction in `app.ts`. */
async function blocked(repo: TestRepo, flags: readonly string[] = []): Promise<void> {
	const { lineage_id } = await startPrinted(repo, flags);
	await captureAll(repo, () => [blocker("app.ts:1")], flags);
	await finalized(repo, lineage_id, "--captured-results");
	await finalized(repo, lineage_id, "--correction-lines", "1");
}

const NEW = "export const n = 2;\nexport const m = 2;\n";

describe("an open review while reviews are off (FR-49)", () => {
	it("is offered nothing that would be refused, and goes on where it was afterwards", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", NEW);
		await startPrinted(repo);
		const open = await status(repo);
		await repo.run(["review", "mode", "disable"]);
		expect(await status(repo)).toMatchObject({
			authority: open.authority,
			next_transition: { kind: "stop", reason_code: "rdd_disabled" },
		});
		await repo.run(["review", "mode", "enable"]);
		expect(await status(repo)).toEqual(open);
	});
});

describe("a store that was moved away (FR-07)", () => {
	it("leaves no copy in the way of the review that gets the same name", async () => {
		const repo = new TestRepo();
		appendFileSync(repo.path("guide.md"), "One more sentence.\n");
		const lineage = await approveLow(repo);
		writeFileSync(storePath(repo), "this is no database\n".repeat(64));
		expectSuccess(await repo.run(["review", "end", "--store", "--reason", "unreadable"]));
		expect(await approveLow(repo)).toBe(lineage);
		const kept = readdirSync(repo.path(".git/gentle-ai/quarantine"));
		expect(kept.some((name) => name.startsWith("receipts-"))).toBe(true);
	});
});

describe("a correction (FR-07)", () => {
	it("is seen in a repository that has no index yet", async () => {
		const repo = new TestRepo({ files: {} });
		repo.write("app.ts", NEW);
		await blocked(repo);
		expect(existsSync(repo.path(".git/index"))).toBe(false);
		repo.write("app.ts", `${NEW}// corrected\n`);
		expect(await reasonOf(repo)).toBe("correction_repository_verification_required");
	});

	it("of a committed range is asked about without a file coming and going in the repository (invariant 2)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", NEW);
		repo.commit("second");
		const flags = ["--base-ref", "HEAD~1"];
		await blocked(repo, flags);
		const packs = () => statSync(repo.path(".git/objects/pack"), { bigint: true }).mtimeNs;
		const before = packs();
		expect(await reasonOf(repo, flags)).toBe("corrected_candidate_unavailable");
		expect(packs()).toBe(before);
	});
});

const ELSEWHERE = "/dev/shm";
const isElsewhere = existsSync(ELSEWHERE) && statSync(ELSEWHERE).dev !== statSync(new TestRepo().root).dev;

describe("a committed range (FR-46)", () => {
	it.skipIf(!isElsewhere)("is started while temporary files live on another file system", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", NEW);
		repo.commit("second");
		const TMPDIR = mkdtempSync(join(ELSEWHERE, "gentle-ai-test-"));
		try {
			const { command } = executionOf(await status(repo, ["--base-ref", "HEAD~1"]));
			expectSuccess(await repo.runPrinted(command, { env: { TMPDIR } }));
		} finally {
			rmSync(TMPDIR, { recursive: true, force: true });
		}
	});
});

describe("a recovery of a staged review (FR-07, FR-10)", () => {
	it("is opened by the command that STATUS prints, in the index", async () => {
		const repo = new TestRepo();
		const flags = ["--projection", "staged"];
		repo.write("app.ts", NEW);
		repo.stage();
		const { lineage_id } = await startPrinted(repo, flags);
		await captureAll(repo, () => [blocker("app.ts:1", { causal_disposition: "unknown" })], flags);
		await finalized(repo, lineage_id, "--captured-results");
		repo.write("app.ts", `${NEW}// another line\n`);
		repo.stage();
		// What only the work tree holds is not what is recovered.
		repo.write("app.ts", `${NEW}// not staged\n`);
		const moved = await status(repo, flags);
		expect(transitionOf(moved).reason_code).toBe("recovery_authorization_required");
		const [actor, reason] = ["Maintainer", "another line"];
		const text = [
			"gentle-ai.review-recovery-authorization/v1",
			`predecessor_lineage=${lineage_id}`,
			`predecessor_revision=${moved.authority?.revision}`,
			`target_identity=${moved.target_identity}`,
			"successor_lineage=next-one",
			`actor=${actor}`,
			`reason=${reason}`,
		].join("\n");
		const words = [
			...["--recovery-successor-lineage", "next-one", "--recovery-actor", actor],
			...["--recovery-reason", reason, "--recovery-authorization", text],
		];
		const ready = await repo.run(statusWords(...flags, ...words));
		expectSuccess(ready);
		expect(await runExecute(repo, ready.json())).toMatchObject({
			lineage_id: "next-one",
			projection: "staged",
			target_identity: moved.target_identity,
		});
	});
});
