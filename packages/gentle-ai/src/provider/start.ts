// START: freezes one candidate, decides its risk, and creates the one lineage that reviews it. Nothing durable exists
// before the consent is there and the target was seen unchanged a second time.
import { markTold, readStore, wasToldOnce, writeStore } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { declineReference } from "../contract/handles.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ConsentQuestion, DeclinedOutcome, StartOutcome } from "../contract/model.ts";
import type { ConsentDeclaration, ContractName, Locale, ShortLens } from "../contract/vocabulary.ts";
import { type RiskAssessment, reasonPhrase } from "../review/index.ts";
import { afterCommit, type Workplace } from "./caller.ts";
import { claimTarget } from "./claims.ts";
import { requireReviewsOn } from "./mode.ts";
import { createLineage, type Frozen, judgeTarget, staleTarget } from "./new-lineage.ts";
import { lineageDiff, startOutcome, targetDiff } from "./start-outcome.ts";
import { freezeTarget, type LiveTarget, type Selector } from "./target.ts";

/** The person of this clone is met once: asked before the first review, or, where nobody can be, told that it began. */
export type FirstContact = {
	readonly ask: ((question: ConsentQuestion) => Promise<"granted" | "declined">) | undefined;
	readonly tell: (locale: Locale) => void;
};

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
	/** Who is met when nothing was declared; nobody, when absent. */
	readonly first_contact?: FirstContact;
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

/** Everything that START decides before it may write. */
async function freezeAndJudge(place: Workplace, selector: Selector): Promise<Frozen> {
	const target = await freezeTarget(place, selector);
	requireCandidate(target);
	return judgeTarget(place, target);
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
	const frozen = await freezeAndJudge(place, request.selector);
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
	const question = openQuestion(place, frozen, request);
	if (question !== undefined && request.consent === "relay") return { kind: "consent", question };
	if (question !== undefined && (await askAtTerminal(place, question, request)) === "declined") {
		const answer = await declined(place, frozen, request);
		if (request.contract !== undefined) throw declinedAtTerminal();
		return answer;
	}
	// What reviewers will be given is made before anything durable exists.
	const patched = request.contract === "gentle-ai.review-integration/v1";
	const diff = patched && risk.tier !== "low" ? await targetDiff(place, target) : undefined;
	const { lineage, action } = await createLineage(place, frozen, request);
	if (risk.tier !== "low" && request.consent === undefined) tellOnce(place, request);
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

/** What a person would be asked now. A low-risk, a granted and a reviewed candidate ask nothing; others ask once a clone. */
function openQuestion(place: Workplace, { target, risk }: Frozen, request: StartRequest): ConsentQuestion | undefined {
	if (risk.tier === "low" || request.consent === "granted") return undefined;
	if (request.consent === undefined && wasToldOnce(place.repository.commonDir)) return undefined;
	if (alreadyReviewed(place, target)) return undefined;
	return {
		target_identity: target.snapshot.identity,
		projection: target.snapshot.projection ?? "workspace",
		risk_level: risk.tier,
		changed_files: target.snapshot.paths.length,
		changed_lines: risk.changed_lines,
		phrases: phrases(risk, request.locale),
		locale: request.locale,
		invocation: request.invocation,
	};
}

async function askAtTerminal(
	{ repository }: Workplace,
	question: ConsentQuestion,
	{ first_contact }: StartRequest,
): Promise<"granted" | "declined"> {
	if (first_contact?.ask === undefined) return "granted";
	const answer = await first_contact.ask(question);
	markTold(repository.commonDir);
	return answer;
}

/** Also on the way back to a review that was opened a moment before a crash. */
function tellOnce({ repository }: Workplace, { first_contact, locale }: StartRequest): void {
	if (first_contact === undefined || first_contact.ask !== undefined || wasToldOnce(repository.commonDir)) return;
	first_contact.tell(locale);
	markTold(repository.commonDir);
}

function declinedAtTerminal(): ReviewError {
	return new ReviewError("review_declined", {
		message: "the person at the terminal declined the review of this candidate",
		next: "Nothing was started. Run the same command with --consent granted when the review is wanted after all",
	});
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
