// Field reports FR-08 and FR-50: reviews of an earlier version go on or end, and the same bytes after a closed review.
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import type { Start, Status } from "../kit/documents.ts";
import {
	approve,
	captureAll,
	drive,
	expectSuccess,
	finalized,
	gate,
	runExecute,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { alterStore, EARLIER_STORES, queryStore } from "../kit/store.ts";

const STATES = ["reviewing", "correction_required", "approved", "escalated"] as const;
type Kept = (typeof STATES)[number];

/** The candidate of one state: a file of its own. */
function hold(repo: TestRepo, state: Kept | "fresh"): void {
	repo.git("reset", "--quiet", "--hard");
	repo.write(`${state}.ts`, "export const n = 2;\nexport const m = 2;\n");
}

async function bring(repo: TestRepo, state: Kept): Promise<void> {
	hold(repo, state);
	if (state === "approved") {
		await approve(repo);
		return;
	}
	const { lineage_id } = await startPrinted(repo);
	if (state === "reviewing") return;
	const causal_disposition = state === "escalated" ? "unknown" : "introduced";
	await captureAll(repo, () => [blocker(`${state}.ts:1`, { causal_disposition })]);
	expect((await finalized(repo, lineage_id, "--captured-results")).state).toBe(state);
}

function rowsOf(repo: TestRepo): unknown {
	return queryStore(repo, "SELECT lineage_id, revision, state_json, receipt_bytes FROM lineages ORDER BY lineage_id");
}

async function end(repo: TestRepo, { authority }: Status): Promise<void> {
	const words = ["review", "end", "--lineage", authority?.lineage_id ?? "", "--reason", "from before"];
	expectSuccess(await repo.run([...words, "--expected-revision", authority?.revision ?? ""]));
}

describe.each(EARLIER_STORES)("reviews in a store of version %s (FR-50)", (_, sql) => {
	it("are told as before, go on, deliver and end; nothing of them is rewritten, and fresh targets are not affected", async () => {
		const files = Object.fromEntries([...STATES, "fresh"].map((name) => [`${name}.ts`, "export const n = 1;\n"]));
		const repo = new TestRepo({ files });
		const before: Partial<Record<Kept, Status>> = {};
		for (const state of STATES) {
			await bring(repo, state);
			before[state] = await status(repo);
		}
		alterStore(repo, sql);
		const rows = rowsOf(repo);
		for (const state of STATES) {
			hold(repo, state);
			expect(await status(repo), state).toEqual(before[state]);
		}
		hold(repo, "approved");
		repo.stage();
		expectSuccess(await gate(repo));
		hold(repo, "fresh");
		expect(transitionOf(await status(repo)).reason_code).toBe("fresh_target_ready");
		await startPrinted(repo);
		await end(repo, await status(repo));
		expect(rowsOf(repo)).toEqual(rows);
		hold(repo, "reviewing");
		expect((await drive(repo)).last.authority?.state).toBe("approved");
		hold(repo, "correction_required");
		const { authority } = await status(repo);
		await finalized(repo, authority?.lineage_id ?? "", "--correction-lines", "1");
		repo.write("correction_required.ts", "export const n = 3;\nexport const m = 2;\n");
		expect(transitionOf(await status(repo)).reason_code).toBe("correction_repository_verification_required");
		hold(repo, "escalated");
		await end(repo, await status(repo));
		expect(transitionOf(await status(repo)).reason_code).toBe("fresh_target_ready");
	});
});

describe("a closed review and the same bytes (FR-08)", () => {
	it("is a documented stop, and once it is retired a START of another name is offered and independent", async () => {
		const repo = new TestRepo({ files: { "escalated.ts": "export const n = 1;\n" } });
		await bring(repo, "escalated");
		const used = new Set<string>();
		for (let round = 0; round < 3; round += 1) {
			const closed = await status(repo);
			const lineage = closed.authority?.lineage_id ?? "";
			expect(used).not.toContain(lineage);
			used.add(lineage);
			for (const flags of [[], ["--lineage", lineage]]) {
				expect(transitionOf(await status(repo, flags))).toMatchObject({
					kind: "stop",
					reason_code: "native_stop_required",
				});
			}
			await end(repo, closed);
			const fresh = await status(repo);
			expect(fresh.applicability).toBe("unrelated");
			const started = await runExecute<Start>(repo, fresh);
			expect(started.action).toBe("created");
			await captureAll(repo, () => [blocker("escalated.ts:1", { causal_disposition: "unknown" })]);
			expect((await finalized(repo, started.lineage_id, "--captured-results")).state).toBe("escalated");
		}
	});
});
