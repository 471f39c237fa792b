// Which lineage answers for the live target. Exact key columns decide; a stranger, damaged or not, is never looked at.
import { isDamaged, type Lineage, type LineageRow, type StoreReader } from "../authority/index.ts";
import type { Snapshot } from "../contract/state.ts";
import { claim, type Relation, relate } from "../review/index.ts";

export type Match =
	| { readonly kind: "none" }
	| { readonly kind: "one"; readonly lineage: Lineage; readonly relation: Exclude<Relation, { kind: "unrelated" }> }
	| { readonly kind: "several"; readonly ids: readonly string[] }
	/** A record that cannot be read, but whose keys name exactly this target: nobody guesses what it says. */
	| { readonly kind: "damaged"; readonly id: string };

function claimants(store: StoreReader, live: Snapshot, asked: string | undefined): LineageRow[] {
	const exact = store.lineagesOfTarget(live.base_tree, live.candidate_tree);
	const near = store.lineagesNear(live.base_tree, live.paths_digest).filter((row) => !isDamaged(row));
	const rows = new Map([...exact, ...near].map((row) => [row.lineage_id, row]));
	return [...rows.values()].filter((row) => asked === undefined || row.lineage_id === asked);
}

/** With `asked`, only that lineage may answer. */
export function claimTarget(store: StoreReader, live: Snapshot, asked?: string): Match {
	const rows = claimants(store, live, asked);
	const damaged = rows.find(isDamaged);
	if (damaged !== undefined) return { kind: "damaged", id: damaged.lineage_id };
	const lineages = rows.filter((row): row is Lineage => !isDamaged(row));
	const claimed = claim(lineages.map((row) => ({ lineage: row.lineage_id, relation: relate(row.state, live) })));
	if (claimed.kind === "several") return { kind: "several", ids: claimed.lineages };
	const lineage =
		claimed.kind === "one" ? lineages.find(({ lineage_id }) => lineage_id === claimed.lineage) : undefined;
	if (claimed.kind !== "one" || lineage === undefined) return { kind: "none" };
	return { kind: "one", lineage, relation: claimed.relation };
}
