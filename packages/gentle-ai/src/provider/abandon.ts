// ABANDON: a maintainer gives a review up with an exact word. It ends like `review end`, and keeps who wanted it.
import { readStore, type StoreReader, writeStore } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Lens } from "../contract/vocabulary.ts";
import { abandonAuthorization } from "../review/index.ts";
import { isoTime, type Workplace } from "./caller.ts";
import { tidyAfterEnd } from "./end.ts";
import { requireLineage, requirePlain, requireRevision } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";

export type AbandonRequest = {
	readonly lineage: string;
	readonly expected_revision: string;
	readonly reason: string;
	readonly actor: string;
	/** Some lens has not answered; what the others said is thrown away. */
	readonly incomplete: boolean;
	readonly authorization: string;
};

export type AbandonRecord = {
	readonly lineage_id: string;
	readonly revision: string;
	readonly snapshot_identity: string;
	readonly captured_lenses?: readonly string[];
	readonly actor: string;
	readonly reason: string;
	readonly abandoned_at: string;
	/** False while the published copies of the review could not be removed; the same call again tries once more. */
	readonly complete: boolean;
};

/** Everything but the time stands in the authorization, which is kept with the ended review. */
function recordOf(request: AbandonRequest, abandoned_at: string, complete: boolean): AbandonRecord {
	const fields = new Map(
		request.authorization
			.split("\n")
			.slice(1)
			.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
	);
	const captured = fields.get("captured_lenses");
	return {
		lineage_id: request.lineage,
		revision: request.expected_revision,
		snapshot_identity: fields.get("snapshot_identity") ?? "",
		...(captured !== undefined && { captured_lenses: captured === "" ? [] : captured.split(",") }),
		actor: request.actor,
		reason: request.reason,
		abandoned_at,
		complete,
	};
}

function requireKind(request: AbandonRequest, reviewing: boolean, captured: number, selected: number): void {
	const open = reviewing && captured < selected;
	if (request.incomplete && !open) {
		const rule = "for a review in which a lens has not answered";
		throw invalidInput("--incomplete-inspection", "true", rule, "Leave the flag out, and authorize six lines");
	}
	if (!request.incomplete && open && captured > 0) {
		const rule = "given: some lenses have answered and others have not";
		throw invalidInput("--incomplete-inspection", "", rule, "Pass the flag, and authorize seven lines");
	}
}

/** Refuses unless the word is exact for what is there now. */
function requireAbandonable(store: StoreReader, request: AbandonRequest): void {
	const lineage = requireLineage(store, request.lineage);
	requireRevision(lineage, request.expected_revision);
	const { state } = lineage;
	const captured: Lens[] = state.selected_lenses.filter(
		(_, order) => store.slotBytes(lineage.lineage_id, order) !== undefined,
	);
	requireKind(request, state.state === "reviewing", captured.length, state.selected_lenses.length);
	const wanted = abandonAuthorization({
		lineage: lineage.lineage_id,
		revision: lineage.revision,
		snapshot_identity: state.current_snapshot.identity,
		...(request.incomplete && { captured_lenses: captured }),
		actor: request.actor,
		reason: request.reason,
	});
	if (wanted === request.authorization) return;
	throw new ReviewError("invalid_request", {
		message: "the maintainer authorization is not the exact text for this review",
		field: "--maintainer-authorization",
		rule: request.incomplete ? "the seven lines of the template, exactly" : "the six lines of the template, exactly",
		next: "Run `gentle-ai review abandon` without flags to see the template",
		lineage: request.lineage,
	});
}

/** When this very request ended the review before. */
function endedAt(store: StoreReader, request: AbandonRequest): string | undefined {
	if (store.storedRevision(request.lineage) !== undefined) return undefined;
	const ended = store.ending(request.lineage);
	const same = ended?.revision === request.expected_revision && ended.authorization === request.authorization;
	return same ? ended.ended_at : undefined;
}

function read(place: Workplace, request: AbandonRequest): string | undefined {
	const store = readStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		const ended = endedAt(store, request);
		if (ended === undefined) requireAbandonable(store, request);
		return ended;
	} finally {
		store.close();
	}
}

export function abandon(place: Workplace, request: AbandonRequest): AbandonRecord {
	requireReviewsOn(place);
	requirePlain("--actor", request.actor);
	requirePlain("--reason", request.reason);
	const known = read(place, request);
	const now = isoTime(place.caller);
	const store = writeStore(place.repository.commonDir, LIMITS.shortLockWaitMs);
	try {
		if (known === undefined) {
			store.end(request.lineage, request.expected_revision, request.reason, now, request.authorization);
		}
		return recordOf(
			request,
			known ?? now,
			isTidied(() => tidyAfterEnd(place, store, request.lineage)),
		);
	} finally {
		store.close();
	}
}

/** The review has ended by then, whatever becomes of its copies. */
function isTidied(work: () => void): boolean {
	try {
		work();
		return true;
	} catch {
		return false;
	}
}
