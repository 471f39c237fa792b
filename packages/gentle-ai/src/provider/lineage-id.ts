// The id that a fresh lineage gets: derived from its target, so that everybody derives the same one.
import type { StoreReader } from "../authority/index.ts";
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";

/** `review-` and the first hex digits of the identity; `-2` and so on while an earlier review has the name. */
export function freeLineageId(store: StoreReader, identity: string): string {
	const stem = `review-${identity.slice("sha256:".length, "sha256:".length + LIMITS.derivedLineageHexDigits)}`;
	for (let suffix = 1; suffix <= LIMITS.derivedLineageSuffix; suffix += 1) {
		const id = suffix === 1 ? stem : `${stem}-${suffix}`;
		if (!store.isTaken(id)) return id;
	}
	throw new ReviewError("invalid_request", {
		message: `this candidate was reviewed ${LIMITS.derivedLineageSuffix} times under derived names`,
		field: "--lineage",
		rule: "a name of your own is needed",
		next: "Pass --lineage with a name that no review has used",
	});
}
