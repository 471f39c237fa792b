// Findings and evidence: what was written becomes what is kept, or is refused for the first thing that is missing.

import { PATTERNS } from "../../contract/limits.ts";
import type { DecodedFinding, DecodedReviewerResult } from "../../contract/payloads.ts";
import type { AdmittedFinding } from "../../contract/state.ts";
import {
	CAUSAL_DISPOSITIONS,
	type CausalDisposition,
	EVIDENCE_CLASSES,
	type EvidenceClass,
	FINDING_PREFIX,
	isSevere,
	type Lens,
	SEVERITIES,
	shortLens,
} from "../../contract/vocabulary.ts";
import { isSentinel } from "./citations.ts";
import { refuse } from "./refusal.ts";
import type { AdmissionCode } from "./rules.ts";

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

export function shapeFinding(finding: DecodedFinding, index: number, lens: Lens): ShapedFinding {
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

export function shapeEvidence(evidence: readonly string[]): string[] {
	if (evidence.length === 0) throw refuse("evidence_empty", "/evidence", "");
	return evidence.map((text, index) => {
		if (isSentinel(text)) throw refuse("evidence_sentinel", `/evidence/${index}`, text);
		return text.trim();
	});
}

const FINDING_ID = new RegExp(PATTERNS.findingId);

export function assignId(finding: ShapedFinding, index: number, lens: Lens): AdmittedFinding {
	const { given_id, ...rest } = finding;
	const prefix = FINDING_PREFIX[lens];
	if (given_id === undefined) return { id: `${prefix}${String(index + 1).padStart(3, "0")}`, ...rest };
	if (!FINDING_ID.test(given_id)) throw refuse("finding_id_invalid", `/findings/${index}/id`, given_id);
	if (!given_id.startsWith(prefix)) throw refuse("finding_id_foreign", `/findings/${index}/id`, given_id);
	return { id: given_id, ...rest };
}

export function checkBinding(decoded: DecodedReviewerResult, lens: Lens): void {
	const named = decoded.lens;
	if (named !== undefined && named !== lens && named !== shortLens(lens)) throw refuse("lens_mismatch", "/lens", named);
}

export function checkSevere(findings: readonly AdmittedFinding[]): void {
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

export function checkUnique(findings: readonly AdmittedFinding[]): void {
	const seen = new Set<string>();
	for (const [index, { id }] of findings.entries()) {
		if (seen.has(id)) throw refuse("finding_id_repeated", `/findings/${index}/id`, id);
		seen.add(id);
	}
}
