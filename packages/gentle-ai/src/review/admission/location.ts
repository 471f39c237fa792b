// Which of the candidate's changes a location touches, and what of it may be echoed.

import { LIMITS } from "../../contract/limits.ts";
import type { Location } from "../../contract/location.ts";
import { isLogicalPath } from "../../contract/paths.ts";
import type { CausalDisposition } from "../../contract/vocabulary.ts";

/** One hunk of the zero-context diff: lines `start … start + count - 1`; a count of 0 is a pure insertion point. */
export type LineRange = { readonly start: number; readonly count: number };
export type ChangedLines = { readonly candidate: readonly LineRange[]; readonly base: readonly LineRange[] };
export type Side = "candidate" | "base";

/** What admission may ask about the frozen trees; the answers come from Git. */
export type CandidateFacts = {
	readonly manifest_paths: readonly string[];
	readonly changed_lines: (path: string) => ChangedLines | undefined;
	/** Lines of the candidate's file, a last line without LF included; undefined when the candidate has no such file. */
	readonly candidate_line_count: (path: string) => number | undefined;
};

function holds(ranges: readonly LineRange[], location: Location): boolean {
	return ranges.some(
		({ start, count }) =>
			count > 0 && BigInt(start) <= location.start && location.end <= BigInt(start) + BigInt(count) - 1n,
	);
}

/** The side whose changed lines hold the whole location in one hunk; the candidate side is asked first. */
export function changedSide(location: Location, facts: CandidateFacts): Side | undefined {
	const lines = facts.changed_lines(location.path);
	if (lines === undefined) return undefined;
	if (holds(lines.candidate, location)) return "candidate";
	return holds(lines.base, location) ? "base" : undefined;
}

/** Does the repository itself prove that the candidate caused what is claimed here? */
export function isCausallyProven(location: Location, disposition: CausalDisposition, facts: CandidateFacts): boolean {
	switch (disposition) {
		case "introduced":
		case "worsened":
			return changedSide(location, facts) !== undefined;
		case "behavior-activated": {
			const lines = facts.candidate_line_count(location.path);
			return facts.manifest_paths.includes(location.path) && lines !== undefined && location.end <= BigInt(lines);
		}
		default:
			return false;
	}
}

/** A location that may be echoed: short, plain, and without anything that a terminal or a log would obey. */
export function echoLocation(text: string): string {
	const colon = text.lastIndexOf(":");
	const plain =
		Buffer.byteLength(text) <= LIMITS.diagnosticLocationBytes &&
		text.indexOf(":") === colon &&
		!/[\u0000-\u001f\u007f-\u009f]/.test(text) &&
		isLogicalPath(text.slice(0, colon)) &&
		/^[A-Za-z0-9+,.-]*$/.test(text.slice(colon + 1));
	return plain ? text : "";
}
