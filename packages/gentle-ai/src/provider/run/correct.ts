// The phase between review and verification, when blockers are open and the person has changed the candidate: the one
// correction. The validator speaks first, because it costs the person nothing; only what it accepts is recorded.
import type { Lineage } from "../../authority/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { ValidatorResult } from "../../contract/payloads.ts";
import type { ReviewRun } from "../../contract/wire/run.ts";
import { readBlobs } from "../../git/index.ts";
import type { Validation } from "../../reviewers/reviewer.ts";
import { LONG_MS, type Workplace, withRepository } from "../caller.ts";
import { candidateView } from "../candidate-view.ts";
import { type LiveCorrection, liveCorrection } from "../correction.ts";
import { finalize } from "../finalize.ts";
import { waysOut } from "./conclude.ts";
import { addNotes, again, Ended, FINALIZE, type Run, reload, timed } from "./context.ts";
import { finished, withState } from "./document.ts";
import { closeVerified, verifyTree } from "./verify.ts";

type Judged = { readonly correction: LiveCorrection; readonly validation: Validation | undefined };

/** Ends the run with the correction still open: at most its forecast was recorded, and the next run takes it up again. */
function stillOpen(run: Run, lineage: Lineage, ...notes: string[]): Ended {
	addNotes(run, ...notes);
	withState(run.draft, lineage.state);
	run.draft.exits = waysOut(run, lineage, true);
	const document: ReviewRun = finished(run.draft, "correction_required", again(run));
	return new Ended(document);
}

async function validateCorrection(run: Run, place: Workplace, lineage: Lineage, correction: LiveCorrection) {
	const { options } = run;
	const { live } = correction;
	const { session, repository } = place;
	const view = candidateView(live.snapshot, live.manifest, live.changes, (wishes) =>
		readBlobs(session, repository, wishes, LIMITS.binarySniffBytes, live.objects),
	);
	const findings = lineage.state.findings.filter(({ id }) => lineage.state.fix_finding_ids.includes(id));
	const [lens = "review-reliability"] = lineage.state.selected_lenses;
	const tell = ({ text }: { text: string }) => options.onEvent({ type: "lens", lens, text });
	return options.reviewer.validate(view, findings, tell, options.signal);
}

/** The corrected candidate and what the validator says of it; undefined while the bytes are the frozen ones. */
async function judge(run: Run, lineage: Lineage): Promise<Judged | undefined> {
	return withRepository(
		run.caller,
		run.root,
		async (place) => {
			const correction = await liveCorrection(place, lineage);
			if (correction === undefined) return undefined;
			run.options.onEvent({
				type: "correction",
				lines: correction.actual_lines,
				budget: lineage.state.correction_budget,
				findings: lineage.state.fix_finding_ids.length,
			});
			return { correction, validation: await validateCorrection(run, place, lineage, correction) };
		},
		LONG_MS,
	);
}

function requireAccepted(run: Run, lineage: Lineage, { correction, validation }: Judged): Validation {
	const { correction_budget } = lineage.state;
	if (correction.actual_lines > correction_budget) {
		throw stillOpen(
			run,
			lineage,
			`the correction changes ${correction.actual_lines} lines and may change ${correction_budget}: make it smaller, or end this review and let the fixed bytes be reviewed afresh`,
		);
	}
	if (validation === undefined) {
		throw stillOpen(
			run,
			lineage,
			`the reviewer ${run.options.reviewer.name} cannot validate a correction of these findings: whoever found them must, with \`gentle-ai review finalize --captured-evidence --validation <file>\``,
		);
	}
	const failed = [validation.original_criteria, validation.correction_regression].filter(({ passed }) => !passed);
	if (failed.length > 0) throw stillOpen(run, lineage, ...failed.flatMap(({ evidence }) => evidence));
	return validation;
}

async function forecast(run: Run, lineage: Lineage, lines: number): Promise<Lineage> {
	if (lineage.state.correction_forecast !== undefined) return lineage;
	await withRepository(run.caller, run.root, (place) =>
		finalize(place, { ...FINALIZE, lineage: lineage.lineage_id, correction_lines: Math.max(1, lines) }),
	);
	return reload(run, lineage.lineage_id);
}

/** The request binds the revision, so it is asked for again after the forecast; other bytes by then end the run. */
async function boundTo(run: Run, lineage: Lineage, identity: string): Promise<LiveCorrection> {
	const correction = await withRepository(run.caller, run.root, (place) => liveCorrection(place, lineage));
	if (correction?.fix.identity === identity) return correction;
	throw stillOpen(run, lineage, "the candidate changed while its correction was judged");
}

function answerTo({ request }: LiveCorrection, validation: Validation): ValidatorResult {
	const { original_criteria, correction_regression } = validation;
	return {
		targeted_validation_request_hash: request.request_hash,
		correction_target_identity: request.correction_target_identity,
		original_criteria: { passed: original_criteria.passed, evidence: [...original_criteria.evidence] },
		correction_regression: { passed: correction_regression.passed, evidence: [...correction_regression.evidence] },
		follow_ups: [],
	};
}

export async function correct(run: Run, lineage: Lineage): Promise<Lineage> {
	if (lineage.state.state !== "correction_required") return lineage;
	const judged = await timed(run, "validate", () => judge(run, lineage));
	if (judged === undefined) return lineage;
	const validation = requireAccepted(run, lineage, judged);
	const { candidate_tree, identity } = judged.correction.fix;
	const planned = await forecast(run, lineage, judged.correction.actual_lines);
	const verified = await verifyTree(run, planned, candidate_tree);
	const answer = answerTo(await boundTo(run, planned, identity), validation);
	return closeVerified(run, planned, identity, verified, answer);
}
