// The last phase: what became of the review, and every way that leads on from there.
import type { Lineage } from "../../authority/index.ts";
import { shellCommand } from "../../contract/tokens.ts";
import type { ReviewRun } from "../../contract/wire/run.ts";
import { deriveReceipt, isTerminal } from "../../review/index.ts";
import { withRepository } from "../caller.ts";
import { finalize } from "../finalize.ts";
import { addNotes, again, FINALIZE, type Run } from "./context.ts";
import { finished, withReceipt, withState } from "./document.ts";

function endCommand(run: Run, lineage: Lineage): string {
	const words = ["gentle-ai", "review", "end", "--cwd", run.options.cwd, "--lineage", lineage.lineage_id];
	return shellCommand([...words, "--expected-revision", lineage.revision, "--reason", "<why>"]);
}

function declineCommand(run: Run, lineage: Lineage): string {
	const target = lineage.state.initial_snapshot;
	return shellCommand([
		...["gentle-ai", "review", "start", "--contract", "gentle-ai.review-integration/v2", "--cwd", run.options.cwd],
		...["--target", target.identity, "--projection", target.projection ?? "workspace"],
		...(target.kind === "base-diff" ? ["--base-ref", target.base_tree, "--committed-only"] : []),
		...(target.kind === "base-workspace-overlay" ? ["--base-ref", target.base_tree, "--workspace-overlay"] : []),
		...["--consent", "declined"],
	]);
}

/** A blocker may be right or wrong; none of these ways makes it an approval. `changed`: the live bytes are no longer the frozen ones. */
export function waysOut(run: Run, lineage: Lineage, changed = false): ReviewRun["exits"] {
	const decline = {
		command: declineCommand(run, lineage),
		meaning:
			"if you will not have these bytes reviewed: the commit gate leaves exactly them to your own policy, unapproved",
	};
	return [
		{
			command: again(run),
			meaning: isTerminal(lineage.state.state)
				? "after you have fixed it: the fixed bytes are reviewed as a new candidate, and the gates accept exactly those"
				: `after you have fixed it, in at most ${lineage.state.correction_budget} changed lines: the correction is validated and verified, and the gates accept exactly the fixed bytes`,
		},
		{
			command: endCommand(run, lineage),
			meaning:
				"if the finding is wrong, or its fix needs more lines: retires this review with your reason; the gates keep denying these bytes, and other bytes are reviewed afresh",
		},
		// A review that ended without an approval keeps denying its bytes, so declining them would open nothing; and only
		// what is there can be declined.
		...(isTerminal(lineage.state.state) || changed ? [] : [decline]),
	];
}

/** What a correction resolved is history, and is not listed beside an approval. */
function tellCorrected(run: Run, { state }: Lineage): void {
	if (state.correction_attempt === undefined) return;
	const fixed = new Set(state.fix_finding_ids);
	run.draft.findings = run.draft.findings.filter(({ id }) => !fixed.has(id));
	addNotes(run, `corrected in ${state.correction_attempt.actual_lines} changed lines: ${[...fixed].join(", ")}`);
}

/** A closed review whose receipt is missing is published again; the bytes are the same. */
async function closing(run: Run, lineage: Lineage, already: boolean): Promise<ReviewRun> {
	const { draft } = run;
	if (already) {
		await withRepository(run.caller, run.root, (place) =>
			finalize(place, { ...FINALIZE, lineage: lineage.lineage_id }),
		);
	}
	withReceipt(draft, deriveReceipt(lineage.state));
	tellCorrected(run, lineage);
	if (draft.evidence === null && lineage.state.evidence_hash !== undefined) {
		draft.evidence = { outcome: "passed", command: null, sha256: lineage.state.evidence_hash };
	}
	draft.already_approved = already;
	const gate = lineage.state.initial_snapshot.kind === "current-changes";
	const validate = ["gentle-ai", "review", "validate", "--cwd", run.options.cwd, "--gate"];
	return finished(draft, "approved", shellCommand([...validate, gate ? "pre-commit" : "post-apply"]));
}

export async function conclude(run: Run, lineage: Lineage, already: boolean): Promise<ReviewRun> {
	const { draft } = run;
	withState(draft, lineage.state);
	switch (lineage.state.state) {
		case "approved":
			return closing(run, lineage, already);
		case "correction_required":
			draft.exits = waysOut(run, lineage);
			return finished(draft, "correction_required", again(run));
		case "escalated":
			draft.exits = waysOut(run, lineage);
			withReceipt(draft, deriveReceipt(lineage.state));
			return finished(draft, "escalated", endCommand(run, lineage));
		default:
			return finished(draft, "incomplete", again(run));
	}
}
