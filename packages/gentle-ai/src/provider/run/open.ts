// The first phase: finds the review of these bytes, or freezes them, asks for consent and opens one.
import { type Lineage, readStore } from "../../authority/index.ts";
import { ReviewError } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { RiskReason } from "../../contract/state.ts";
import type { Lens, RecoveryDisposition, ShortLens } from "../../contract/vocabulary.ts";
import { hiddenPaths } from "../../git/index.ts";
import { reasonPhrase, selectLenses } from "../../review/index.ts";
import { LONG_MS, type Workplace, withRepository } from "../caller.ts";
import { claimTarget, type Match } from "../claims.ts";
import { damagedLineage } from "../lookup.ts";
import { requireReviewsOn } from "../mode.ts";
import { createLineage, type Frozen, judgeTarget } from "../new-lineage.ts";
import { continueReview } from "../recover.ts";
import { declineTarget } from "../start.ts";
import { freezeTarget, type LiveTarget } from "../target.ts";
import { addNotes, again, Ended, noteHidden, type Run, timed } from "./context.ts";
import { finished, withState } from "./document.ts";

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
	| { readonly kind: "fresh"; readonly frozen: Frozen; readonly continues?: Predecessor };

/** A review of earlier bytes of this change: closed, and its candidate has moved on. */
type Predecessor = { readonly lineage: Lineage; readonly disposition: RecoveryDisposition };

function noteTarget(run: Run, target: LiveTarget): void {
	const { draft } = run;
	draft.target_identity = target.snapshot.identity;
	draft.base_tree = target.snapshot.base_tree;
	draft.candidate_tree = target.snapshot.candidate_tree;
	draft.changed_files = target.snapshot.paths.length;
	if (target.nested.length > 0) {
		addNotes(run, `repositories inside the work tree are not part of the review: ${target.nested.join(", ")}`);
	}
}

/** Bytes that a filter of the user's wrote are reviewed as such. */
function noteFilters(run: Run, filters: Frozen["filters"]): void {
	if (filters.length === 0) return;
	const shown = filters.slice(0, 3).map(({ path, filter }) => `${path} (${filter})`);
	const more = filters.length > shown.length ? ` and ${filters.length - shown.length} more` : "";
	addNotes(run, `frozen through a filter of Git: ${shown.join(", ")}${more}`);
}

async function open(run: Run, place: Workplace): Promise<Opened> {
	run.root = place.repository.root;
	const target = await freezeTarget(place, run.options.selector);
	noteTarget(run, target);
	if (run.options.selector.kind !== "base-diff") {
		// What Git was told not to look at is in no candidate of the work tree, and its author may not know (A2).
		noteHidden(run, await hiddenPaths(place.session, place.repository));
	}
	const match = claimed(place, target);
	if (match.kind === "damaged") throw damagedLineage(match.id);
	if (match.kind === "several") {
		throw new ReviewError("invalid_request", {
			message: `several reviews are about these bytes: ${match.ids.join(", ")}`,
			next: "End all but one with `gentle-ai review end`, then run the review again",
		});
	}
	if (match.kind === "one" && match.relation.kind !== "recoverable") {
		return { kind: "existing", lineage: match.lineage };
	}
	if (target.snapshot.base_tree === target.snapshot.candidate_tree) {
		throw new Ended(finished(run.draft, "nothing_to_review", await lastCommitCommand(run, place)));
	}
	requireReviewsOn(place);
	const frozen = await judgeTarget(place, target);
	noteFilters(run, frozen.filters);
	return match.kind === "one" && match.relation.kind === "recoverable"
		? { kind: "fresh", frozen, continues: { lineage: match.lineage, disposition: match.relation.disposition } }
		: { kind: "fresh", frozen };
}

function claimed(place: Workplace, target: LiveTarget): Match {
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		return claimTarget(store, target.snapshot);
	} finally {
		store.close();
	}
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
async function begin(
	run: Run,
	place: Workplace,
	{ frozen, continues }: Extract<Opened, { kind: "fresh" }>,
	lenses: readonly Lens[],
): Promise<Lineage> {
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
			await declineTarget(place, target);
			throw new Ended(finished(draft, "declined", again(run)));
		}
	}
	if (continues !== undefined) return succeed(place, frozen, continues, options.focus);
	return (await createLineage(place, frozen, { lineage: undefined, focus: options.focus, policy: undefined })).lineage;
}

/** The person who runs this and consents to the review is the maintainer who lets it continue the earlier one. */
async function succeed(
	place: Workplace,
	frozen: Frozen,
	{ lineage, disposition }: Predecessor,
	focus: ShortLens,
): Promise<Lineage> {
	return continueReview(place, frozen, lineage, {
		disposition,
		focus,
		actor: place.caller.environment.USER ?? place.caller.environment.USERNAME ?? "unknown",
		reason: "the candidate was changed and is reviewed again",
	});
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

export async function freshLineage(run: Run): Promise<Lineage> {
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
			const lineage = await begin(run, place, opened, lenses);
			withState(run.draft, lineage.state);
			run.options.onEvent({ type: "lineage", id: lineage.lineage_id, resumed: false });
			return lineage;
		},
		LONG_MS,
	);
}
