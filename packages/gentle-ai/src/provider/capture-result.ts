// CAPTURE-RESULT: one reviewer answer into its slot, admitted or refused. The same bytes again are the same capture.
import { type Lineage, readStore, type StoreReader, writeStore } from "../authority/index.ts";
import { envelopeBytes, resultArtifactReference, sha256 } from "../contract/canonical.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { bounded, withoutMachinePaths } from "../contract/paths.ts";
import type { ArtifactSubject, ManifestEntry, ResultArtifact } from "../contract/state.ts";
import { type Lens, LIMITS } from "../contract/vocabulary.ts";
import { type AdmissionRefusal, admitResult, artifactSubjects } from "../review/index.ts";
import { afterCommit, type Workplace } from "./caller.ts";
import { requireBinding, requireLineage, requireRevision } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import { admissionSlot, artifactOf, candidateFacts, envelopeOf, frozenChanges } from "./slots.ts";

export type SlotBinding = {
	readonly lineage: string;
	readonly target: string;
	readonly lens: Lens;
	readonly order: number;
	readonly expected_revision: string | undefined;
	readonly subject_hash: string | undefined;
	/** How the durable envelope is named in the answer: by path, or by an opaque reference. */
	readonly opaque: boolean;
};

export type SlotPreflight = { readonly subject: ArtifactSubject; readonly manifest: readonly ManifestEntry[] };

/** A refused answer: which rule it breaks, where, and that the slot is as open as before. */
export class AdmissionError extends ReviewError {
	readonly refusal: AdmissionRefusal;
	constructor(refusal: AdmissionRefusal) {
		const { decision, code, rule } = refusal;
		// Names of the answer's own keys stand in the pointer, so it is bounded like a value.
		const field = bounded(refusal.pointer, LIMITS.boundedValueChars);
		const message = `result not admitted (${decision}, ${code}) at ${field || "the answer"}: ${rule}`;
		const next = "The slot is still open and unchanged. Correct the answer and capture it again";
		super("invalid_request", {
			message: bounded(message, LIMITS.failureMessageChars),
			field,
			value: withoutMachinePaths(refusal.value),
			rule,
			next: refusal.hint === undefined ? next : `${refusal.hint}. ${next}`,
		});
		this.name = "AdmissionError";
		this.refusal = refusal;
	}
}

function bindSlot(store: StoreReader, request: SlotBinding): { lineage: Lineage; subject: ArtifactSubject } {
	const lineage = requireLineage(store, request.lineage);
	if (request.expected_revision !== undefined) requireRevision(lineage, request.expected_revision);
	if (lineage.state.state !== "reviewing") {
		throw invalidInput(
			"--lineage",
			request.lineage,
			`open for results: it is in state ${lineage.state.state}`,
			"Run STATUS",
		);
	}
	requireBinding("--target", request.target, lineage.state.initial_snapshot.identity, "the target of this lineage");
	const subject = artifactSubjects(lineage.state, lineage.frozen.manifest)[request.order];
	requireBinding("--order", String(request.order), String(subject?.selected_order), "a selected slot of this lineage");
	if (subject === undefined) throw new Error("a slot that was just found is gone");
	requireBinding("--lens", request.lens, subject.lens, `the lens of slot ${request.order}`);
	if (request.subject_hash !== undefined) {
		requireBinding("--subject-hash", request.subject_hash, subject.subject_hash, "the subject of this slot");
	}
	return { lineage, subject };
}

/** Verifies the binding alone. */
export async function preflightResult(place: Workplace, request: SlotBinding): Promise<SlotPreflight> {
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const { lineage, subject } = bindSlot(store, request);
		return { subject, manifest: lineage.frozen.manifest };
	} finally {
		store.close();
	}
}

export async function captureResult(place: Workplace, request: SlotBinding, raw: Uint8Array): Promise<ResultArtifact> {
	requireReviewsOn(place);
	const reader = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	let bound: ReturnType<typeof bindSlot>;
	try {
		bound = bindSlot(reader, request);
	} finally {
		reader.close();
	}
	const { lineage, subject } = bound;
	const facts = await candidateFacts(place, await frozenChanges(place, lineage), [raw]);
	const admitted = admitResult(raw, admissionSlot(facts, subject));
	if (!admitted.admitted) throw new AdmissionError(admitted);
	const envelope = envelopeOf(subject, admitted);

	const store = writeStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const captured = store.capture(lineage.lineage_id, lineage.revision, subject.selected_order, envelope, raw);
		if (captured === "occupied") {
			throw new ReviewError("invalid_request", {
				message: "another result was captured for this slot before (reviewer_result_slot_occupied)",
				field: "--input",
				rule: "the same bytes as the captured result, or an open slot",
				next: "Run STATUS; it prints the slots that are still open",
			});
		}
		const artifact = artifactOf(envelope, sha256(envelopeBytes(envelope)));
		return await afterCommit(() => {
			const path = store.publishResult(lineage.lineage_id, subject.selected_order, {
				envelope,
				raw,
				sha256: artifact.sha256,
			});
			const { schema, capability, ...rest } = artifact;
			const place = request.opaque ? { reference: resultArtifactReference(artifact) } : { path };
			return { schema, capability, ...place, ...rest };
		});
	} finally {
		store.close();
	}
}
