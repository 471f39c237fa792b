// The human run: one review from the candidate to the receipt, told as events. It decides nothing that an operation does
// not decide; it only calls them in order, asks the person where the contract asks, and says what to do next.
import { ReviewError } from "../../contract/errors.ts";
import type { ReviewRun } from "../../contract/wire/run.ts";
import type { Caller } from "../caller.ts";
import { AdmissionError } from "../capture-result.ts";
import { review, tellFindings } from "./answers.ts";
import { conclude } from "./conclude.ts";
import { again, Ended, type Run } from "./context.ts";
import { correct } from "./correct.ts";
import { emptyRun, failedRun } from "./document.ts";
import type { RunOptions } from "./events.ts";
import { freshLineage } from "./open.ts";
import { verify } from "./verify.ts";

export type { ConsentRequest, RunEvent, RunOptions } from "./events.ts";

/** Runs one review to its end. Expected refusals become the document's `error`; only bugs reject. */
export async function runReview(caller: Caller, options: RunOptions): Promise<ReviewRun> {
	const run: Run = { caller, options, draft: emptyRun(), root: options.cwd };
	const start = performance.now();
	const total = () => {
		run.draft.timings = { ...run.draft.timings, total: Math.round(performance.now() - start) };
		return run.draft.timings;
	};
	try {
		const begun = await freshLineage(run);
		const already = begun.state.state === "approved";
		const reviewed = await review(run, begun);
		run.draft.findings = [...(await tellFindings(run, reviewed))];
		const corrected = await correct(run, reviewed);
		const verified = await verify(run, corrected);
		const done = await conclude(run, verified, already);
		return { ...done, timings: total() };
	} catch (error) {
		if (error instanceof Ended) return { ...error.run, timings: total() };
		if (error instanceof AdmissionError) {
			return { ...failedRun(run.draft, error), state: "incomplete", next: again(run), timings: total() };
		}
		if (error instanceof ReviewError) return { ...failedRun(run.draft, error), timings: total() };
		throw error;
	}
}
