// LIST: every review that a repository keeps, the latest first, with what its keeper can do next. It looks at no work
// tree: which of them the live candidate belongs to is the question of STATUS.
import { type DatedRow, isDamaged, readStore } from "../authority/index.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Snapshot } from "../contract/state.ts";
import type { State, Tier } from "../contract/vocabulary.ts";
import type { Workplace } from "./caller.ts";

export type ListedReview = {
	readonly lineage_id: string;
	readonly state: State | "damaged";
	readonly tier?: Tier;
	readonly target?: string;
	readonly updated_at: string;
	readonly age_seconds: number;
	readonly next: string;
};

export type Overview = {
	readonly schema: "gentle-ai.review-list/v1";
	readonly complete: boolean;
	readonly reviews: readonly ListedReview[];
};

function targetOf(snapshot: Snapshot): string {
	const { kind, projection = "workspace", base_tree, candidate_tree, paths } = snapshot;
	const what = kind === "base-diff" ? "commits" : kind === "current-changes" ? projection : `${projection} since`;
	const count = `${paths.length} path${paths.length === 1 ? "" : "s"}`;
	return `${what} ${base_tree.slice(0, 7)}..${candidate_tree.slice(0, 7)}, ${count}`;
}

const NEXT: Readonly<Record<State, string>> = {
	reviewing: "run `gentle-ai review` on its candidate, or retire it with `gentle-ai review end`",
	correction_required: "correct the candidate and run `gentle-ai review`, or retire it with `gentle-ai review end`",
	validating: "verify its candidate with `gentle-ai review --verify <command>`",
	approved: "nothing; `gentle-ai review validate --gate pre-commit` asks for its receipt",
	escalated: "a maintainer decides; STATUS on its candidate prints what is possible",
	invalidated: "a maintainer may let another review take it up; STATUS on its candidate prints how",
};

function listed({ row, updated_at }: DatedRow, now: Date, successor: string | undefined): ListedReview {
	const { lineage_id } = row;
	const age_seconds = Math.max(0, Math.round((now.getTime() - Date.parse(updated_at)) / 1000)) || 0;
	if (isDamaged(row)) {
		const next = `retire it with \`gentle-ai review end --lineage ${lineage_id} --damaged --reason <text>\``;
		return { lineage_id, state: "damaged", updated_at, age_seconds, next };
	}
	const { state } = row;
	return {
		lineage_id,
		state: state.state,
		tier: state.risk_level,
		target: targetOf(state.current_snapshot),
		updated_at,
		age_seconds,
		next: successor === undefined ? NEXT[state.state] : `nothing; ${successor} continues it`,
	};
}

export async function listReviews({ repository, caller }: Workplace): Promise<Overview> {
	const store = readStore(repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const rows = store.datedListing(LIMITS.listedReviews + 1);
		const now = caller.now();
		return {
			schema: "gentle-ai.review-list/v1",
			complete: rows.length <= LIMITS.listedReviews,
			reviews: rows
				.slice(0, LIMITS.listedReviews)
				.map((dated) => listed(dated, now, store.successorOf(dated.row.lineage_id)?.lineage_id)),
		};
	} finally {
		store.close();
	}
}
