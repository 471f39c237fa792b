// The reviews that a repository keeps, all at once and up to a bound; damaged ones are named, never hidden.
import { isDamaged, type LineageRow, readStore, storePath } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { AuthorityListing } from "../contract/model.ts";
import type { Workplace } from "./caller.ts";

function entry(row: LineageRow): AuthorityListing["reviews"][number] {
	const { lineage_id } = row;
	if (isDamaged(row)) return { lineage_id, problem: "this record does not hold together" };
	const { state, revision } = row;
	return {
		lineage_id,
		state: state.state,
		revision,
		snapshot_identity: state.current_snapshot.identity,
		...(state.recovery !== undefined && { recovery: state.recovery }),
	};
}

function rowsOf(commonDir: string): LineageRow[] | "unreadable" {
	try {
		const store = readStore(commonDir, LIMITS.startLockWaitMs);
		try {
			return store.listing(LIMITS.listedReviews + 1);
		} finally {
			store.close();
		}
	} catch (error) {
		if (error instanceof ReviewError && error.code === "authority_corrupted") return "unreadable";
		throw error;
	}
}

export async function listAuthority({ repository }: Workplace): Promise<AuthorityListing> {
	const rows = rowsOf(repository.commonDir);
	const known = rows === "unreadable" ? [] : rows;
	return {
		repository: repository.root,
		store: storePath(repository.commonDir),
		reviews: known.slice(0, LIMITS.listedReviews).map(entry),
		truncated: known.length > LIMITS.listedReviews,
		unreadable: rows === "unreadable",
	};
}
