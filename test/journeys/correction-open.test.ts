// Every way in which a correction is not accepted, and stays open or becomes a review of its own.
import { describe, expect, it } from "vitest";
import { blocked, FIXED, NEW, OLD, planned, reason, validated, verdict } from "../kit/corrected.ts";
import {
	captureAll,
	captureEvidence,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	runExecute,
	status,
	transitionOf,
} from "../kit/drive.ts";

describe("a correction that is not accepted yet", () => {
	it("stays open when its verification fails: nothing is used up, and other bytes are other evidence", async () => {
		const { repo } = await planned(await blocked());
		repo.write("app.ts", FIXED);
		const before = await status(repo);
		expectSuccess(await captureEvidence(repo, firstInput(before), "verification_failed", "1 of 9 failed\n"));
		const stopped = await status(repo);
		expect(transitionOf(stopped)).toMatchObject({
			kind: "stop",
			reason_code: "correction_repository_verification_failed",
		});
		expect(stopped.authority).toEqual(before.authority);
		repo.write("app.ts", NEW.replace("m = 2", "m = 4"));
		expect(await reason(repo)).toBe("correction_repository_verification_required");
		repo.write("app.ts", FIXED);
		expect(await reason(repo)).toBe("correction_repository_verification_failed");
	});

	it("stays open over its budget, and closes once it has shrunk", async () => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", NEW.replaceAll("= 2", "= 5"));
		expect(await reason(open.repo)).toBe("corrected_candidate_unavailable");
		open.repo.write("app.ts", FIXED);
		expectSuccess(await validated(open));
	});

	it("stays open when the validator could not look", async () => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", FIXED);
		const refused = failureOf(await validated(open, { original: false, evidence: "unable to inspect the candidate" }));
		expect(refused).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		expect(await reason(open.repo)).toBe("targeted_validation_required");
	});

	it.each([
		["another request", "targeted_validation_request_hash"],
		["another candidate", "correction_target_identity"],
	] as const)("refuses a verdict about %s", async (_, field) => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", FIXED);
		expectSuccess(await captureEvidence(open.repo, firstInput(await status(open.repo)), "passed"));
		const answer = { ...JSON.parse(verdict(await status(open.repo))), [field]: `sha256:${"0".repeat(64)}` };
		const file = open.repo.outside("validation.json", JSON.stringify(answer));
		const refused = failureOf(await finalize(open.repo, open.lineage, "--captured-evidence", "--validation", file));
		expect(refused).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		expect(refused.cause).toContain(field);
	});

	it("takes no verdict for bytes that have changed since", async () => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", FIXED);
		expectSuccess(await captureEvidence(open.repo, firstInput(await status(open.repo)), "passed"));
		const file = open.repo.outside("validation.json", verdict(await status(open.repo)));
		open.repo.write("app.ts", NEW.replace("m = 2", "m = 4"));
		const refused = failureOf(await finalize(open.repo, open.lineage, "--captured-evidence", "--validation", file));
		expect(refused).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		expect(await reason(open.repo)).toBe("correction_repository_verification_required");
	});
});

describe("bytes outside the frozen scope", () => {
	it("are offered a successor, which is reviewed from the beginning", async () => {
		const { repo, lineage } = await planned(await blocked());
		repo.write("app.ts", FIXED);
		repo.write("other.ts", "export const o = 2;\n");
		const moved = await status(repo);
		expect(moved).toMatchObject({ action: "recover", action_disposition: "scope_changed" });
		expect(transitionOf(moved).reason_code).toBe("recovery_authorization_required");
		const lines = [
			"gentle-ai.review-recovery-authorization/v1",
			`predecessor_lineage=${lineage}`,
			`predecessor_revision=${moved.authority?.revision}`,
			`target_identity=${moved.target_identity}`,
			"actor=Maintainer <m@example.invalid>",
			"reason=the fix needs another file",
		];
		const answer = [
			"--recovery-successor-lineage=review-wider",
			"--recovery-actor=Maintainer <m@example.invalid>",
			"--recovery-reason=the fix needs another file",
			`--recovery-authorization=${lines.join("\n")}`,
		];
		const almost = await status(repo, [...answer.slice(0, 3), `--recovery-authorization=${lines.join("\n")}\n`]);
		expect(transitionOf(almost).reason_code).toBe("recovery_authorization_required");
		const ready = await status(repo, answer);
		expect(transitionOf(ready)).toMatchObject({ kind: "execute", reason_code: "recovery_authorized" });
		const opened = await runExecute<{ lineage_id: string; state: string }>(repo, ready);
		expect(opened).toMatchObject({
			operation: "review/recover",
			lineage_id: "review-wider",
			state: "reviewing",
			recovery: { predecessor_lineage_id: lineage, disposition: "scope_changed" },
		});
		// The same recovery again answers the same.
		expect(await runExecute(repo, ready)).toEqual(opened);
		expect(await status(repo)).toMatchObject({ authority: { lineage_id: "review-wider", generation: 2 } });
		await captureAll(repo);
		expect((await finalized(repo, "review-wider", "--captured-results")).state).toBe("validating");
	});

	it("that touch nothing of it are a target of their own", async () => {
		const { repo } = await planned(await blocked());
		repo.write("app.ts", OLD);
		repo.write("other.ts", "export const o = 2;\n");
		expect(await reason(repo)).toBe("fresh_target_ready");
	});
});
