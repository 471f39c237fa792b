// One human run on its way: who called, what it has learned, and the few things that every phase needs.
import { isDamaged, type Lineage, readStore } from "../../authority/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import { shellCommand } from "../../contract/tokens.ts";
import type { ReviewRun } from "../../contract/wire/run.ts";
import type { CandidateView } from "../../reviewers/reviewer.ts";
import { type Caller, withRepository } from "../caller.ts";
import { candidateView, repositoryReader } from "../candidate-view.ts";
import { damagedLineage } from "../lookup.ts";
import { frozenChanges } from "../slots.ts";
import type { RunDraft } from "./document.ts";
import type { RunOptions } from "./events.ts";

export type Run = {
	readonly caller: Caller;
	readonly options: RunOptions;
	readonly draft: RunDraft;
	/** The root of the work tree, once it is known. */
	root: string;
};

/** Ends a run early with its document; never leaves this folder. */
export class Ended extends Error {
	readonly run: ReviewRun;
	constructor(run: ReviewRun) {
		super(run.state);
		this.run = run;
	}
}

/** The command that repeats this run. */
export function again(run: Run, ...more: string[]): string {
	return shellCommand([...run.options.invocation, ...more]);
}

export async function timed<Result>(run: Run, phase: string, work: () => Promise<Result>): Promise<Result> {
	const start = performance.now();
	try {
		return await work();
	} finally {
		run.draft.timings = { ...run.draft.timings, [phase]: Math.round(performance.now() - start) };
	}
}

export function addNotes(run: Run, ...notes: string[]): void {
	run.draft.notes = [...run.draft.notes, ...notes];
}

export async function reload(run: Run, id: string): Promise<Lineage> {
	return withRepository(run.caller, run.root, async (place) => {
		const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
		try {
			const row = store.lineage(id);
			if (row === undefined || isDamaged(row)) throw damagedLineage(id);
			return row;
		} finally {
			store.close();
		}
	});
}

export async function viewOf(run: Run, lineage: Lineage): Promise<CandidateView> {
	const changes = await withRepository(run.caller, run.root, (place) => frozenChanges(place, lineage));
	const reader = repositoryReader(run.caller, run.root);
	return candidateView(lineage.state.initial_snapshot, lineage.frozen.manifest, changes, reader);
}

/** FINALIZE without any input; each call adds what it closes. */
export const FINALIZE = {
	contract: "gentle-ai.review-integration/v2",
	captured_results: false,
	captured_evidence: false,
	failed: undefined,
	correction_lines: undefined,
	refuter: undefined,
	validation: undefined,
	next_transition: false,
} as const;

/** Tells once of files that are there and that no candidate of the work tree holds. */
export function noteHidden(run: Run, hidden: readonly string[]): void {
	if (hidden.length === 0) return;
	const note = `git was told not to look at files that are there: ${hidden.slice(0, 3).join(", ")}`;
	if (!run.draft.notes.includes(note)) addNotes(run, note);
}
