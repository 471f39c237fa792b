// What every refusal owes its caller: the contract's columns, words that teach, and a world in which nothing moved.
import { expect } from "vitest";
import { COLUMNS } from "./columns.ts";
import type { Failure } from "./documents.ts";
import type { RunResult } from "./program.ts";
import type { TestRepo } from "./repo.ts";
import { contentsOf } from "./tree.ts";

export function expectColumns(failure: Failure, code: keyof typeof COLUMNS): void {
	expect(failure).toMatchObject({ code, ...COLUMNS[code] });
}

/** A refused input names its field, shows the value, states the rule, and says what to do. */
export function expectTeaching(failure: Failure, field: string, value?: string): void {
	const cause = failure.cause ?? "";
	expect(cause).toContain(`field: ${field}`);
	expect(cause).toContain("rule: ");
	expect(cause).toContain("next: ");
	if (value !== undefined) expect(cause).toContain(value);
}

/** Runs a call that must be refused, and proves that it left no trace. */
export async function refused(repo: TestRepo, words: readonly string[], stdin = ""): Promise<RunResult> {
	const before = contentsOf(repo);
	const result = await repo.run(words, { stdin });
	expect(result.code).toBe(1);
	expect(contentsOf(repo)).toEqual(before);
	return result;
}
