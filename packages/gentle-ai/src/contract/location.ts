// Where a finding is: the one grammar of locations.
import { isLogicalPath } from "./paths.ts";

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
