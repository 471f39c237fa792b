// The one retry of a final verification that its tools spoiled: exactly authorized, once in an ancestry, else denied.
import { renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Status } from "../kit/documents.ts";
import { captureAll, expectSuccess, failureOf, finalized, gate, status, transitionOf, V1, V2 } from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { expectColumns, refused } from "../kit/refusals.ts";
import type { TestRepo } from "../kit/repo.ts";
import {
	askedRetry,
	closedBy,
	digestOf,
	type RetryWords,
	retryCommand,
	retryWords,
	verifyAgain,
} from "../kit/spoiled.ts";
import { alterStore, damageRecord, receiptPath } from "../kit/store.ts";
import { contentsOf } from "../kit/tree.ts";

type Retried = { readonly schema: string; readonly operation: string; readonly result: Record<string, string> };

const NOBODY = `sha256:${"0".repeat(64)}`;

function retry(repo: TestRepo, words: RetryWords, ...more: string[]): Promise<RunResult> {
	return repo.run(retryCommand(words, ...more), { stdin: words.incident });
}

async function spoiled(): Promise<{ repo: TestRepo; lineage: string; words: RetryWords; before: Status }> {
	const { repo, lineage } = await closedBy("procedural_tooling_failed");
	return { repo, lineage, words: retryWords(await askedRetry(repo)), before: await status(repo) };
}

/** Denied in the columns of the contract, for the named reason, and nothing moved. */
async function denied(repo: TestRepo, words: RetryWords, why: string): Promise<void> {
	const result = await refused(repo, retryCommand(words), words.incident);
	const failure = failureOf(result);
	expectColumns(failure, "final_verification_retry_denied");
	expect(failure.operation).toBe("review.retry_final_verification");
	expect(failure.message).toContain(`(${why})`);
}

describe("a retry of a final verification", () => {
	it("answers in contract v1 by default, opens a validating successor, and its verification closes the review", async () => {
		const { repo, words, before } = await spoiled();
		const result = await retry(repo, words);
		expectSuccess(result);
		const { schema, operation, result: told } = result.json<Retried>();
		expect({ schema, operation }).toEqual({
			schema: "gentle-ai.review-integration.operation/v1",
			operation: "review.retry_final_verification",
		});
		const after = await status(repo);
		expect(told).toEqual({
			operation: "review.retry_final_verification",
			predecessor_lineage_id: words.predecessor,
			predecessor_revision: words.revision,
			lineage_id: "second-try",
			state: "validating",
			store_revision: after.authority?.revision,
			target_identity: before.target_identity,
			incident_digest: digestOf(words.incident),
			recovery_disposition: "final_verification_retry",
		});
		expect(after.authority).toMatchObject({ lineage_id: "second-try", state: "validating", generation: 2 });
		expect(after.frozen).toEqual(before.frozen);
		expect(transitionOf(after).reason_code).toBe("verification_evidence_required");
		await verifyAgain(repo, "second-try", "passed");
		const closed = await status(repo);
		expect(closed.authority).toMatchObject({ lineage_id: "second-try", state: "approved" });
		repo.stage();
		expectSuccess(await gate(repo));
		// The same words again answer the same, although the successor is closed by now.
		const again = await retry(repo, words);
		expectSuccess(again);
		expect(again.stdout).toBe(result.stdout);
		expect(await status(repo)).toEqual(closed);
	});

	it("answers in contract v2 when that is asked", async () => {
		const { repo, words } = await spoiled();
		const result = await retry(repo, words, "--contract", V2);
		expectSuccess(result);
		expect(result.json<Retried>().schema).toBe("gentle-ai.review-integration.operation/v2");
	});

	it("is denied for every word that is not exact, and each denial leaves the review as it was", async () => {
		const { repo, words, before } = await spoiled();
		const wrong = (over: Partial<RetryWords>) => ({ ...words, ...over });
		const { authorization, incident } = words;
		for (const [why, over] of [
			["authorization_mismatch", { authorization: `${authorization}\n` }],
			["authorization_mismatch", { authorization: authorization.replaceAll("\n", "\r\n") }],
			["authorization_mismatch", { authorization: authorization.replace("reason=", "reason= ") }],
			["authorization_mismatch", { authorization: authorization.split("\n").slice(0, -1).join("\n") }],
			["authorization_mismatch", { actor: "B" }],
			["authorization_mismatch", { successor: "third-try" }],
			["invalid_request", { actor: "A\nB" }],
			["invalid_request", { reason: " the runner crashed" }],
			["incident_mismatch", { incident: incident.trimEnd() }],
			["incident_mismatch", { incident: incident.replace("\n", "\r\n") }],
			["incident_mismatch", { incident: `${JSON.stringify(JSON.parse(incident), null, 2)}\n` }],
			["incident_mismatch", { incident: incident.replace("procedural_tooling_failure", "verification_failed") }],
			["ineligible_predecessor", { predecessor: "review-nobody" }],
			["ineligible_predecessor", { revision: NOBODY }],
		] as const) {
			await denied(repo, wrong(over), why);
		}
		await denied(repo, retryWords(await askedRetry(repo), words.predecessor), "successor_taken");
		expect(await status(repo)).toEqual(before);
	});

	it("is an invalid request while a flag is missing, malformed, or its incident is larger than 16 KiB", async () => {
		const { repo, words } = await spoiled();
		const command = retryCommand(words);
		const without = (name: string) => command.filter((_, at) => command[at] !== name && command[at - 1] !== name);
		for (const argv of [
			without("--actor"),
			without("--maintainer-authorization"),
			command.map((word) => (word === words.revision ? "sha256:12" : word)),
			[...command, "--contract", "gentle-ai.review-integration/v9"],
		]) {
			const failure = failureOf(await refused(repo, argv, words.incident));
			expect(failure.contract).toBe(V1);
			expect(failure.code).toMatch(/^(invalid_request|unsupported_contract)$/);
		}
		const large = await refused(repo, command, words.incident.padEnd(16 * 1024 + 1));
		expectColumns(failureOf(large), "invalid_request");
	});

	it("is not for a verification that really failed, nor for an approved or an open review", async () => {
		const { words } = await spoiled();
		const { repo } = await closedBy("verification_failed");
		const { authority, next_transition } = await status(repo);
		expect(next_transition?.reason_code).toBe("native_stop_required");
		const here = { ...words, predecessor: authority?.lineage_id ?? "", revision: authority?.revision ?? "" };
		await denied(repo, here, "ineligible_predecessor");
	});

	it("is denied while its receipt, its evidence or its candidate is another one", async () => {
		const { repo, lineage, words, before } = await spoiled();
		repo.write("app.ts", "export const n = 3;\n");
		await denied(repo, words, "live_target_drift");
		repo.write("app.ts", "export const n = 2;\n");
		const receipt = receiptPath(repo, lineage);
		renameSync(receipt, `${receipt}.away`);
		await denied(repo, words, "receipt_mismatch");
		renameSync(`${receipt}.away`, receipt);
		alterStore(repo, "UPDATE evidence SET payload = x'00'");
		await denied(repo, words, "evidence_mismatch");
		alterStore(repo, "DELETE FROM evidence");
		await denied(repo, words, "evidence_mismatch");
		expect(await status(repo)).toEqual(before);
	});

	it("still is possible once the same bytes were committed", async () => {
		const { repo, words } = await spoiled();
		repo.commit("the candidate");
		expectSuccess(await retry(repo, words));
	});

	it("is possible once in an ancestry, also after its successor was ended", async () => {
		const { repo, lineage, words } = await spoiled();
		expectSuccess(await retry(repo, words));
		await denied(repo, { ...words, reason: "another" }, "already_succeeded");
		await verifyAgain(repo, "second-try", "procedural_tooling_failed");
		const second = await status(repo);
		expect(transitionOf(second).reason_code).toBe("native_stop_required");
		const revision = second.authority?.revision ?? "";
		await denied(repo, { ...words, predecessor: "second-try", revision }, "already_succeeded");
		const end = ["review", "end", "--lineage", "second-try", "--expected-revision", revision, "--reason", "no use"];
		expectSuccess(await repo.run(end));
		expect((await status(repo)).authority?.lineage_id).toBe(lineage);
		expect(transitionOf(await status(repo)).reason_code).toBe("native_stop_required");
		await denied(repo, words, "already_succeeded");
	});

	it("stays used for a review that continues the retried one, also when every ancestor was ended", async () => {
		const { repo, lineage, words } = await spoiled();
		expectSuccess(await retry(repo, words));
		await verifyAgain(repo, "second-try", "verification_failed");
		repo.write("app.ts", "export const n = 3;\n");
		const { authority, target_identity } = await status(repo);
		const bound = ["gentle-ai.review-recovery-authorization/v1", "predecessor_lineage=second-try"];
		const authorization = [
			...bound,
			`predecessor_revision=${authority?.revision}`,
			`target_identity=${target_identity}`,
			"actor=A",
			"reason=corrected",
		].join("\n");
		const recover = [
			...["review", "recover", "--predecessor-lineage", "second-try", "--disposition", "escalated"],
			...["--expected-predecessor-revision", authority?.revision ?? "", "--successor-lineage", "third-try"],
			...["--actor", "A", "--reason", "corrected", "--maintainer-authorization", authorization],
		];
		expectSuccess(await repo.run(recover));
		await captureAll(repo);
		await finalized(repo, "third-try", "--captured-results");
		await verifyAgain(repo, "third-try", "procedural_tooling_failed");
		const stopped = async () => transitionOf(await status(repo)).reason_code;
		expect(await stopped()).toBe("native_stop_required");
		for (const [id, revision] of [
			["second-try", authority?.revision ?? ""],
			[lineage, words.revision],
		] as const) {
			const end = ["review", "end", "--lineage", id, "--expected-revision", revision, "--reason", "no use"];
			expectSuccess(await repo.run(end));
			expect(await stopped()).toBe("native_stop_required");
		}
		const revision = (await status(repo)).authority?.revision ?? "";
		await denied(repo, { ...words, predecessor: "third-try", revision }, "already_succeeded");
	});

	it("is refused while reviews are off, of a damaged record, and of one successor for two callers", async () => {
		const { repo, lineage, words } = await spoiled();
		await repo.run(["review", "mode", "disable", "--scope", "clone"]);
		expectColumns(failureOf(await refused(repo, retryCommand(words), words.incident)), "rdd_disabled");
		await repo.run(["review", "mode", "enable", "--scope", "clone"]);
		const other = retryWords(await askedRetry(repo), "third-try");
		const both = await Promise.all([retry(repo, words), retry(repo, words), retry(repo, other)]);
		const [answered, failed] = [both.filter(({ code }) => code === 0), both.filter(({ code }) => code !== 0)];
		expect(new Set(answered.map(({ stdout }) => stdout)).size).toBe(1);
		for (const result of failed) {
			expect(failureOf(result).code).toMatch(/^(final_verification_retry_denied|authority_lock_timeout)$/);
		}
		damageRecord(repo, lineage);
		const before = contentsOf(repo);
		expect((await retry(repo, { ...words, reason: "another" })).code).toBe(1);
		expect(contentsOf(repo)).toEqual(before);
	});
});
