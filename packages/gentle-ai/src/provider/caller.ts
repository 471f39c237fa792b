// Who calls: everything about this process that an operation may use. Nothing below reads the environment by itself.
import { homedir } from "node:os";
import { warmUp } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import type { Environment } from "../git/index.ts";
import { type GitSession, openSession, type Repository, resolveRepository } from "../git/index.ts";

export type Caller = {
	readonly environment: Environment;
	/** The user's home: global mode, opaque contexts. */
	readonly home: string;
	/** The current time; recorded, never decided on. */
	readonly now: () => Date;
	/** Told at the end of each operation how many Git children it needed. */
	readonly onGitChildren?: (count: number) => void;
};

export function processCaller(): Caller {
	return { environment: process.env, home: homedir(), now: () => new Date() };
}

export type Workplace = { readonly caller: Caller; readonly session: GitSession; readonly repository: Repository };

/** A person may think, and an analyser may work, for as long as they like; Git children keep their own budgets. */
export const LONG_MS = 24 * 60 * 60 * 1_000;

/** Runs one operation on the repository of `cwd`, with one deadline, and leaves no child and no private file behind. */
export async function withRepository<Result>(
	caller: Caller,
	cwd: string,
	work: (workplace: Workplace) => Promise<Result>,
	budgetMs?: number,
): Promise<Result> {
	const session = openSession(cwd, caller.environment, budgetMs);
	try {
		const resolving = resolveRepository(session);
		warmUp();
		return await work({ caller, session, repository: await resolving });
	} finally {
		await session.close();
		caller.onGitChildren?.(session.childCount);
	}
}

/** Marks whatever fails from here on as having happened after something durable. */
export async function afterCommit<Result>(work: () => Promise<Result> | Result): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		const told = error instanceof ReviewError ? error : unprepared(error);
		if (told.progress === "not_started") told.progress = "committed";
		throw told;
	}
}

function unprepared(cause: unknown): ReviewError {
	return new ReviewError(
		"candidate_context_unavailable",
		{
			message: "the review is kept, but its answer could not be prepared",
			next: "Run STATUS and do what it prints",
		},
		{ cause },
	);
}

export function isoTime(caller: Caller): string {
	return caller.now().toISOString();
}
