// Admission: what a reviewer wrote becomes a lens result only when its shape, its binding and its claims hold.
// Checks run in the order of the contract; the first that fails is the answer, and nothing has changed.
import { canonicalJson, lensResultHash, sha256 } from "../../contract/canonical.ts";
import { checkShape } from "../../contract/check.ts";
import { parseLocation } from "../../contract/location.ts";
import { bounded, isLogicalPath } from "../../contract/paths.ts";
import type { DecodedFinding, DecodedReviewerResult } from "../../contract/payloads.ts";
import type { AdmittedFinding, LensResult } from "../../contract/state.ts";
import { readStrictJson } from "../../contract/strict-json.ts";
import {
	blamesCandidate,
	CAUSAL_DISPOSITIONS,
	type CausalDisposition,
	EVIDENCE_CLASSES,
	type EvidenceClass,
	FINDING_PREFIX,
	isSevere,
	type Lens,
	LIMITS,
	PATTERNS,
	SEVERITIES,
	shortLens,
} from "../../contract/vocabulary.ts";
import { isSentinel, reportsUnavailableInspection } from "./citations.ts";
import { extractObject } from "./extract.ts";
import { type CandidateFacts, echoLocation, isCausallyProven, type LineRange } from "./location.ts";

export type Decision = "incomplete" | "ambiguous" | "out_of_scope" | "binding_mismatch";

/** Every way in which a result is refused; `check` is the row of the published admission table. */
export const ADMISSION_RULES = {
	empty_result: { check: 1, decision: "incomplete", rule: "the answer must not be empty" },
	nested_envelope: { check: 2, decision: "incomplete", rule: "the answer must not be wrapped in a task envelope" },
	payload_too_large: { check: 3, decision: "incomplete", rule: "the answer must fit in 4 MiB" },
	payload_not_utf8: { check: 3, decision: "incomplete", rule: "the answer must be UTF-8 text" },
	no_object: { check: 4, decision: "incomplete", rule: "the answer must hold one JSON object" },
	unterminated_object: { check: 4, decision: "incomplete", rule: "the JSON object must be closed" },
	several_objects: { check: 4, decision: "ambiguous", rule: "the answer must hold exactly one JSON object" },
	invalid_json: { check: 5, decision: "incomplete", rule: "the object must be strict JSON" },
	unknown_field_or_type: { check: 5, decision: "incomplete", rule: "only the published fields, each of its type" },
	findings_missing: { check: 6, decision: "incomplete", rule: "findings must be an array" },
	evidence_missing: { check: 6, decision: "incomplete", rule: "evidence must be an array" },
	subject_hash_missing: { check: 7, decision: "incomplete", rule: "subject_hash must be echoed" },
	subject_hash_mismatch: { check: 8, decision: "binding_mismatch", rule: "subject_hash must be the one of this slot" },
	inspection_not_completed: { check: 10, decision: "incomplete", rule: "inspection.status must be completed" },
	inspection_path_invalid: {
		check: 11,
		decision: "out_of_scope",
		rule: "inspection.paths must be canonical repository paths, each once",
	},
	inspection_paths_missing: {
		check: 12,
		decision: "incomplete",
		rule: "inspection.paths must name every path of the frozen manifest",
	},
	inspection_paths_foreign: {
		check: 13,
		decision: "out_of_scope",
		rule: "inspection.paths must name no path outside the frozen manifest",
	},
	evidence_empty: { check: 14, decision: "incomplete", rule: "evidence must hold at least one string" },
	evidence_sentinel: { check: 14, decision: "incomplete", rule: "an evidence string must say what was inspected" },
	severity_invalid: { check: 14, decision: "incomplete", rule: "severity must be one of the four" },
	claim_missing: { check: 14, decision: "incomplete", rule: "a finding must claim something" },
	location_missing: { check: 14, decision: "incomplete", rule: "a finding must have a location" },
	proof_missing: { check: 14, decision: "incomplete", rule: "a finding must have at least one proof" },
	proof_sentinel: { check: 14, decision: "incomplete", rule: "a proof must say where it is" },
	finding_lens_mismatch: { check: 14, decision: "incomplete", rule: "a finding's lens must be the selected one" },
	evidence_class_invalid: { check: 14, decision: "incomplete", rule: "evidence_class must be one of the three" },
	causal_disposition_invalid: {
		check: 14,
		decision: "incomplete",
		rule: "causal_disposition must be one of the six",
	},
	lens_mismatch: { check: 15, decision: "binding_mismatch", rule: "lens must be the selected one, or absent" },
	finding_id_invalid: {
		check: 15,
		decision: "binding_mismatch",
		rule: "a finding id must be R1 to R4, a dash, and letters, digits, dots, dashes or underscores",
	},
	finding_id_foreign: { check: 15, decision: "binding_mismatch", rule: "a finding id must carry its lens's prefix" },
	severe_without_class: {
		check: 16,
		decision: "incomplete",
		rule: "a BLOCKER or CRITICAL finding must state its evidence_class",
	},
	severe_without_disposition: {
		check: 16,
		decision: "incomplete",
		rule: "a BLOCKER or CRITICAL finding must state its causal_disposition",
	},
	inspection_unavailable: {
		check: 17,
		decision: "incomplete",
		rule: "the evidence must say more than that the candidate could not be inspected",
	},
	finding_id_repeated: { check: 19, decision: "ambiguous", rule: "finding ids must be unique" },
	location_invalid: {
		check: 20,
		decision: "out_of_scope",
		rule: "a location must be <path>:<line> or <path>:<start>-<end>",
	},
	location_outside: { check: 21, decision: "out_of_scope", rule: "a location must be in a path of the manifest" },
	causality_unproven: {
		check: 23,
		decision: "out_of_scope",
		rule: "a severe claim against the candidate must sit on lines that the candidate changed",
	},
} as const satisfies Record<string, { check: number; decision: Decision; rule: string }>;

export type AdmissionCode = keyof typeof ADMISSION_RULES;

export type Diagnostic = {
	readonly code: "inspection_coverage" | "invalid_finding_location" | "candidate_causality_unproven";
	readonly reason: string;
	readonly finding_id?: string;
	readonly location?: string;
	readonly missing_path_count?: number;
	readonly foreign_path_count?: number;
};

export type AdmissionRefusal = {
	readonly admitted: false;
	readonly code: AdmissionCode;
	readonly decision: Decision;
	readonly check: number;
	readonly rule: string;
	/** JSON pointer into the answer. */
	readonly pointer: string;
	/** The offending value, cut and made visible. */
	readonly value: string;
	/** What would be right here, where the rule alone does not tell. */
	readonly hint?: string;
	readonly diagnostic?: Diagnostic;
};

export type Admitted = {
	readonly admitted: true;
	readonly result: LensResult;
	readonly raw_sha256: string;
	readonly canonical_sha256: string;
	readonly result_hash: string;
	readonly candidate_causal_finding_ids: readonly string[];
};

export type AdmissionSlot = CandidateFacts & { readonly lens: Lens; readonly subject_hash: string };

class Refused extends Error {
	readonly refusal: AdmissionRefusal;
	constructor(refusal: AdmissionRefusal) {
		super(refusal.code);
		this.refusal = refusal;
	}
}

type Beside = { readonly hint?: string; readonly diagnostic?: Diagnostic };

function refuse(code: AdmissionCode, pointer: string, value: unknown, beside: Beside = {}): Refused {
	const { check, decision, rule } = ADMISSION_RULES[code];
	const shown = bounded(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), LIMITS.boundedValueChars);
	return new Refused({ admitted: false, code, decision, check, rule, pointer, value: shown, ...beside });
}

function decode(raw: Uint8Array): DecodedReviewerResult {
	if (raw.byteLength > LIMITS.reviewerPayloadBytes) throw refuse("payload_too_large", "", `${raw.byteLength} bytes`);
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
	} catch {
		throw refuse("payload_not_utf8", "", "");
	}
	if (text.trim() === "") throw refuse("empty_result", "", text);
	if (/<\/?task_result>/.test(text) && !readStrictJson(text.trim(), LIMITS.reviewerPayloadDepth).ok) {
		throw refuse("nested_envelope", "", text);
	}
	const extraction = extractObject(text);
	switch (extraction.found) {
		case "none":
			throw refuse("no_object", "", text);
		case "several":
			throw refuse("several_objects", "", text);
		case "unterminated":
			throw refuse("unterminated_object", "", text);
		case "one":
			break;
	}
	const strict = readStrictJson(extraction.text, LIMITS.reviewerPayloadDepth);
	if (!strict.ok)
		throw refuse("invalid_json", strict.problem.pointer, "", { hint: `Broken there: ${strict.problem.rule}` });
	const shape = checkShape("DecodedReviewerResult", strict.value);
	if (!shape.ok) {
		const { pointer, rule, value } = shape.problem;
		throw refuse("unknown_field_or_type", pointer, value, { hint: `It ${rule}` });
	}
	return shape.value;
}

function checkInspection(decoded: DecodedReviewerResult, slot: AdmissionSlot): void {
	const inspection = decoded.inspection;
	if (inspection?.status !== "completed") {
		throw refuse("inspection_not_completed", "/inspection/status", inspection?.status ?? "");
	}
	const seen = new Set<string>();
	for (const [index, path] of inspection.paths.entries()) {
		if (!isLogicalPath(path) || seen.has(path)) {
			throw refuse("inspection_path_invalid", `/inspection/paths/${index}`, path);
		}
		seen.add(path);
	}
	const manifest = new Set(slot.manifest_paths);
	const missing = slot.manifest_paths.filter((path) => !seen.has(path));
	const foreign = inspection.paths.filter((path) => !manifest.has(path));
	const counts = {
		...(missing.length > 0 && { missing_path_count: missing.length }),
		...(foreign.length > 0 && { foreign_path_count: foreign.length }),
	};
	if (foreign.length > 0) {
		const reason = missing.length > 0 ? "missing_and_foreign_inspection_paths" : "foreign_inspection_paths";
		throw refuse("inspection_paths_foreign", "/inspection/paths", foreign[0], {
			diagnostic: { code: "inspection_coverage", reason, ...counts },
		});
	}
	if (missing.length > 0) {
		throw refuse("inspection_paths_missing", "/inspection/paths", missing[0], {
			diagnostic: { code: "inspection_coverage", reason: "missing_frozen_manifest_paths", ...counts },
		});
	}
}

function enumValue<Value extends string>(
	allowed: readonly Value[],
	text: string | undefined,
	code: AdmissionCode,
	pointer: string,
): Value | undefined {
	if (text === undefined) return undefined;
	const value = allowed.find((candidate) => candidate === text.trim());
	if (value === undefined) throw refuse(code, pointer, text);
	return value;
}

type ShapedFinding = Omit<AdmittedFinding, "id"> & { readonly given_id: string | undefined };

function shapeFinding(finding: DecodedFinding, index: number, lens: Lens): ShapedFinding {
	const at = (field: string) => `/findings/${index}/${field}`;
	const severity = SEVERITIES.find((level) => level === finding.severity.trim().toUpperCase());
	if (severity === undefined) throw refuse("severity_invalid", at("severity"), finding.severity);
	const location = finding.location?.trim() ?? "";
	// A severe finding without a place is refused later, as a location, so that the diagnostic names it.
	if (location === "" && !isSevere(severity)) throw refuse("location_missing", at("location"), "");
	const claim = finding.claim.trim();
	if (claim === "") throw refuse("claim_missing", at("claim"), finding.claim);
	if (finding.proof_refs.length === 0) throw refuse("proof_missing", at("proof_refs"), "");
	for (const [proof, text] of finding.proof_refs.entries()) {
		if (isSentinel(text)) throw refuse("proof_sentinel", at(`proof_refs/${proof}`), text);
	}
	const named = finding.lens?.trim();
	if (named !== undefined && named !== shortLens(lens) && named !== lens) {
		throw refuse("finding_lens_mismatch", at("lens"), named);
	}
	const evidence_class: EvidenceClass | undefined = enumValue(
		EVIDENCE_CLASSES,
		finding.evidence_class,
		"evidence_class_invalid",
		at("evidence_class"),
	);
	const causal_disposition: CausalDisposition | undefined = enumValue(
		CAUSAL_DISPOSITIONS,
		finding.causal_disposition,
		"causal_disposition_invalid",
		at("causal_disposition"),
	);
	return {
		given_id: finding.id?.trim() || undefined,
		lens: shortLens(lens),
		location,
		severity,
		claim,
		proof_refs: finding.proof_refs.map((proof) => proof.trim()),
		...(evidence_class !== undefined && { evidence_class }),
		...(causal_disposition !== undefined && { causal_disposition }),
	};
}

function shapeEvidence(evidence: readonly string[]): string[] {
	if (evidence.length === 0) throw refuse("evidence_empty", "/evidence", "");
	return evidence.map((text, index) => {
		if (isSentinel(text)) throw refuse("evidence_sentinel", `/evidence/${index}`, text);
		return text.trim();
	});
}

const FINDING_ID = new RegExp(PATTERNS.findingId);

function assignId(finding: ShapedFinding, index: number, lens: Lens): AdmittedFinding {
	const { given_id, ...rest } = finding;
	const prefix = FINDING_PREFIX[lens];
	if (given_id === undefined) return { id: `${prefix}${String(index + 1).padStart(3, "0")}`, ...rest };
	if (!FINDING_ID.test(given_id)) throw refuse("finding_id_invalid", `/findings/${index}/id`, given_id);
	if (!given_id.startsWith(prefix)) throw refuse("finding_id_foreign", `/findings/${index}/id`, given_id);
	return { id: given_id, ...rest };
}

function checkBinding(decoded: DecodedReviewerResult, lens: Lens): void {
	const named = decoded.lens;
	if (named !== undefined && named !== lens && named !== shortLens(lens)) throw refuse("lens_mismatch", "/lens", named);
}

function checkSevere(findings: readonly AdmittedFinding[]): void {
	for (const [index, finding] of findings.entries()) {
		if (!isSevere(finding.severity)) continue;
		if (finding.evidence_class === undefined) {
			throw refuse("severe_without_class", `/findings/${index}/evidence_class`, "");
		}
		if (finding.causal_disposition === undefined) {
			throw refuse("severe_without_disposition", `/findings/${index}/causal_disposition`, "");
		}
	}
}

function checkUnique(findings: readonly AdmittedFinding[]): void {
	const seen = new Set<string>();
	for (const [index, { id }] of findings.entries()) {
		if (seen.has(id)) throw refuse("finding_id_repeated", `/findings/${index}/id`, id);
		seen.add(id);
	}
}

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

function changedRanges(path: string, slot: AdmissionSlot): string {
	const lines = slot.changed_lines(path);
	return `Changed lines of that file: candidate ${showRanges(lines?.candidate ?? [])}; base ${showRanges(lines?.base ?? [])}`;
}

/** The ids of severe findings that the repository proves against the candidate. */
function checkPlaces(findings: readonly AdmittedFinding[], slot: AdmissionSlot): string[] {
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

/** Admits `raw` for one slot, or says which rule it breaks. Pure: the slot carries what Git said about the trees. */
export function admitResult(raw: Uint8Array, slot: AdmissionSlot): Admitted | AdmissionRefusal {
	try {
		const decoded = decode(raw);
		if (!Array.isArray(decoded.findings)) throw refuse("findings_missing", "/findings", decoded.findings);
		if (!Array.isArray(decoded.evidence)) throw refuse("evidence_missing", "/evidence", decoded.evidence);
		if (!decoded.subject_hash) throw refuse("subject_hash_missing", "/subject_hash", "");
		if (decoded.subject_hash !== slot.subject_hash) {
			throw refuse("subject_hash_mismatch", "/subject_hash", decoded.subject_hash);
		}
		checkInspection(decoded, slot);
		const evidence = shapeEvidence(decoded.evidence);
		const shaped = decoded.findings.map((finding, index) => shapeFinding(finding, index, slot.lens));
		checkBinding(decoded, slot.lens);
		const findings = shaped.map((finding, index) => assignId(finding, index, slot.lens));
		checkSevere(findings);
		if (reportsUnavailableInspection(evidence)) throw refuse("inspection_unavailable", "/evidence", evidence[0]);
		checkUnique(findings);
		const candidate_causal_finding_ids = checkPlaces(findings, slot);
		const result: LensResult = { lens: slot.lens, findings, evidence };
		return {
			admitted: true,
			result,
			raw_sha256: sha256(raw),
			canonical_sha256: sha256(canonicalJson(result)),
			result_hash: lensResultHash(result),
			candidate_causal_finding_ids,
		};
	} catch (error) {
		if (error instanceof Refused) return error.refusal;
		throw error;
	}
}
