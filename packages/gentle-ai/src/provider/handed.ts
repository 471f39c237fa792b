// What FINALIZE is handed in place of captures: raw answers, the manifests of captured ones, raw evidence. Each becomes, or
// proves to be, what a capture keeps; the decision then reads captures alone.
import { type Lineage, resultPath } from "../authority/index.ts";
import { canonicalJson } from "../contract/canonical.ts";
import { invalidInput } from "../contract/errors.ts";
import { resultArtifactReference } from "../contract/handles.ts";
import type { ResultArtifact } from "../contract/state.ts";
import type { CapturedArtifact } from "../contract/transition.ts";
import { artifactSubjects, type FinalizeRequest } from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import { captureEvidence, evidenceTarget } from "./capture-evidence.ts";
import { captureResult, dryRunResult, type SlotBinding } from "./capture-result.ts";

/** Lists are in the order of the selected lenses. */
export type Handed = {
	/** `--result`: one reviewer answer a lens, as bytes. */
	readonly results: readonly Uint8Array[];
	/** The manifests that captures printed, and the flag that they came by. */
	readonly artifacts: readonly ResultArtifact[];
	readonly artifact_flag: string;
	/** `--evidence`: the output of the verification; its verdict is `--failed`. */
	readonly evidence: Uint8Array | undefined;
};

const STATUS_NEXT = "Run STATUS with --next-transition and do what it prints";

function requireState(lineage: Lineage, flag: string, states: readonly string[]): void {
	const { state } = lineage.state;
	if (!states.includes(state)) {
		throw invalidInput(flag, "given", `accepted while the review is ${states.join(" or ")}, not ${state}`, STATUS_NEXT);
	}
}

function requireOneEach(lineage: Lineage, flag: string, given: number): void {
	const lenses = lineage.state.selected_lenses;
	if (given === lenses.length) return;
	const rule = `given once a selected lens, in this order: ${lenses.join(", ") || "none was selected"}`;
	throw invalidInput(flag, `${given} given`, rule, STATUS_NEXT);
}

function slotsOf(lineage: Lineage): SlotBinding[] {
	return artifactSubjects(lineage.state, lineage.frozen.manifest).map(({ lens, selected_order }) => ({
		lineage: lineage.lineage_id,
		target: lineage.state.initial_snapshot.identity,
		lens,
		order: selected_order,
		expected_revision: lineage.revision,
		subject_hash: undefined,
		opaque: true,
	}));
}

/** Every answer is admitted before the first one is kept. */
async function captureResults(place: Workplace, lineage: Lineage, results: readonly Uint8Array[]): Promise<void> {
	requireState(lineage, "--result", ["reviewing"]);
	requireOneEach(lineage, "--result", results.length);
	const slots = slotsOf(lineage).flatMap((slot, order) => {
		const raw = results[order];
		return raw === undefined ? [] : [{ slot, raw }];
	});
	for (const { slot, raw } of slots) await dryRunResult(place, slot, raw);
	for (const { slot, raw } of slots) await captureResult(place, slot, raw);
}

/** Refuses a manifest that does not name exactly what is captured for the lens in its place. */
export function requireCaptured(
	commonDir: string,
	lineage: Lineage,
	handed: Handed,
	captured: readonly (CapturedArtifact | undefined)[],
): void {
	const flag = handed.artifact_flag;
	requireState(lineage, flag, ["reviewing"]);
	requireOneEach(lineage, flag, handed.artifacts.length);
	for (const [order, { path, reference, ...manifest }] of handed.artifacts.entries()) {
		const artifact = captured[order];
		const place =
			reference === undefined
				? path === resultPath(commonDir, lineage.lineage_id, order, manifest.lens)
				: artifact !== undefined && reference === resultArtifactReference(artifact);
		if (artifact !== undefined && place && canonicalJson(manifest) === canonicalJson(artifact)) continue;
		const rule = "the manifest that CAPTURE-RESULT printed for the captured result of this lens";
		throw invalidInput(flag, `${manifest.lens} at position ${order}`, rule, STATUS_NEXT);
	}
}

async function captureHandedEvidence(
	place: Workplace,
	lineage: Lineage,
	evidence: Uint8Array,
	failed: boolean,
): Promise<void> {
	requireState(lineage, "--evidence", ["validating", "correction_required"]);
	if (evidence.byteLength === 0) {
		throw invalidInput("--evidence", "0 bytes", "not empty", "Pass the output of the verification");
	}
	const request = {
		lineage: lineage.lineage_id,
		target: await evidenceTarget(place, lineage),
		expected_revision: lineage.revision,
		outcome: failed ? ("verification_failed" as const) : ("passed" as const),
	};
	await captureEvidence(place, request, evidence);
}

/** Captures what was handed in, and answers the request as if it had named the captures. */
export async function captureHanded(
	place: Workplace,
	lineage: Lineage,
	handed: Handed,
	request: FinalizeRequest,
): Promise<FinalizeRequest> {
	if (handed.results.length > 0) await captureResults(place, lineage, handed.results);
	if (handed.evidence !== undefined) {
		await captureHandedEvidence(place, lineage, handed.evidence, request.failed === true);
	}
	return {
		...request,
		captured_results: request.captured_results || handed.results.length > 0 || handed.artifacts.length > 0,
		captured_evidence: request.captured_evidence || handed.evidence !== undefined,
	};
}
