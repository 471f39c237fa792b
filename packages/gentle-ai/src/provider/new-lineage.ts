// A new lineage: what is frozen and judged before anything may be written, and its creation under one write lock.
import {
	isDamaged,
	type Lineage,
	type LineageRow,
	readStore,
	type StoreReader,
	writeStore,
} from "../authority/index.ts";
import { sha256 } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { StartOutcome } from "../contract/model.ts";
import type { FrozenFacts } from "../contract/state.ts";
import type { ShortLens } from "../contract/vocabulary.ts";
import { filteredPaths, stagePack } from "../git/index.ts";
import {
	beginLineage,
	correctionBudget,
	type RiskAssessment,
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
import type { FrozenTarget, LiveTarget } from "./target.ts";

export type Frozen = {
	readonly target: FrozenTarget;
	readonly risk: RiskAssessment;
	/** Changed paths that Git froze through a filter of the user's; a committed range was filtered by whoever committed it. */
	readonly filters: NonNullable<FrozenFacts["filters"]>;
};

/** Everything that is decided about a target before anybody may write. */
export async function judgeTarget(place: Workplace, target: FrozenTarget): Promise<Frozen> {
	const paths = target.snapshot.kind === "base-diff" ? [] : target.snapshot.paths;
	const [risk, filters] = await Promise.all([
		assessTarget(place, target),
		filteredPaths(place.session, place.repository, paths),
	]);
	return { target, risk, filters };
}

function frozenFacts({ target, risk, filters }: Frozen): FrozenFacts {
	return {
		manifest: [...target.manifest],
		risk_reasons: [...risk.reasons],
		unborn_head: target.unborn_head,
		...(filters.length > 0 && { filters: [...filters] }),
	};
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
					frozen: frozenFacts(frozen),
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

export function staleTarget(): ReviewError {
	return new ReviewError("stale_target_identity", {
		message: "the repository changed while the candidate was frozen",
		next: "Run STATUS again and start what it prints",
	});
}
