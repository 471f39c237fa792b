// The events of a human run as lines; progress of the lenses is drawn by itself.
import { visible } from "../contract/paths.ts";
import type { Lens } from "../contract/vocabulary.ts";
import type { RunEvent } from "../provider/run/index.ts";
import { candidateLine, labelled, type Painter, riskLines } from "./terminal.ts";

export function eventLines(event: RunEvent, paint: Painter): readonly string[] {
	switch (event.type) {
		case "candidate":
			return [candidateLine(event.files, event.lines)];
		case "risk":
			return riskLines(event.tier, event.reasons, event.lenses, paint);
		case "lineage":
			return event.resumed ? [labelled("Resuming", event.id)] : [];
		case "correction":
			return [
				labelled(
					"Correction",
					`${event.lines} of at most ${event.budget} changed lines, for ${event.findings} ${event.findings === 1 ? "finding" : "findings"}`,
				),
			];
		case "verification":
			return [labelled("Verifying", visible(event.command))];
		case "verified":
			return event.passed ? [] : event.tail.map((text) => labelled("", visible(text)));
		case "lens":
		case "lens-done":
			return [];
	}
}

/** What a lens is doing now, or undefined for an event about something else. */
export function lensProgress(event: RunEvent): { readonly lens: Lens; readonly text: string } | undefined {
	if (event.type === "lens") return { lens: event.lens, text: event.text };
	if (event.type !== "lens-done") return undefined;
	return { lens: event.lens, text: event.findings === 0 ? "done, nothing found" : `done, ${event.findings} found` };
}
