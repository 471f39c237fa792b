// END: takes one review out of the living ones, by its id and without reading its record. Nothing else changes.
import { quarantineStore, readStore, type StoreWriter, withdrawCopies, writeStore } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { shellCommand } from "../contract/tokens.ts";
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

export function endReview(place: Workplace, request: EndRequest): EndOutcome {
	const { repository, caller } = place;
	const revision = revisionToEnd(place, request);
	if (revision === undefined) return replayed(place, request);
	const store = writeStore(repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		store.end(request.lineage, revision, request.reason, isoTime(caller));
		tidyAfterEnd(place, store, request.lineage);
		return { lineage_id: request.lineage, revision, replayed: false };
	} finally {
		store.close();
	}
}

/** Removes what only a living review needs: its published copies, and its kept objects. */
export function tidyAfterEnd(place: Workplace, store: StoreWriter, lineage: string): void {
	withdrawCopies(place.repository.commonDir, lineage);
	sweepPacks(place, store);
}

function revisionToEnd(place: Workplace, request: EndRequest): string | undefined {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const revision = store.storedRevision(request.lineage);
		if (revision === undefined) return undefined;
		if (request.expected_revision !== undefined) return request.expected_revision;
		const row = store.lineage(request.lineage);
		if (row !== undefined && "damaged" in row) return revision;
		const words = ["gentle-ai", "review", "end", "--lineage", request.lineage, "--expected-revision", revision];
		const next = `Run \`${shellCommand([...words, "--reason", request.reason])}\``;
		throw invalidInput("--expected-revision", "", "given: only a damaged review is ended without it", next);
	} finally {
		store.close();
	}
}

/** The same end again answers the same, and finishes what a kill kept the first from; an id that never was is refused. */
function replayed(place: Workplace, request: EndRequest): EndOutcome {
	const { commonDir } = place.repository;
	const revision = endedRevision(commonDir, request);
	const store = writeStore(commonDir, LIMITS.shortLockWaitMs);
	try {
		tidyAfterEnd(place, store, request.lineage);
		return { lineage_id: request.lineage, revision, replayed: true };
	} finally {
		store.close();
	}
}

function endedRevision(commonDir: string, request: EndRequest): string {
	const store = readStore(commonDir, LIMITS.shortLockWaitMs);
	try {
		const ended = store.ending(request.lineage);
		const same = request.expected_revision === undefined || request.expected_revision === ended?.revision;
		if (ended === undefined || !same)
			throw invalidInput("--lineage", request.lineage, "the id of a living review", NEXT);
		return ended.revision;
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
