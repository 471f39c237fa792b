// FINALIZE: commits what the plan says in one transaction, then publishes the receipt. Interrupted after the commit, the
// same command with the lineage alone publishes the same bytes.
import {
	isDamaged,
	type Lineage,
	readStore,
	type StoreReader,
	type StoreWriter,
	writeStore,
} from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { finalizeReplayDigest } from "../contract/identities.ts";
import { LIMITS } from "../contract/limits.ts";
import type { FinalizeOutcome } from "../contract/model.ts";
import type { Transition } from "../contract/transition.ts";
import type { ContractName } from "../contract/vocabulary.ts";
import {
	type AuthorityView,
	accountingSentence,
	deriveReceipt,
	type FinalizePlan,
	type FinalizeRequest,
	isCausallyProven,
	isTerminal,
	nextTransition,
	planFinalize,
} from "../review/index.ts";
import { attemptJson, finalizeAttempt } from "./attempts.ts";
import { afterCommit, isoTime, type Workplace } from "./caller.ts";
import { correctedCandidate } from "./correction.ts";
import { captureHanded, type Handed, requireCaptured } from "./handed.ts";
import { requireLineage } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import { frozenChanges, readCaptured } from "./slots.ts";
import { isStillLive } from "./still-live.ts";
import { viewAuthority } from "./view.ts";

export type FinalizeCall = FinalizeRequest & {
	readonly contract: ContractName;
	readonly lineage: string | undefined;
	readonly next_transition: boolean;
	readonly handed?: Handed;
};

function chosenLineage(store: StoreReader, asked: string | undefined): Lineage {
	if (asked !== undefined) return requireLineage(store, asked);
	const open = store.openLineages();
	const [only] = open;
	if (only !== undefined && open.length === 1) return requireLineage(store, only);
	const rule = open.length === 0 ? "given, because no review is open here" : "given, because several reviews are open";
	const error = invalidInput("--lineage", open.join(","), rule, "Pass --lineage with the id that STATUS prints");
	throw new ReviewError(error.code, { ...error.detail, requiredInputs: ["lineage_id"] });
}

async function targetUnchanged(place: Workplace, { state }: Lineage): Promise<boolean> {
	if (state.risk_level !== "low" || isTerminal(state.state)) return true;
	return isStillLive(place, state.initial_snapshot);
}

/** A plan, and the request as it is kept with what it commits. */
type Planned = { readonly plan: FinalizePlan; readonly attempt: string };

async function planFor(place: Workplace, store: StoreReader, lineage: Lineage, call: FinalizeCall): Promise<Planned> {
	const { state, revision } = lineage;
	const reviewing = state.state === "reviewing" && state.selected_lenses.length > 0;
	const captured = reviewing
		? await readCaptured(place, store, lineage, await frozenChanges(place, lineage))
		: undefined;
	if (call.handed !== undefined && call.handed.artifacts.length > 0) {
		const artifacts = captured?.slots.map((slot) => (slot.status === "captured" ? slot.artifact : undefined));
		requireCaptured(place.repository.commonDir, lineage, call.handed, artifacts ?? []);
	}
	const corrected = await correctedCandidate(place, lineage);
	const verified = corrected?.fix ?? state.current_snapshot;
	const evidence = store.evidence(lineage.lineage_id, revision, verified.identity);
	if (evidence === "invalid") {
		throw invalidInput("--captured-evidence", "", "intact: its record or payload no longer verifies", "Run STATUS");
	}
	const plan = planFinalize(
		{
			state,
			results: captured?.results ?? [],
			evidence: evidence?.record,
			correction: corrected,
			risk_reasons: lineage.frozen.risk_reasons,
			target_unchanged: await targetUnchanged(place, lineage),
			proves: (location, disposition) =>
				captured !== undefined && isCausallyProven(location, disposition, captured.facts),
		},
		call,
	);
	const results = captured?.results.flatMap((each) => each?.admission.canonical_sha256 ?? []) ?? null;
	return { plan, attempt: attemptJson(finalizeAttempt({ state, revision, request: call, results, evidence })) };
}

function publish(store: StoreWriter, lineage: Lineage): void {
	if (lineage.receipt === undefined) return;
	const requestDigest = finalizeReplayDigest({
		schema: "gentle-ai.review-finalize-replay-request/v1",
		operation: "review/finalize",
		lineage_id: lineage.lineage_id,
		store_revision: lineage.revision,
		receipt: deriveReceipt(lineage.state),
	});
	let published: ReturnType<StoreWriter["publishReceipt"]>;
	try {
		published = store.publishReceipt(lineage);
	} catch (cause) {
		throw new ReviewError(
			"receipt_publication_pending",
			{
				message: "the review is closed, but its receipt could not be published yet",
				lineage: lineage.lineage_id,
				requestDigest,
				next: `Run \`gentle-ai review finalize --lineage ${lineage.lineage_id}\` once the Git folder can be written`,
			},
			{ cause },
		);
	}
	if (published === "conflict") {
		throw new ReviewError("receipt_publication_conflict", {
			message: "the review is closed, but something else is in the place of its receipt",
			lineage: lineage.lineage_id,
			requestDigest,
			next: "A maintainer must look at the receipts folder in the Git common directory and move the foreign file away",
		});
	}
}

/** Lines used, left and allowed, when the correction is what ended the review. */
function escalationSentence({ state }: Lineage): string | undefined {
	const spent = state.correction_attempt?.actual_lines ?? state.correction_forecast;
	if (state.state !== "escalated" || spent === undefined) return undefined;
	const total = state.correction_budget;
	return accountingSentence({ spent, remaining: Math.max(0, total - spent), total });
}

function refusal(plan: Extract<FinalizePlan, { kind: "refused" }>, lineage: Lineage): ReviewError {
	const error = invalidInput(plan.field, plan.value, plan.rule, plan.next);
	return new ReviewError(error.code, { ...error.detail, lineage: lineage.lineage_id });
}

async function reading<Result>(
	place: Workplace,
	read: (store: StoreReader) => Result | Promise<Result>,
): Promise<Result> {
	const reader = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		return await read(reader);
	} finally {
		reader.close();
	}
}

/** The same call, with what it was handed captured. */
async function withCaptures(place: Workplace, call: FinalizeCall): Promise<FinalizeCall> {
	const { handed } = call;
	if (handed === undefined) return call;
	const lineage = await reading(place, (store) => chosenLineage(store, call.lineage));
	return { ...call, lineage: lineage.lineage_id, ...(await captureHanded(place, lineage, handed, call)) };
}

export async function finalize(place: Workplace, call: FinalizeCall): Promise<FinalizeOutcome> {
	const { repository, caller } = place;
	const asked = await withCaptures(place, call);
	const { lineage, plan, attempt } = await reading(place, async (store) => {
		const lineage = chosenLineage(store, asked.lineage);
		return { lineage, ...(await planFor(place, store, lineage, asked)) };
	});
	if (plan.kind === "refused") throw refusal(plan, lineage);
	// A closed review may always publish what it decided; everything else needs the switch on.
	if (plan.kind === "advance") requireReviewsOn(place);

	const store = writeStore(repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		if (plan.kind === "advance") {
			const last = plan.steps.at(-1);
			const receipt = last === undefined ? undefined : deriveReceipt(last.state);
			store.advance(lineage.lineage_id, lineage.revision, plan.steps, receipt, isoTime(caller), attempt);
		}
		return await afterCommit(() => answer(place, store, lineage.lineage_id, call));
	} finally {
		store.close();
	}
}

async function answer(place: Workplace, store: StoreWriter, id: string, call: FinalizeCall): Promise<FinalizeOutcome> {
	const lineage = store.lineage(id);
	if (lineage === undefined || isDamaged(lineage)) {
		throw new ReviewError("operation_outcome_unknown", {
			message: "the review could not be read back",
			next: "Run STATUS",
		});
	}
	publish(store, lineage);
	const escalation = escalationSentence(lineage);
	const authority = await viewAuthority(place, store, lineage, () => frozenChanges(place, lineage));
	const transition = call.next_transition ? transitionOf(lineage, authority, call.contract) : undefined;
	return {
		lineage_id: lineage.lineage_id,
		state: lineage.state.state,
		revision: lineage.revision,
		...(escalation !== undefined && { escalation }),
		...(transition !== undefined && { transition }),
		...(authority.correction !== undefined && { validation_request: authority.correction.request }),
	};
}

function transitionOf(lineage: Lineage, authority: AuthorityView, contract: ContractName): Transition {
	return nextTransition(
		{ applicability: "current_target", live: lineage.state.current_snapshot, authority },
		{ contract, gate: "pre-commit", selector: false },
	);
}
