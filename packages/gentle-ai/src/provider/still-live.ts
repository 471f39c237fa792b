// Does the repository still hold a frozen target? The same bytes may have been committed since they were frozen.
import type { Snapshot } from "../contract/state.ts";
import { isSameTarget } from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import { lookAtTarget, selectorOf } from "./target.ts";

export async function isStillLive(place: Workplace, frozen: Snapshot): Promise<boolean> {
	const live = await lookAtTarget(place, selectorOf(frozen));
	if (isSameTarget(frozen, live.snapshot)) return true;
	const committed = await lookAtTarget(place, { kind: "base-diff", base: frozen.base_tree, flag: "--base-ref" });
	return frozen.kind === "current-changes" && isSameTarget(frozen, committed.snapshot);
}
