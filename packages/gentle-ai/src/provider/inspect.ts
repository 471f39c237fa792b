// INSPECT-AUTHORITY: what the store of this repository holds and how its reviews continue each other, up to a bound. It
// changes nothing, names no path but the repository's own, and says which ways out each doubtful review has.
import { isDamaged, type Lineage, type LineageRow, readStore, type StoreReader } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { STATES } from "../contract/vocabulary.ts";
import { isTerminal } from "../review/index.ts";
import type { Workplace } from "./caller.ts";

type Edge = {
	readonly predecessor_lineage_id: string;
	readonly predecessor_revision: string;
	readonly successor_lineage_id: string;
	readonly disposition: string;
	readonly predecessor: "living" | "ended" | "missing";
};
type Diagnostic = { readonly lineage_id?: string; readonly code: string; readonly problem: string };
type Exit = { readonly lineage_id?: string; readonly operation: string; readonly command: string };

export type AuthorityInspection = {
	readonly schema: "gentle-ai.review-authority-inspection/v1";
	readonly operation: "review/inspect-authority";
	readonly repository_root: string;
	/** Everything was looked at. */
	readonly complete: boolean;
	/** Nothing that was looked at is in doubt. */
	readonly valid: boolean;
	readonly totals: Readonly<Record<string, number>>;
	readonly edges: readonly Edge[];
	readonly entry_diagnostics: readonly Diagnostic[];
	readonly sanctioned_exits: readonly Exit[];
};

function totalsOf(store: StoreReader, rows: readonly LineageRow[]): Record<string, number> {
	const { lineages, ended, declined } = store.counts();
	const of = (state: string) => rows.filter((row) => !isDamaged(row) && row.state.state === state).length;
	return {
		lineages,
		...Object.fromEntries(STATES.map((state) => [state, of(state)])),
		damaged: rows.filter(isDamaged).length,
		ended,
		declined,
	};
}

function edgeOf(store: StoreReader, { lineage_id, state }: Lineage): Edge[] {
	const { recovery } = state;
	if (recovery === undefined) return [];
	const { predecessor_lineage_id, predecessor_revision, disposition } = recovery;
	const living = store.storedRevision(predecessor_lineage_id) !== undefined;
	const ended = store.ending(predecessor_lineage_id) !== undefined;
	const predecessor = living ? "living" : ended ? "ended" : "missing";
	return [{ predecessor_lineage_id, predecessor_revision, successor_lineage_id: lineage_id, disposition, predecessor }];
}

/** What does not fit together; a damaged record says nothing more than that. */
function diagnose(store: StoreReader, row: LineageRow, edges: readonly Edge[]): Diagnostic[] {
	const { lineage_id } = row;
	if (isDamaged(row)) return [{ lineage_id, code: "record_damaged", problem: "this record does not hold together" }];
	return edges.flatMap((edge) => {
		if (edge.successor_lineage_id !== lineage_id) return [];
		if (edge.predecessor === "missing") {
			return [{ lineage_id, code: "predecessor_missing", problem: "the review that it continues is not kept" }];
		}
		const before = store.lineage(edge.predecessor_lineage_id);
		if (before === undefined || isDamaged(before)) return [];
		if (before.revision !== edge.predecessor_revision) {
			return [
				{ lineage_id, code: "predecessor_moved", problem: "the review that it continues is at another revision" },
			];
		}
		if (before.state.generation + 1 === row.state.generation) return [];
		return [
			{ lineage_id, code: "generation_mismatch", problem: "its generation does not follow that of its predecessor" },
		];
	});
}

function exitOf(row: LineageRow): Exit[] {
	const { lineage_id } = row;
	const end = `gentle-ai review end --lineage ${lineage_id}`;
	if (isDamaged(row)) {
		return [{ lineage_id, operation: "review.end", command: `${end} --damaged --reason '<reason>'` }];
	}
	if (isTerminal(row.state.state)) return [];
	const command = `${end} --expected-revision ${row.revision} --reason '<reason>'`;
	return [{ lineage_id, operation: "review.end", command }];
}

const UNREADABLE = {
	complete: false,
	valid: false,
	totals: {},
	edges: [],
	entry_diagnostics: [{ code: "store_unreadable", problem: "the review store cannot be read" }],
	sanctioned_exits: [{ operation: "review.end", command: "gentle-ai review end --store --reason '<reason>'" }],
} as const;

function inspect(store: StoreReader): Omit<AuthorityInspection, "schema" | "operation" | "repository_root"> {
	const found = store.listing(LIMITS.listedReviews + 1);
	const rows = found.slice(0, LIMITS.listedReviews);
	const edges = rows.flatMap((row) => (isDamaged(row) ? [] : edgeOf(store, row)));
	const diagnostics = rows.flatMap((row) => diagnose(store, row, edges));
	return {
		complete: found.length === rows.length,
		valid: diagnostics.length === 0,
		totals: totalsOf(store, rows),
		edges,
		entry_diagnostics: diagnostics,
		sanctioned_exits: rows.flatMap(exitOf),
	};
}

function unlessUnreadable(commonDir: string) {
	try {
		const store = readStore(commonDir, LIMITS.startLockWaitMs);
		try {
			return inspect(store);
		} finally {
			store.close();
		}
	} catch (error) {
		if (error instanceof ReviewError && error.code === "authority_corrupted") return UNREADABLE;
		throw error;
	}
}

export async function inspectAuthority({ repository }: Workplace): Promise<AuthorityInspection> {
	return {
		schema: "gentle-ai.review-authority-inspection/v1",
		operation: "review/inspect-authority",
		repository_root: repository.root,
		...unlessUnreadable(repository.commonDir),
	};
}
