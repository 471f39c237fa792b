// Every way in which a correction is not accepted, and stays open or becomes a review of its own.
import { describe, expect, it } from "vitest";
import {
	blocked,
	FIXED,
	NEW,
	OLD,
	planned,
	reason,
	recoveryFlags,
	recoveryText,
	validated,
	verdict,
	WIDER,
} from "../kit/corrected.ts";
import {
	captureAll,
	captureEvidence,
	executionOf,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	runExecute,
	status,
	tokensOf,
	transitionOf,
} from "../kit/drive.ts";
import { refused } from "../kit/refusals.ts";

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
		const text = recoveryText(moved);
		const almost = await status(repo, recoveryFlags(WIDER, `${text}\n`));
		expect(transitionOf(almost).reason_code).toBe("recovery_authorization_required");
		const ready = await status(repo, recoveryFlags(WIDER, text));
		expect(transitionOf(ready)).toMatchObject({ kind: "execute", reason_code: "recovery_authorized" });
		const inexact = tokensOf(executionOf(ready)).map((token) => token.replace("\nactor=M", "\nactor=m"));
		const { stderr } = await refused(repo, ["review", "recover", ...inexact]);
		expect(stderr).toMatch(/not the exact text.*\[invalid_request\]/);
		expect(stderr).not.toMatch(/(actor|predecessor_revision|target_identity)=/);
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

describe("a staged review that outgrew its scope", () => {
	it("is continued in the index by the command that STATUS prints, and its authorization names the successor", async () => {
		const flags = ["--projection=staged"];
		const { repo } = await planned(await blocked(flags));
		repo.write("app.ts", FIXED);
		repo.write("other.ts", "export const o = 2;\n");
		repo.stage();
		const asked = await status(repo, flags);
		const unbound = await status(repo, [...flags, ...recoveryFlags(WIDER, recoveryText(asked))]);
		expect(transitionOf(unbound).reason_code).toBe("recovery_authorization_required");
		const ready = await status(repo, [...flags, ...recoveryFlags(WIDER, recoveryText(asked, WIDER, true))]);
		expect(transitionOf(ready).reason_code).toBe("recovery_authorized");
		const { target_identity } = asked;
		expect(await runExecute(repo, ready)).toMatchObject({ projection: "staged", target_identity });
		expect((await status(repo, flags)).authority?.lineage_id).toBe(WIDER.successor);
	});
});
