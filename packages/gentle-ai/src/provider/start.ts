// START: freezes one candidate, decides its risk, and creates the one lineage that reviews it. Nothing durable exists
// before the consent is there and the target was seen unchanged a second time.
import {
	isDamaged,
	type Lineage,
	type LineageRow,
	readStore,
	type StoreReader,
	writeStore,
} from "../authority/index.ts";
import { declineReference, sha256 } from "../contract/canonical.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import type { ConsentQuestion, DeclinedOutcome, StartOutcome } from "../contract/model.ts";
import {
	type ConsentDeclaration,
	type ContractName,
	LIMITS,
	type Locale,
	type ShortLens,
} from "../contract/vocabulary.ts";
import { stagePack } from "../git/index.ts";
import {
	beginLineage,
	correctionBudget,
	type RiskAssessment,
	reasonPhrase,
	relate,
	type Succession,
	selectLenses,
} from "../review/index.ts";
import { assessTarget } from "./assess.ts";
import { afterCommit, isoTime, type Workplace } from "./caller.ts";
import { claimTarget } from "./claims.ts";
import { freeLineageId } from "./lineage-id.ts";
import { damagedLineage } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import { sweepPacks } from "./packs.ts";
import { BUILT_IN_POLICY } from "./policy.ts";
import { lineageDiff, startOutcome, targetDiff } from "./start-outcome.ts";
import { type FrozenTarget, freezeTarget, type LiveTarget, type Selector } from "./target.ts";

export type StartRequest = {
	/** Undefined for a caller that named none. */
	readonly contract: ContractName | undefined;
	readonly selector: Selector;
	/** The identity that the caller saw; a different live one is refused. */
	readonly target: string | undefined;
	readonly lineage: string | undefined;
	readonly focus: ShortLens;
	/** Bytes of the caller's policy; the built-in text when absent. */
	readonly policy: Uint8Array | undefined;
	readonly consent: ConsentDeclaration | undefined;
	readonly locale: Locale;
	/** The words of this very request without its consent, for the invocations of the question. */
	readonly invocation: readonly string[];
};

export type StartAnswer =
	| { readonly kind: "started"; readonly outcome: StartOutcome }
	| { readonly kind: "consent"; readonly question: ConsentQuestion }
	| { readonly kind: "declined"; readonly outcome: DeclinedOutcome };

function phrases(risk: RiskAssessment, locale: Locale): string[] {
	return risk.reasons.flatMap((reason) => reasonPhrase(reason, locale) ?? []);
}

function requireCandidate(target: LiveTarget): void {
	if (target.snapshot.base_tree !== target.snapshot.candidate_tree) return;
	// Before the first commit no other base can be named: only staging something makes a staged candidate.
	const unfilled = target.unborn_head && target.snapshot.projection === "staged";
	throw new ReviewError("empty_candidate_scope", {
		message: "there is nothing to review: the candidate equals its base",
		next: unfilled
			? "Stage what is to be reviewed with `git add`"
			: "Change something, or name the commit to compare with: --base-ref <commit> --committed-only",
	});
}

/** The outcome of a lineage that exists already for this target. */
function existingAction(lineage: Lineage, target: LiveTarget): StartOutcome["action"] {
	const relation = relate(lineage.state, target.snapshot);
	if (relation.kind === "correction") return "resumed";
	if (relation.kind !== "same") return "blocked-scope-action";
	switch (lineage.state.state) {
		case "reviewing":
		case "correction_required":
		case "validating":
			return "resumed";
		case "approved":
			return lineage.receipt === undefined ? "blocked-scope-action" : "reuse-receipt";
		default:
			return "blocked-scope-action";
	}
}

/** The lineage that answers for this target, looked for under the write lock. A damaged one may be it. */
function answering(store: StoreReader, target: LiveTarget): LineageRow | undefined {
	const match = claimTarget(store, target.snapshot);
	switch (match.kind) {
		case "none":
			return undefined;
		case "one":
			return match.lineage;
		case "several":
			return match.ids[0] === undefined ? undefined : store.lineage(match.ids[0]);
		case "damaged":
			return store.lineage(match.id);
	}
}

export type Frozen = { readonly target: FrozenTarget; readonly risk: RiskAssessment };

/** Everything that START decides before it may write. */
async function freezeAndAssess(place: Workplace, selector: Selector): Promise<Frozen> {
	const target = await freezeTarget(place, selector);
	requireCandidate(target);
	return { target, risk: await assessTarget(place, target) };
}

export type NewLineageOptions = {
	readonly lineage: string | undefined;
	readonly focus: ShortLens;
	readonly policy: Uint8Array | undefined;
	/** A recovered lineage continues another one. */
	readonly succeeds?: Succession;
	/** Who answers for the target already, where that is another question than for a fresh START. */
	readonly answering?: (store: StoreReader) => LineageRow | undefined;
};

/** Creates the lineage of a frozen target, or finds the one that exists; all under one write lock. */
export async function createLineage(
	place: Workplace,
	frozen: Frozen,
	options: NewLineageOptions,
): Promise<{ lineage: Lineage; action: StartOutcome["action"] }> {
	const { repository, caller } = place;
	const { target, risk } = frozen;
	// The second look at the repository runs while the rest is prepared. Its failure is told below.
	const secondLook = target.stillHolds();
	secondLook.catch(() => {});
	const reader = readStore(repository.commonDir, LIMITS.startLockWaitMs);
	let id: string;
	try {
		id = options.lineage ?? freeLineageId(reader, target.snapshot.identity);
	} finally {
		reader.close();
	}
	const genesis = {
		lineage_id: id,
		snapshot: target.snapshot,
		policy_hash: sha256(options.policy ?? BUILT_IN_POLICY),
		tier: risk.tier,
		lenses: selectLenses(risk, options.focus),
		changed_lines: risk.changed_lines,
		correction_budget: correctionBudget(risk.changed_lines),
	};
	const state = beginLineage(genesis, options.succeeds);
	const pack = stagePack(repository, await target.pack, id);
	try {
		if (!(await secondLook)) throw staleTarget();
		requireReviewsOn(place);
		const store = writeStore(repository.commonDir, LIMITS.startLockWaitMs);
		try {
			const made = store.create(
				{
					state,
					frozen: { manifest: [...target.manifest], risk_reasons: [...risk.reasons], unborn_head: target.unborn_head },
					lifecycle: "receipt",
					pack_name: pack.name,
				},
				options.answering ?? ((reader) => answering(reader, target)),
				() => pack.install(),
				isoTime(caller),
			);
			if (isDamaged(made.row)) throw damagedLineage(made.row.lineage_id);
			await afterCommit(() => sweepPacks(place, store));
			return { lineage: made.row, action: made.created ? "created" : existingAction(made.row, target) };
		} finally {
			store.close();
		}
	} finally {
		pack.discard();
	}
}

function staleTarget(): ReviewError {
	return new ReviewError("stale_target_identity", {
		message: "the repository changed while the candidate was frozen",
		next: "Run STATUS again and start what it prints",
	});
}

/** Keeps that this exact candidate was declined; the same decline again writes nothing new. */
export async function declineTarget(place: Workplace, target: LiveTarget): Promise<void> {
	if (!(await target.stillHolds())) throw staleTarget();
	requireReviewsOn(place);
	const record = { schema: "gentle-ai.rdd-candidate-decline/v1", snapshot: target.snapshot };
	const store = writeStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		store.decline({ ...record, authorization_ref: declineReference(record) });
	} finally {
		store.close();
	}
}

async function declined(place: Workplace, frozen: Frozen, request: StartRequest): Promise<StartAnswer> {
	const { target, risk } = frozen;
	if (risk.tier === "low") {
		throw invalidInput(
			"--consent",
			"declined",
			"an answer to a question: a low-risk candidate asks none",
			"Leave --consent out",
		);
	}
	await declineTarget(place, target);
	return {
		kind: "declined",
		outcome: {
			risk_level: risk.tier,
			target: target.snapshot,
			changed_lines: risk.changed_lines,
			phrases: phrases(risk, request.locale),
		},
	};
}

export async function start(place: Workplace, request: StartRequest): Promise<StartAnswer> {
	const frozen = await freezeAndAssess(place, request.selector);
	const { target, risk } = frozen;
	if (request.target !== undefined && target.snapshot.identity !== request.target) {
		throw new ReviewError("stale_target_identity", {
			message: "--target is not the identity of the live candidate",
			field: "--target",
			value: request.target,
			rule: "the target_identity that STATUS prints for these bytes and selectors",
			next: "Run STATUS again and start what it prints",
		});
	}
	requireReviewsOn(place);
	if (request.consent === "declined") return declined(place, frozen, request);
	if (request.consent === "relay" && risk.tier !== "low" && !alreadyReviewed(place, target)) {
		return {
			kind: "consent",
			question: {
				target_identity: target.snapshot.identity,
				projection: target.snapshot.projection ?? "workspace",
				risk_level: risk.tier,
				changed_files: target.snapshot.paths.length,
				changed_lines: risk.changed_lines,
				phrases: phrases(risk, request.locale),
				locale: request.locale,
				invocation: request.invocation,
			},
		};
	}
	// What reviewers will be given is made before anything durable exists.
	const patched = request.contract === "gentle-ai.review-integration/v1";
	const diff = patched && risk.tier !== "low" ? await targetDiff(place, target) : undefined;
	const { lineage, action } = await createLineage(place, frozen, request);
	return {
		kind: "started",
		outcome: await afterCommit(async () => ({
			...startOutcome(place, lineage, action),
			...(patched &&
				lineage.state.selected_lenses.length > 0 && {
					candidate_diff: await lineageDiff(place, lineage, target, diff),
				}),
		})),
	};
}

/** A question about a candidate that is under review already would ask nothing. */
function alreadyReviewed(place: Workplace, target: LiveTarget): boolean {
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		return claimTarget(store, target.snapshot).kind !== "none";
	} finally {
		store.close();
	}
}
