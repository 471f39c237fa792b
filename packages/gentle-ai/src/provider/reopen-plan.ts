// What a reopening would do: every slot admitted again from its bytes, and the exact text that authorizes the rest.
import { type ClassifiedSlot, type Lineage, type StoreReader, slotDigests } from "../authority/index.ts";
import { invalidInput } from "../contract/errors.ts";
import { stateRevision } from "../contract/identities.ts";
import type { Reopening } from "../contract/state.ts";
import type { Lens } from "../contract/vocabulary.ts";
import { beforeReview, refusesReopening, reopenAuthorization } from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import { requireLineage, requireRevision } from "./lookup.ts";
import { frozenChanges, readCaptured } from "./slots.ts";

export type ReopenRequest = {
	readonly lineage: string;
	readonly expected_revision: string;
	readonly target: string;
	readonly reason: string;
	readonly actor: string;
	/** Lenses whose admitted results a maintainer overrides. */
	readonly quarantine: readonly Lens[];
	/** Undefined: only say what would be done, and what it takes. */
	readonly authorization: string | undefined;
};

export type Audit = Pick<Reopening, "quarantined" | "retained" | "authorized_lenses">;

export function authorizationOf(place: Workplace, lineage: Lineage, request: ReopenRequest, audit: Audit): string {
	return reopenAuthorization({
		repository: place.repository.root,
		lineage: lineage.lineage_id,
		revision: request.expected_revision,
		target_identity: lineage.state.initial_snapshot.identity,
		quarantined: audit.quarantined,
		retained: audit.retained,
		authorized_lenses: audit.authorized_lenses ?? [],
		actor: request.actor,
		reason: request.reason,
	});
}

/** The named lenses in the order of their slots. */
export function namedLenses({ state }: Lineage, { quarantine }: ReopenRequest): Lens[] {
	const foreign = quarantine.find((lens) => !state.selected_lenses.includes(lens));
	if (foreign !== undefined) {
		const rule = `a selected lens: ${state.selected_lenses.join(", ")}`;
		throw invalidInput("--quarantine-lens", foreign, rule, "Name lenses of this review");
	}
	return state.selected_lenses.filter((lens) => quarantine.includes(lens));
}

/** Every slot, admitted again from its bytes: what still holds is retained, unless a maintainer overrides it. */
async function classify(
	place: Workplace,
	store: StoreReader,
	lineage: Lineage,
	named: readonly Lens[],
): Promise<(ClassifiedSlot & { readonly entry: string })[]> {
	const before = beforeReview(lineage.state);
	const captured = await readCaptured(
		place,
		store,
		{ ...lineage, state: before, revision: stateRevision(before) },
		await frozenChanges(place, lineage),
	);
	return lineage.state.selected_lenses.map((lens, order) => {
		const bytes = store.slotBytes(lineage.lineage_id, order);
		const decided = lineage.state.lens_results[order]?.result_hash;
		if (bytes === undefined || decided === undefined) {
			// Another call may have taken it out since the record was read.
			if (store.storedRevision(lineage.lineage_id) !== lineage.revision) {
				requireRevision(requireLineage(store, lineage.lineage_id), lineage.revision);
			}
			const rule = `a review that keeps the result of each slot: that of ${lens} is gone`;
			throw invalidInput(
				"--lineage",
				lineage.lineage_id,
				rule,
				"Retire it with `gentle-ai review end`, then start again",
			);
		}
		const digests = slotDigests(bytes);
		const holds = captured.results[order]?.admission.result_hash === decided;
		const quarantined = !holds || named.includes(lens);
		return { order, lens, ...digests, quarantined, entry: `${order}:${lens}:${digests.digest}:${decided}` };
	});
}

export type Classified = {
	readonly lineage: Lineage;
	readonly slots: readonly ClassifiedSlot[];
	readonly audit: Audit;
};

export async function planReopening(
	place: Workplace,
	store: StoreReader,
	lineage: Lineage,
	request: ReopenRequest,
): Promise<Classified> {
	requireRevision(lineage, request.expected_revision);
	const rule = refusesReopening(lineage.state);
	if (rule !== undefined) throw invalidInput("--lineage", lineage.lineage_id, rule, "Run STATUS and do what it prints");
	const named = namedLenses(lineage, request);
	const slots = await classify(place, store, lineage, named);
	const entries = (quarantined: boolean) =>
		slots.filter((slot) => slot.quarantined === quarantined).map(({ entry }) => entry);
	if (entries(true).length === 0) {
		const wanted = "given: every captured result still holds, so only a maintainer can override one";
		throw invalidInput("--quarantine-lens", "", wanted, "Name each lens whose reviewer was given the wrong input");
	}
	const audit = {
		quarantined: entries(true),
		retained: entries(false),
		...(named.length > 0 && { authorized_lenses: named }),
	};
	return { lineage, slots, audit };
}
