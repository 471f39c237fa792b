// Candidates of every tier in repositories whose every answer is checked, under either contract.
import { appendFileSync } from "node:fs";
import { expect } from "vitest";
import { V1, V2 } from "./drive.ts";
import { CheckedRepo } from "./schemas.ts";

export const SCHEMAS = "gentle-ai.review-integration";

export function low(contract: string): CheckedRepo {
	const repo = new CheckedRepo({ contract });
	appendFileSync(repo.path("guide.md"), "One more sentence.\n");
	return repo;
}

export function medium(contract: string): CheckedRepo {
	const repo = new CheckedRepo({ contract });
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

export function high(contract: string): CheckedRepo {
	const repo = new CheckedRepo({ contract });
	repo.write("scripts/deploy.sh", "echo deploy\n");
	return repo;
}

export function expectValid(repo: CheckedRepo, ...schemas: string[]): void {
	expect(repo.problems).toEqual([]);
	expect([...repo.seen]).toEqual(expect.arrayContaining(schemas));
}

/** Each contract and the names of its shapes. */
export const CONTRACTS = [
	{
		contract: V1,
		start: "start/v2",
		status: "status/v2",
		consent: "consent/v1",
		operation: "operation/v1",
		failure: "failure/v1",
	},
	{
		contract: V2,
		start: "start/v3",
		status: "status/v3",
		consent: "consent/v2",
		operation: "operation/v2",
		failure: "failure/v2",
	},
] as const;
