// `--trace FILE`: what one call cost, for whoever looks into a slow one. Never part of an answer.
import { closeSync, openSync, writeSync } from "node:fs";
import { indentedJson } from "../contract/canonical.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import type { Operation } from "../contract/operations.ts";
import { type Caller, processCaller } from "../provider/caller.ts";
import { buildFacts } from "../provider/capabilities.ts";
import type { FlagSpec, Flags } from "./flags.ts";

export const TRACE: FlagSpec = {
	name: "trace",
	kind: "text",
	value: "FILE",
	help: "write what this call cost; diagnostics only",
};

/** Opened before anything happens: a file that cannot be written is a refusal, not a surprise after the commit. */
function open(path: string): number {
	try {
		return openSync(path, "w", 0o600);
	} catch {
		throw invalidInput("--trace", path, "a file that can be written", "Pass a path in a folder of yours");
	}
}

export async function traced<Result>(
	flags: Flags,
	operation: Operation,
	work: (caller: Caller) => Promise<Result>,
): Promise<Result> {
	const path = flags.text("trace");
	if (path === undefined) return work(processCaller());
	const file = open(path);
	const started = performance.now();
	let git_children = 0;
	const onGitChildren = (count: number): void => {
		git_children += count;
	};
	let outcome = "answered";
	try {
		return await work({ ...processCaller(), onGitChildren });
	} catch (error) {
		outcome = error instanceof ReviewError ? error.code : "failed";
		throw error;
	} finally {
		const { version, runtime } = buildFacts();
		const milliseconds = Math.round(performance.now() - started);
		const facts = {
			schema: "gentle-ai.review-trace/v1",
			operation,
			version,
			runtime,
			outcome,
			milliseconds,
			git_children,
		};
		writeSync(file, indentedJson(facts));
		closeSync(file);
	}
}
