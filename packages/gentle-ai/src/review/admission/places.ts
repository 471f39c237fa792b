// Where findings sit: each in a path of the manifest, and a severe one that blames the candidate on lines that it changed.

import { LIMITS } from "../../contract/limits.ts";
import { parseLocation } from "../../contract/location.ts";
import type { AdmittedFinding } from "../../contract/state.ts";
import { blamesCandidate, isSevere } from "../../contract/vocabulary.ts";
import { type CandidateFacts, echoLocation, isCausallyProven, type LineRange } from "./location.ts";
import { refuse } from "./refusal.ts";

function echoId(id: string): { finding_id: string } | Record<string, never> {
	return Buffer.byteLength(id) <= LIMITS.diagnosticFindingIdBytes ? { finding_id: id } : {};
}

const SHOWN_RANGES = 12;

function showRanges(ranges: readonly LineRange[]): string {
	const some = ranges.filter(({ count }) => count > 0);
	if (some.length === 0) return "none";
	const shown = some
		.slice(0, SHOWN_RANGES)
		.map(({ start, count }) => (count === 1 ? `${start}` : `${start}-${start + count - 1}`));
	const more = some.length - shown.length;
	return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function changedRanges(path: string, slot: CandidateFacts): string {
	const lines = slot.changed_lines(path);
	return `Changed lines of that file: candidate ${showRanges(lines?.candidate ?? [])}; base ${showRanges(lines?.base ?? [])}`;
}

/** The ids of severe findings that the repository proves against the candidate. */
export function checkPlaces(findings: readonly AdmittedFinding[], slot: CandidateFacts): string[] {
	const causal: string[] = [];
	const places = findings.map((finding, index) => {
		const parsed = parseLocation(finding.location);
		if (!parsed.ok) {
			const location = echoLocation(finding.location);
			throw refuse("location_invalid", `/findings/${index}/location`, finding.location, {
				diagnostic: {
					code: "invalid_finding_location",
					...echoId(finding.id),
					...(location !== "" && { location }),
					reason: parsed.reason,
				},
			});
		}
		return parsed.location;
	});
	for (const [index, place] of places.entries()) {
		if (!slot.manifest_paths.includes(place.path)) {
			throw refuse("location_outside", `/findings/${index}/location`, findings[index]?.location);
		}
	}
	for (const [index, finding] of findings.entries()) {
		const place = places[index];
		const disposition = finding.causal_disposition;
		if (place === undefined || disposition === undefined || !isSevere(finding.severity)) continue;
		if (!blamesCandidate(disposition)) continue;
		if (!isCausallyProven(place, disposition, slot)) {
			const location = echoLocation(finding.location);
			throw refuse("causality_unproven", `/findings/${index}/location`, finding.location, {
				hint: changedRanges(place.path, slot),
				diagnostic: {
					code: "candidate_causality_unproven",
					...echoId(finding.id),
					...(location !== "" && { location }),
					reason: "line_not_changed_by_candidate",
				},
			});
		}
		causal.push(finding.id);
	}
	return causal;
}
