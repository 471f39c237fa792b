// END: takes one review out of the living ones, by its id and without reading its record. Nothing else changes.
import { quarantineStore, readStore, writeStore } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/vocabulary.ts";
import { isoTime, type Workplace } from "./caller.ts";
import { sweepPacks } from "./packs.ts";

export type EndRequest = {
	readonly lineage: string;
	/** The revision that the caller saw; `undefined` only for a record that cannot be read. */
	readonly expected_revision: string | undefined;
	readonly reason: string;
};

export type EndOutcome = { readonly lineage_id: string; readonly revision: string; readonly replayed: boolean };

const NEXT =
	"Run `gentle-ai review status --contract gentle-ai.review-integration/v2` to see the reviews of this target";

export async function endReview(place: Workplace, request: EndRequest): Promise<EndOutcome> {
	const { repository, caller } = place;
	const revision = revisionToEnd(place, request);
	if (revision === undefined) return replayed(place, request);
	const store = writeStore(repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		store.end(request.lineage, revision, request.reason, isoTime(caller));
		store.withdraw(request.lineage);
		await sweepPacks(place, store, LIMITS.shortLockWaitMs);
		return { lineage_id: request.lineage, revision, replayed: false };
	} finally {
		store.close();
	}
}

function revisionToEnd(place: Workplace, request: EndRequest): string | undefined {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const revision = store.storedRevision(request.lineage);
		if (revision === undefined) return undefined;
		if (request.expected_revision !== undefined) return request.expected_revision;
		const row = store.lineage(request.lineage);
		if (row !== undefined && "damaged" in row) return revision;
		throw invalidInput("--expected-revision", "", "given: only a damaged review is ended without it", NEXT);
	} finally {
		store.close();
	}
}

/** The same end again answers the same; an id that never was is refused. */
function replayed(place: Workplace, request: EndRequest): EndOutcome {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const ended = store.ending(request.lineage);
		const same = request.expected_revision === undefined || request.expected_revision === ended?.revision;
		if (ended === undefined || !same)
			throw invalidInput("--lineage", request.lineage, "the id of a living review", NEXT);
		return { lineage_id: request.lineage, revision: ended.revision, replayed: true };
	} finally {
		store.close();
	}
}

function storeIsSound(commonDir: string): boolean {
	try {
		const store = readStore(commonDir, LIMITS.shortLockWaitMs);
		try {
			return store.isSound();
		} finally {
			store.close();
		}
	} catch (error) {
		if (error instanceof ReviewError && error.code === "authority_corrupted") return false;
		throw error;
	}
}

/** Moves a store that does not hold together into quarantine. One that does is never moved. */
export function endStore(place: Workplace): { readonly quarantined: string } {
	const { commonDir } = place.repository;
	if (storeIsSound(commonDir)) {
		throw invalidInput("--store", "true", "needed: the review store can be read", "End single reviews with --lineage");
	}
	return { quarantined: quarantineStore(commonDir, isoTime(place.caller)) };
}
