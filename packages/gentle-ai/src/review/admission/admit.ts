// Admission: what a reviewer wrote becomes a lens result only when its shape, its binding and its claims hold.
// Checks run in the order of the contract; the first that fails is the answer, and nothing has changed.
import { canonicalJson, sha256 } from "../../contract/canonical.ts";
import { lensResultHash } from "../../contract/identities.ts";
import type { LensResult } from "../../contract/state.ts";
import type { Lens } from "../../contract/vocabulary.ts";
import { reportsUnavailableInspection } from "./citations.ts";
import { decode } from "./decode.ts";
import { assignId, checkBinding, checkSevere, checkUnique, shapeEvidence, shapeFinding } from "./findings.ts";
import { checkInspection } from "./inspection.ts";
import type { CandidateFacts } from "./location.ts";
import { checkPlaces } from "./places.ts";
import { type AdmissionRefusal, Refused, refuse } from "./refusal.ts";

export type Admitted = {
	readonly admitted: true;
	readonly result: LensResult;
	readonly raw_sha256: string;
	readonly canonical_sha256: string;
	readonly result_hash: string;
	readonly candidate_causal_finding_ids: readonly string[];
};

export type AdmissionSlot = CandidateFacts & { readonly lens: Lens; readonly subject_hash: string };

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
