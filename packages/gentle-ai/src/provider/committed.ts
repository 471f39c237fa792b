// What START without a contract asks before it reviews commits alone.
import { invalidInput } from "../contract/errors.ts";
import type { Workplace } from "./caller.ts";
import { lookAtTarget } from "./target.ts";

/** A range of commits leaves the work tree out; a caller whose tracked files differ must say that this is meant. */
export async function requireCommitted(place: Workplace): Promise<void> {
	const live = await lookAtTarget(place, { kind: "current-changes", projection: "workspace" });
	const changed = live.manifest.find(({ intended_untracked }) => !intended_untracked);
	if (changed === undefined) return;
	throw invalidInput(
		"--base-ref",
		changed.path,
		"committed, and --base-ref alone reviews commits only",
		"Add --committed-only to leave the work tree out, or --workspace-overlay to take it in",
	);
}
