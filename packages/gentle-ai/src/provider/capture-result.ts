// CAPTURE-RESULT: one reviewer answer into its slot, admitted or refused. The same bytes again are the same capture.
import { type Lineage, readStore, type StoreReader, writeStore } from "../authority/index.ts";
import { sha256 } from "../contract/canonical.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { resultArtifactReference } from "../contract/handles.ts";
import { envelopeBytes } from "../contract/identities.ts";
import { LIMITS } from "../contract/limits.ts";
import { type PatchSubject, patchSubject } from "../contract/patch.ts";
import { bounded, withoutMachinePaths } from "../contract/paths.ts";
import type { ArtifactSubject, ManifestEntry, ResultArtifact } from "../contract/state.ts";
import type { Lens } from "../contract/vocabulary.ts";
import { type AdmissionRefusal, type Admitted, admitResult, artifactSubjects } from "../review/index.ts";
import { afterCommit, type Workplace } from "./caller.ts";
import { requireBinding, requireLineage, requireRevision } from "./lookup.ts";
import { requireReviewsOn } from "./mode.ts";
import {
	admissionSlot,
	artifactOf,
	candidateFacts,
	envelopeOf,
	frozenChanges,
	frozenDiff,
	type SlotSubject,
} from "./slots.ts";

export type SlotBinding = {
	readonly lineage: string;
	readonly target: string;
	readonly lens: Lens;
	readonly order: number;
	readonly expected_revision: string | undefined;
	/** Selects the transport; without it the answer's own hash does. */
	readonly subject_hash: string | undefined;
	/** How the durable envelope is named in the answer: by path, or by an opaque reference. */
	readonly opaque: boolean;
};

export type SlotPreflight = {
	readonly subject: SlotSubject;
	readonly base_tree: string;
	readonly candidate_tree: string;
	readonly manifest: readonly ManifestEntry[];
};

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
	return { lineage, subject };
}

/** The slot's subject as the caller names it: by its trees, or by its patch. */
async function namedSubject(
	place: Workplace,
	{ lineage, subject }: ReturnType<typeof bindSlot>,
	hash: string | undefined,
): Promise<SlotSubject> {
	if (hash === undefined || hash === subject.subject_hash) return subject;
	const patch = await patchOf(place, lineage, subject);
	requireBinding("--subject-hash", hash, patch?.subject_hash ?? subject.subject_hash, "the subject of this slot");
	return patch ?? subject;
}

/** The subject of contract v1; undefined where the candidate is too large for it, so that nobody was asked through it. */
async function patchOf(
	place: Workplace,
	lineage: Lineage,
	subject: ArtifactSubject,
): Promise<PatchSubject | undefined> {
	try {
		return patchSubject(subject, (await frozenDiff(place, lineage)).sha256);
	} catch (error) {
		if (error instanceof ReviewError && error.code === "candidate_context_unavailable") return undefined;
		throw error;
	}
}

/** Admits the answer for the subject that it names. */
async function admit(
	place: Workplace,
	bound: ReturnType<typeof bindSlot>,
	hash: string | undefined,
	raw: Uint8Array,
): Promise<{ subject: SlotSubject; admitted: Admitted }> {
	const { lineage } = bound;
	const subject = await namedSubject(place, bound, hash);
	const facts = await candidateFacts(place, await frozenChanges(place, lineage), [raw]);
	const admitted = admitResult(raw, admissionSlot(facts, subject));
	if (admitted.admitted) return { subject, admitted };
	if (hash !== undefined || admitted.code !== "subject_hash_mismatch") throw new AdmissionError(admitted);
	const patch = await patchOf(place, lineage, bound.subject);
	if (patch === undefined) throw new AdmissionError(admitted);
	const second = admitResult(raw, admissionSlot(facts, patch));
	if (!second.admitted) throw new AdmissionError(second);
	return { subject: patch, admitted: second };
}

/** Verifies the binding alone. */
export async function preflightResult(place: Workplace, request: SlotBinding): Promise<SlotPreflight> {
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const bound = bindSlot(store, request);
		const { base_tree, candidate_tree } = bound.subject;
		const subject = await namedSubject(place, bound, request.subject_hash);
		return { subject, base_tree, candidate_tree, manifest: bound.lineage.frozen.manifest };
	} finally {
		store.close();
	}
}

/** Admits the answer as a capture would, and keeps nothing. */
export async function dryRunResult(place: Workplace, request: SlotBinding, raw: Uint8Array): Promise<SlotSubject> {
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		return (await admit(place, bindSlot(store, request), request.subject_hash, raw)).subject;
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
	const { lineage } = bound;
	const { subject, admitted } = await admit(place, bound, request.subject_hash, raw);
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
