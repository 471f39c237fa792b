// Where a finding is, and which of the candidate's changes it touches.
import { isLogicalPath } from "../../contract/paths.ts";
import { type CausalDisposition, LIMITS } from "../../contract/vocabulary.ts";

export const LOCATION_REASONS = [
	"expected_path_and_line",
	"line_must_be_positive",
	"line_suffix_not_integer",
	"line_overflows_integer",
	"range_must_be_ascending",
	"path_must_be_repository_relative",
	"path_must_be_canonical",
] as const;
export type LocationReason = (typeof LOCATION_REASONS)[number];

/** Lines count from 1; both ends belong to the range. Lines beyond 2^53 are kept only to be refused. */
export type Location = { readonly path: string; readonly start: bigint; readonly end: bigint };
export type ParsedLocation =
	| { readonly ok: true; readonly location: Location }
	| { readonly ok: false; readonly reason: LocationReason };

const MAX_LINE = 2n ** 63n - 1n;

function refused(reason: LocationReason): ParsedLocation {
	return { ok: false, reason };
}

function parseLine(text: string): bigint | LocationReason {
	if (!/^[0-9]+$/.test(text)) return "line_suffix_not_integer";
	const line = BigInt(text);
	if (line > MAX_LINE) return "line_overflows_integer";
	return line === 0n ? "line_must_be_positive" : line;
}

/** `<path>:<line>` or `<path>:<start>-<end>`, split at the last colon. */
export function parseLocation(text: string): ParsedLocation {
	const colon = text.lastIndexOf(":");
	const suffix = text.slice(colon + 1);
	if (colon <= 0 || suffix === "") return refused("expected_path_and_line");
	const dashes = suffix.split("-").length - 1;
	if (dashes === 1 && suffix.startsWith("-")) return refused("line_must_be_positive");
	if (dashes > 1) return refused("line_suffix_not_integer");
	const [first = "", second = first] = suffix.split("-");
	const start = parseLine(first);
	if (typeof start !== "bigint") return refused(start);
	const end = parseLine(second);
	if (typeof end !== "bigint") return refused(end);
	if (start > end) return refused("range_must_be_ascending");
	const path = text.slice(0, colon);
	if (/^[A-Za-z]:\//.test(path)) return refused("path_must_be_repository_relative");
	// A colon must not hide a segment that leaves the repository.
	if (!isLogicalPath(path) || !isLogicalPath(path.replaceAll(":", "/"))) return refused("path_must_be_canonical");
	return { ok: true, location: { path, start, end } };
}

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
