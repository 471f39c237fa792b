// The human run: one review from the candidate to the receipt, told as events. It decides nothing that an operation does
// not decide; it only calls them in order, asks the person where the contract asks, and says what to do next.
import { isDamaged, type Lineage, readMode, readStore } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import type { RiskReason } from "../contract/state.ts";
import { shellCommand } from "../contract/tokens.ts";
import { type Lens, LIMITS, type Locale, type ShortLens, type Tier } from "../contract/vocabulary.ts";
import type { ReviewRun, RunFinding } from "../contract/wire/run.ts";
import { hiddenPaths } from "../git/index.ts";
import { artifactSubjects, deriveReceipt, isTerminal, reasonPhrase, selectLenses } from "../review/index.ts";
import type { CandidateView, Reviewer, ReviewerSession } from "../reviewers/reviewer.ts";
import { assessTarget } from "./assess.ts";
import { type Caller, type Workplace, withRepository } from "./caller.ts";
import { candidateView } from "./candidate-view.ts";
import { captureEvidence } from "./capture-evidence.ts";
import { AdmissionError, captureResult } from "./capture-result.ts";
import { finalize } from "./finalize.ts";
import { emptyRun, failedRun, finished, type RunDraft, runFindings, withReceipt, withState } from "./run-document.ts";
import { frozenChanges } from "./slots.ts";
import { createLineage, damagedLineage, disabled, type Frozen, recordDecline } from "./start.ts";
import { matchTarget } from "./status.ts";
import { freezeTarget, type LiveTarget, lookAtTarget, type Selector } from "./target.ts";
import { proposeVerification, runVerification } from "./verification.ts";

export type RunEvent =
	| { readonly type: "candidate"; readonly files: number; readonly lines: number; readonly nested: readonly string[] }
	| {
			readonly type: "risk";
			readonly tier: Tier;
			readonly reasons: readonly RiskReason[];
			readonly lenses: readonly Lens[];
	  }
	| { readonly type: "lineage"; readonly id: string; readonly resumed: boolean }
	| { readonly type: "lens"; readonly lens: Lens; readonly text: string }
	| { readonly type: "lens-done"; readonly lens: Lens; readonly findings: number }
	| { readonly type: "verification"; readonly command: string }
	| { readonly type: "verified"; readonly passed: boolean; readonly ended: string; readonly tail: readonly string[] };

export type ConsentRequest = {
	readonly tier: Exclude<Tier, "low">;
	readonly phrases: readonly string[];
	readonly lenses: readonly Lens[];
};

export type RunOptions = {
	readonly cwd: string;
	readonly selector: Selector;
	readonly focus: ShortLens;
	readonly reviewer: Reviewer;
	/** A command of the person's, `auto` for one that the base tree suggests, or none. */
	readonly verify: { readonly command: string } | "auto" | undefined;
	readonly locale: Locale;
	/** Asks the person; `unavailable` when there is nobody to ask. */
	readonly consent: (request: ConsentRequest) => Promise<"granted" | "declined" | "unavailable">;
	/** Asks whether a suggested command may run. */
	readonly confirmCommand: (command: string) => Promise<boolean>;
	readonly onEvent: (event: RunEvent) => void;
	readonly signal: AbortSignal;
	/** The words that repeat this run, without `--verify`, for the last line. */
	readonly invocation: readonly string[];
};

type Run = { readonly caller: Caller; readonly options: RunOptions; readonly draft: RunDraft; root: string };

/** Ends a run early with its document; never leaves this file. */
class Ended extends Error {
	readonly run: ReviewRun;
	constructor(run: ReviewRun) {
		super(run.state);
		this.run = run;
	}
}

function again(run: Run, ...more: string[]): string {
	return shellCommand([...run.options.invocation, ...more]);
}

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

/** A blocker may be right or wrong; none of these ways makes it an approval. */
function waysOut(run: Run, lineage: Lineage): ReviewRun["exits"] {
	const decline = {
		command: declineCommand(run, lineage),
		meaning:
			"if you will not have these bytes reviewed: the commit gate leaves exactly them to your own policy, unapproved",
	};
	return [
		{
			command: again(run),
			meaning:
				"after you have fixed it: the fixed bytes are reviewed as a new candidate, and the gates accept exactly those",
		},
		{
			command: endCommand(run, lineage),
			meaning: "if the finding is wrong: retires this review with your reason; the gates keep denying these bytes",
		},
		// A review that ended without an approval keeps denying its bytes, so declining them would open nothing.
		...(isTerminal(lineage.state.state) ? [] : [decline]),
	];
}

async function timed<Result>(run: Run, phase: string, work: () => Promise<Result>): Promise<Result> {
	const start = performance.now();
	try {
		return await work();
	} finally {
		run.draft.timings = { ...run.draft.timings, [phase]: Math.round(performance.now() - start) };
	}
}

/** The command that reviews the last commit, whatever its parent is. */
async function lastCommitCommand(run: Run, place: Workplace): Promise<string> {
	const parent = await place.session.freeze(place.repository, ["rev-parse", "--verify", "--quiet", "HEAD~1^{tree}"], {
		accept: [0, 1, 128],
	});
	const base = parent.code === 0 ? "HEAD~1" : place.repository.emptyTree;
	return again(run, "--base-ref", base, "--committed-only");
}

type Opened =
	| { readonly kind: "existing"; readonly lineage: Lineage }
	| { readonly kind: "fresh"; readonly frozen: Frozen };

function noteTarget(run: Run, target: LiveTarget): void {
	const { draft } = run;
	draft.target_identity = target.snapshot.identity;
	draft.base_tree = target.snapshot.base_tree;
	draft.candidate_tree = target.snapshot.candidate_tree;
	draft.changed_files = target.snapshot.paths.length;
	if (target.nested.length > 0) {
		draft.notes = [
			...draft.notes,
			`repositories inside the work tree are not part of the review: ${target.nested.join(", ")}`,
		];
	}
}

function noteHidden(run: Run, hidden: readonly string[]): void {
	if (hidden.length === 0) return;
	const note = `git was told not to look at files that are there: ${hidden.slice(0, 3).join(", ")}`;
	if (!run.draft.notes.includes(note)) run.draft.notes = [...run.draft.notes, note];
}

async function open(run: Run, place: Workplace): Promise<Opened> {
	run.root = place.repository.root;
	const target = await freezeTarget(place, run.options.selector);
	noteTarget(run, target);
	// What Git was told not to look at is in no candidate of the work tree, and its author may not know (A2).
	if (run.options.selector.kind !== "base-diff") noteHidden(run, await hiddenPaths(place.session, place.repository));
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const match = matchTarget(store, target, undefined);
		if (match.kind === "damaged")
			throw damagedTarget(store.lineagesOfTarget(target.snapshot.base_tree, target.snapshot.candidate_tree));
		if (match.kind === "several") {
			throw new ReviewError("invalid_request", {
				message: `several reviews are about these bytes: ${match.ids.join(", ")}`,
				next: "End all but one with `gentle-ai review end`, then run the review again",
			});
		}
		if (match.kind === "one") return { kind: "existing", lineage: match.lineage };
	} finally {
		store.close();
	}
	if (target.snapshot.base_tree === target.snapshot.candidate_tree) {
		throw new Ended(finished(run.draft, "nothing_to_review", await lastCommitCommand(run, place)));
	}
	if (readMode(place.caller.home, place.repository.commonDir).effective === "off") throw disabled();
	return { kind: "fresh", frozen: { target, risk: await assessTarget(place, target) } };
}

function damagedTarget(rows: readonly { lineage_id: string }[]): ReviewError {
	return damagedLineage(rows[0]?.lineage_id ?? "");
}

function phrasesOf(run: Run, reasons: readonly RiskReason[]): string[] {
	return reasons.flatMap((reason) => reasonPhrase(reason, run.options.locale) ?? []);
}

function tellLineage(run: Run, lineage: Lineage, resumed: boolean): void {
	withState(run.draft, lineage.state);
	run.draft.reasons = lineage.frozen.risk_reasons;
	run.options.onEvent({
		type: "candidate",
		files: lineage.state.initial_snapshot.paths.length,
		lines: lineage.state.original_changed_lines,
		nested: [],
	});
	run.options.onEvent({
		type: "risk",
		tier: lineage.state.risk_level,
		reasons: lineage.frozen.risk_reasons,
		lenses: lineage.state.selected_lenses,
	});
	run.options.onEvent({ type: "lineage", id: lineage.lineage_id, resumed });
}

/** Asks where the contract asks, then creates the lineage. Nothing is written before the answer. */
async function begin(run: Run, place: Workplace, frozen: Frozen, lenses: readonly Lens[]): Promise<Lineage> {
	const { risk, target } = frozen;
	const { draft, options } = run;
	draft.changed_lines = risk.changed_lines;
	draft.tier = risk.tier;
	draft.reasons = [...risk.reasons];
	draft.lenses = [...lenses];
	if (risk.tier !== "low") {
		const answer = await options.consent({ tier: risk.tier, phrases: phrasesOf(run, risk.reasons), lenses });
		if (answer === "unavailable") throw consentUnavailable(run);
		if (answer === "declined") {
			recordDecline(place, target);
			throw new Ended(finished(draft, "declined", again(run)));
		}
	}
	return (await createLineage(place, frozen, { lineage: undefined, focus: options.focus, policy: undefined })).lineage;
}

function consentUnavailable(run: Run): ReviewError {
	run.draft.next = again(run, "--yes");
	return new ReviewError("invalid_request", {
		message: "this change needs your consent to be reviewed, and there is no terminal to ask on",
		field: "--yes",
		rule: "given where nobody can be asked",
		next: `Run \`${again(run, "--yes")}\``,
	});
}

async function freshLineage(run: Run): Promise<Lineage> {
	return withRepository(
		run.caller,
		run.options.cwd,
		async (place) => {
			const opened = await timed(run, "freeze", () => open(run, place));
			if (opened.kind === "existing") {
				tellLineage(run, opened.lineage, true);
				return opened.lineage;
			}
			const lenses = selectLenses(opened.frozen.risk, run.options.focus);
			const { target, risk } = opened.frozen;
			run.options.onEvent({
				type: "candidate",
				files: target.snapshot.paths.length,
				lines: risk.changed_lines,
				nested: target.nested,
			});
			run.options.onEvent({ type: "risk", tier: risk.tier, reasons: risk.reasons, lenses });
			if (lenses.length > 0) await run.options.reviewer.prepare(target.manifest);
			const lineage = await begin(run, place, opened.frozen, lenses);
			withState(run.draft, lineage.state);
			run.options.onEvent({ type: "lineage", id: lineage.lineage_id, resumed: false });
			return lineage;
		},
		CONSENT_BUDGET_MS,
	);
}

/** A person may think about the question for as long as they like; Git children keep their own budgets. */
const CONSENT_BUDGET_MS = 24 * 60 * 60 * 1_000;

async function reload(run: Run, id: string): Promise<Lineage> {
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

async function viewOf(run: Run, lineage: Lineage): Promise<CandidateView> {
	const changes = await withRepository(run.caller, run.root, (place) => frozenChanges(place, lineage));
	return candidateView(run.caller, run.root, lineage, changes);
}

async function openSlots(run: Run, lineage: Lineage): Promise<ReadonlySet<number>> {
	return withRepository(run.caller, run.root, async (place) => {
		const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
		try {
			const orders = lineage.state.selected_lenses.map((_, order) => order);
			return new Set(orders.filter((order) => store.slot(lineage.lineage_id, order) === undefined));
		} finally {
			store.close();
		}
	});
}

async function answerSlots(run: Run, lineage: Lineage, session: ReviewerSession): Promise<void> {
	const { options, caller } = run;
	const open = await openSlots(run, lineage);
	const subjects = artifactSubjects(lineage.state, lineage.frozen.manifest);
	const consolidated = subjects.length === 1;
	const answers = subjects
		.filter(({ selected_order }) => open.has(selected_order))
		.map(async (subject) => {
			const { lens, selected_order, subject_hash } = subject;
			const tell = ({ text }: { text: string }) => options.onEvent({ type: "lens", lens, text });
			const answer = await session.answer({ lens, selected_order, subject_hash, consolidated }, tell, options.signal);
			return { subject, answer };
		});
	// The reviewers work side by side; their answers are captured one by one, because one writer at a time is the rule.
	for (const pending of await Promise.all(answers)) {
		const { lens, selected_order, subject_hash } = pending.subject;
		const raw = Buffer.from(pending.answer);
		await withRepository(caller, run.root, (place) =>
			captureResult(
				place,
				{
					lineage: lineage.lineage_id,
					target: lineage.state.initial_snapshot.identity,
					lens,
					order: selected_order,
					expected_revision: lineage.revision,
					subject_hash,
					opaque: true,
				},
				raw,
			),
		);
		options.onEvent({ type: "lens-done", lens, findings: countFindings(pending.answer) });
	}
}

function countFindings(answer: string): number {
	const value: unknown = JSON.parse(answer);
	const findings = typeof value === "object" && value !== null && "findings" in value ? value.findings : [];
	return Array.isArray(findings) ? findings.length : 0;
}

const FINALIZE = {
	contract: "gentle-ai.review-integration/v2",
	captured_results: false,
	captured_evidence: false,
	failed: undefined,
	correction_lines: undefined,
	refuter: undefined,
	next_transition: false,
} as const;

async function review(run: Run, lineage: Lineage): Promise<Lineage> {
	if (lineage.state.state !== "reviewing") return lineage;
	const { options, draft } = run;
	const reviewed = lineage.state.selected_lenses.length > 0;
	if (reviewed) {
		draft.reviewer = options.reviewer.name;
		const session = options.reviewer.open(await viewOf(run, lineage));
		await timed(run, "review", () => answerSlots(run, lineage, session));
		draft.notes = [...draft.notes, ...session.notes()];
	}
	await timed(run, "finalize", () =>
		withRepository(run.caller, run.root, (place) =>
			finalize(place, { ...FINALIZE, lineage: lineage.lineage_id, captured_results: reviewed }),
		),
	);
	return reload(run, lineage.lineage_id);
}

async function tellFindings(run: Run, lineage: Lineage): Promise<readonly RunFinding[]> {
	const { lens_results, findings } = lineage.state;
	if (findings.length === 0) return [];
	const results = lens_results.map(({ lens }) => ({
		lens,
		findings: findings.filter((finding) => `review-${finding.lens}` === lens),
	}));
	return runFindings(await viewOf(run, lineage), results);
}

async function verificationCommand(run: Run, lineage: Lineage): Promise<string | undefined> {
	const { verify, confirmCommand } = run.options;
	if (verify === undefined) return undefined;
	if (verify !== "auto") return verify.command;
	const proposed = await withRepository(run.caller, run.root, (place) =>
		proposeVerification(place, lineage.state.initial_snapshot.base_tree),
	);
	if (proposed === undefined) {
		run.draft.notes = [...run.draft.notes, "no test command is recognised in the base tree"];
		return undefined;
	}
	return (await confirmCommand(proposed)) ? proposed : undefined;
}

/** Is the live work tree exactly the candidate? Only then does running something in it say anything about it. */
async function worktreeIsCandidate(run: Run, lineage: Lineage): Promise<boolean> {
	const { live, hidden } = await withRepository(run.caller, run.root, async (place) => ({
		live: await lookAtTarget(place, { kind: "current-changes", projection: "workspace" }),
		hidden: await hiddenPaths(place.session, place.repository),
	}));
	if (hidden.length > 0) {
		noteHidden(run, hidden);
		return false;
	}
	return live.snapshot.candidate_tree === lineage.state.current_snapshot.candidate_tree;
}

async function verify(run: Run, lineage: Lineage): Promise<Lineage> {
	if (lineage.state.state !== "validating") return lineage;
	const { options, draft } = run;
	const command = await verificationCommand(run, lineage);
	if (command === undefined) {
		throw new Ended(finished(draft, "verification_required", again(run, "--verify", "<your test command>")));
	}
	const required = (note: string) => {
		draft.notes = [...draft.notes, note];
		return new Ended(finished(draft, "verification_required", again(run, "--verify", command)));
	};
	if (!(await worktreeIsCandidate(run, lineage))) {
		throw required(
			"the work tree is not exactly the reviewed candidate, so a command run in it would prove nothing about it",
		);
	}
	options.onEvent({ type: "verification", command });
	const result = await timed(run, "verify", () =>
		runVerification(command, run.root, run.caller.environment, options.signal),
	);
	options.onEvent({ type: "verified", passed: result.passed, ended: result.ended, tail: result.tail });
	if (!result.passed) {
		draft.notes = [...draft.notes, `the verification ended with ${result.ended}; nothing was recorded`];
		throw new Ended(finished(draft, "verification_failed", again(run, "--verify", command)));
	}
	if (!(await worktreeIsCandidate(run, lineage))) {
		throw required(
			"the verification changed files that Git sees, so it did not verify the candidate that was reviewed",
		);
	}
	await recordEvidence(run, lineage, result.transcript);
	const done = await reload(run, lineage.lineage_id);
	if (done.state.evidence_hash !== undefined) {
		draft.evidence = { outcome: "passed", command, sha256: done.state.evidence_hash };
	}
	return done;
}

async function recordEvidence(run: Run, lineage: Lineage, transcript: Buffer): Promise<void> {
	await timed(run, "record", () =>
		withRepository(run.caller, run.root, async (place) => {
			captureEvidence(
				place,
				{
					lineage: lineage.lineage_id,
					target: lineage.state.current_snapshot.identity,
					expected_revision: lineage.revision,
					outcome: "passed",
				},
				transcript,
			);
			await finalize(place, { ...FINALIZE, lineage: lineage.lineage_id, captured_evidence: true });
		}),
	);
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
	if (draft.evidence === null && lineage.state.evidence_hash !== undefined) {
		draft.evidence = { outcome: "passed", command: null, sha256: lineage.state.evidence_hash };
	}
	draft.already_approved = already;
	const gate = lineage.state.initial_snapshot.kind === "current-changes";
	const validate = ["gentle-ai", "review", "validate", "--cwd", run.options.cwd, "--gate"];
	return finished(draft, "approved", shellCommand([...validate, gate ? "pre-commit" : "post-apply"]));
}

async function conclude(run: Run, lineage: Lineage, already: boolean): Promise<ReviewRun> {
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
		const verified = await verify(run, reviewed);
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
