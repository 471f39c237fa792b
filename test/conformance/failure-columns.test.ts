// Every row of the contract's table of failures (8.2) whose operation exists, provoked under both contracts: all of its
// columns, words that say what to do, and nothing of this machine in them.
import { describe, expect, it } from "vitest";
import { AFTER_COMMIT, COLUMNS, type Columns } from "../kit/columns.ts";
import { BLOCKED_FILES } from "../kit/corrected.ts";
import { failureOf, V1, V2 } from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import * as provoke from "../kit/provoked.ts";
import { R0, type TestRepo } from "../kit/repo.ts";
import { CheckedRepo } from "../kit/schemas.ts";

type Row = {
	readonly code: string;
	readonly columns: Columns;
	readonly operation: string;
	readonly situation: string;
	readonly make: (repo: TestRepo) => Promise<provoke.Provoked>;
	/** Words of the field, the value, the rule or the next step that the cause names. */
	readonly teaches: readonly string[];
	readonly files?: Readonly<Record<string, string>>;
};

function row(
	code: keyof typeof COLUMNS,
	operation: string,
	situation: string,
	make: Row["make"],
	teaches: readonly string[],
	over: Partial<Row> = {},
): Row {
	return { code, columns: COLUMNS[code], operation: `review.${operation}`, situation, make, teaches, ...over };
}

const STATUS_NEXT = "next: Run STATUS";

// biome-ignore format: one row of the table is one line
const ROWS: readonly Row[] = [
	row("rdd_disabled", "start", "switched off", provoke.switchedOff, ["gentle-ai review mode enable"]),
	row("receipt_publication_conflict", "finalize", "a foreign file in its place", provoke.foreignReceipt, ["next: A maintainer"]),
	row("receipt_publication_pending", "finalize", "no folder to publish in", provoke.noPlaceForAReceipt, ["next: Run `gentle-ai review finalize --lineage"]),
	row("git_command_failed", "finalize", "Git gone after the commit", provoke.gitGoneAfterTheCommit, [], { columns: AFTER_COMMIT, files: BLOCKED_FILES }),
	row("authority_revision_conflict", "finalize", "another plan in between", provoke.overtaken, [STATUS_NEXT], { files: BLOCKED_FILES }),
	row("authority_lock_timeout", "finalize", "another process that holds the store", provoke.lockedStore, ["next: Wait"]),
	row("final_verification_retry_denied", "retry_final_verification", "a text that is almost exact", provoke.inexactRetry, ["next: "]),
	row("store_lock_unavailable", "status", "a folder in the place of the store", provoke.unreadableStore, ["next: "]),
	row("git_command_failed", "status", "no repository", provoke.noRepository, ["next: "]),
	row("invalid_request", "finalize", "an unknown lineage", provoke.unknownLineage, ["field: --lineage", "value: review-nobody", "rule: ", "next: "]),
	row("stale_target_identity", "start", "another target", provoke.staleTarget, ["field: --target", "value: sha256:000", "rule: ", STATUS_NEXT]),
	row("empty_candidate_scope", "start", "nothing to review", provoke.emptyCandidate, ["--base-ref <commit>"]),
	row("gate_scope_changed", "validate", "other bytes of a named receipt", (repo) => provoke.otherBytesOfAReceipt(repo, "--lineage"), ["differing paths: guide.md", "next: "]),
	row("gate_invalidated", "validate", "another base", provoke.anotherBase, ["next: "]),
	row("gate_escalated", "validate", "an escalated receipt", provoke.escalatedReceipt, [STATUS_NEXT]),
	row("receipt_missing", "validate", "no review yet", provoke.noReceipt, ["gentle-ai review"]),
	row("receipt_unrelated", "validate", "a receipt of other paths", provoke.unrelatedReceipt, ["gentle-ai review"]),
	row("receipt_scope_changed", "validate", "other bytes of the only receipt", provoke.otherBytesOfAReceipt, ["differing paths: guide.md", "next: "]),
	row("receipt_ambiguous", "validate", "two receipts", provoke.twoReceipts, ["Pass --lineage with one of review-"]),
	// Only stale ones: decisions row 12 and the published gate cases say ambiguous, where one peer evaluates nothing.
	row("receipt_ambiguous", "validate", "two stale receipts", provoke.twoStaleReceipts, ["Pass --lineage with one of review-"]),
	row("authority_corrupted", "validate", "a damaged record", provoke.damagedRecord, ["gentle-ai review end"]),
	row("operation_failed", "status", "what nobody foresaw", provoke.unforeseenWhileReading, []),
	row("operation_outcome_unknown", "start", "what nobody foresaw", provoke.unforeseenInAMutation, [STATUS_NEXT]),
];

/** Nothing of this machine, of the store's inside, of Git's own words, or of a maintainer's text. */
function expectQuiet(repo: TestRepo, { stdout, stderr }: RunResult): void {
	for (const said of [stdout, stderr]) {
		expect(said).not.toContain(repo.folder);
		expect(said).not.toMatch(
			/sqlite|receipts\/|gentle-ai\/(receipts|results)|fatal:|boom|(actor|revision|digest)=| at .*:\d+:\d+/,
		);
	}
}

describe.each([
	["v1", V1],
	["v2", V2],
])("under contract %s", (_, contract) => {
	it.each(ROWS)("$code of $operation, by $situation, is told in all its columns", async (row) => {
		const { code, columns, operation, make, teaches, files = R0 } = row;
		const repo = new CheckedRepo({ contract, files });
		const { words, options, after } = await make(repo);
		const result = await repo.run(words, options);
		await after?.();
		const failure = failureOf(result);
		expect(failure).toMatchObject({ contract, operation, code, ...columns });
		expect(failure.message).not.toBe("");
		for (const taught of teaches) expect(failure.cause).toContain(taught);
		if (teaches.length === 0 && code === "operation_failed") expect(failure).not.toHaveProperty("cause");
		expectQuiet(repo, result);
		expect(repo.problems).toEqual([]);
	});
});
