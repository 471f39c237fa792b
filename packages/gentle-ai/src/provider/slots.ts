// What the frozen trees say about each reviewer slot, and whether what was captured still holds against them.

import type { Lineage, SlotContent, StoreReader } from "../authority/index.ts";
import { canonicalJson } from "../contract/canonical.ts";
import { type CandidateDiff, type PatchSubject, patchSubject } from "../contract/patch.ts";
import { isLogicalPath } from "../contract/paths.ts";
import type { AdmittedResult, ArtifactSubject } from "../contract/state.ts";
import type { CapturedArtifact } from "../contract/transition.ts";
import { candidateDiff, readBlobs, readChanges, type TreeChange } from "../git/index.ts";
import {
	type AdmissionSlot,
	type Admitted,
	admitResult,
	artifactSubjects,
	type CandidateFacts,
	type CapturedSlot,
} from "../review/index.ts";
import type { Workplace } from "./caller.ts";

function lineCount(bytes: Uint8Array): number {
	let lines = 0;
	for (const byte of bytes) if (byte === 0x0a) lines += 1;
	return bytes.length > 0 && bytes.at(-1) !== 0x0a ? lines + 1 : lines;
}

/** Line counts are asked for only by one disposition, so the blobs are read only when an answer uses it. */
const NEEDS_LINE_COUNTS = "behavior-activated";

async function candidateLineCounts(
	place: Workplace,
	changes: readonly TreeChange[],
): Promise<ReadonlyMap<string, number>> {
	const files = changes.filter(({ new_mode }) => new_mode === "100644" || new_mode === "100755");
	const blobs = await readBlobs(
		place.session,
		place.repository,
		files.map(({ new_id }) => ({ id: new_id, take: () => "all" as const })),
		0,
	);
	return new Map(files.map(({ path }, index) => [path, lineCount(blobs[index]?.bytes ?? new Uint8Array())]));
}

/** The facts that admission asks for, from the frozen trees. `answers` are the raw texts that will be admitted. */
export async function candidateFacts(
	place: Workplace,
	changes: readonly TreeChange[],
	answers: readonly Uint8Array[],
): Promise<CandidateFacts> {
	const byPath = new Map(changes.map((change) => [change.path, change]));
	const needed = answers.some((raw) => Buffer.from(raw).includes(NEEDS_LINE_COUNTS));
	const counts = needed ? await candidateLineCounts(place, changes) : new Map<string, number>();
	return {
		manifest_paths: changes.map(({ path }) => path),
		changed_lines: (path) => {
			const change = isLogicalPath(path) ? byPath.get(path) : undefined;
			return change && { base: change.base_hunks, candidate: change.candidate_hunks };
		},
		candidate_line_count: (path) => counts.get(path),
	};
}

/** The changes between the frozen trees of a lineage, from the repository's own objects. */
export function frozenChanges(place: Workplace, lineage: Lineage): Promise<TreeChange[]> {
	const { base_tree, candidate_tree } = lineage.state.initial_snapshot;
	return readChanges(place.session, place.repository, base_tree, candidate_tree);
}

/** The frozen candidate as one patch, from the repository's own objects. */
export function frozenDiff(place: Workplace, lineage: Pick<Lineage, "state">): Promise<CandidateDiff> {
	const { base_tree, candidate_tree } = lineage.state.initial_snapshot;
	return candidateDiff(place.session, place.repository, base_tree, candidate_tree);
}

/** The subject of a slot under either transport. */
export type SlotSubject = ArtifactSubject | PatchSubject;

export function admissionSlot(facts: CandidateFacts, subject: SlotSubject): AdmissionSlot {
	return { ...facts, lens: subject.lens, subject_hash: subject.subject_hash };
}

export function envelopeOf(subject: SlotSubject, admitted: Admitted): AdmittedResult {
	const body = {
		admission: {
			schema: "gentle-ai.review-artifact-admission/v1" as const,
			decision: "completed" as const,
			subject_hash: subject.subject_hash,
			raw_sha256: admitted.raw_sha256,
			canonical_sha256: admitted.canonical_sha256,
			result_hash: admitted.result_hash,
			candidate_causal_finding_ids: [...admitted.candidate_causal_finding_ids],
		},
		result: admitted.result,
	};
	return subject.schema === "gentle-ai.review-artifact-subject/v2"
		? { schema: "gentle-ai.review-admitted-result/v2", subject, ...body }
		: { schema: "gentle-ai.review-admitted-result/v1", subject, ...body };
}

export function artifactOf(envelope: AdmittedResult, sha256: string): CapturedArtifact {
	const { subject } = envelope;
	return {
		schema: "gentle-ai.review-result-artifact/v2",
		capability: "review.native_result_artifact",
		sha256,
		lineage_id: subject.lineage_id,
		target_identity: subject.target_identity,
		lens: subject.lens,
		selected_order: subject.selected_order,
		subject_hash: subject.subject_hash,
		admission_decision: "completed",
	};
}

export type Captured = {
	readonly subjects: readonly ArtifactSubject[];
	readonly slots: readonly CapturedSlot[];
	/** Admitted again from the raw bytes, in slot order; undefined where the slot is open or does not verify. */
	readonly results: readonly (AdmittedResult | undefined)[];
	readonly facts: CandidateFacts;
};

/** Each slot's subject under the transport that its stored result was captured through. */
async function storedSubjects(
	place: Workplace,
	lineage: Lineage,
	subjects: readonly ArtifactSubject[],
	stored: readonly SlotContent[],
): Promise<SlotSubject[]> {
	const patched = (slot: SlotContent): boolean =>
		typeof slot === "object" && slot.envelope.schema === "gentle-ai.review-admitted-result/v1";
	if (!stored.some(patched)) return [...subjects];
	const diff = await frozenDiff(place, lineage);
	return subjects.map((subject, order) => (patched(stored[order]) ? patchSubject(subject, diff.sha256) : subject));
}

/** Reads every slot of a reviewing lineage and admits its raw bytes again: what is stored is never believed. */
export async function readCaptured(
	place: Workplace,
	store: StoreReader,
	lineage: Lineage,
	changes: readonly TreeChange[],
): Promise<Captured> {
	const subjects = artifactSubjects(lineage.state, lineage.frozen.manifest);
	const stored = subjects.map(({ selected_order }) => store.slot(lineage.lineage_id, selected_order));
	const answers = stored.flatMap((slot) => (slot === undefined || slot === "unverifiable" ? [] : [slot.raw]));
	const facts = await candidateFacts(place, changes, answers);
	const bound = await storedSubjects(place, lineage, subjects, stored);
	const results: (AdmittedResult | undefined)[] = [];
	const slots = subjects.map((subject, order): CapturedSlot => {
		const slot = stored[order];
		results[order] = undefined;
		if (slot === undefined) return { status: "open" };
		if (slot === "unverifiable") return { status: "unverifiable" };
		const admitted = admitResult(slot.raw, admissionSlot(facts, bound[order] ?? subject));
		if (!admitted.admitted) return { status: "unverifiable" };
		const envelope = envelopeOf(bound[order] ?? subject, admitted);
		if (canonicalJson(envelope) !== canonicalJson(slot.envelope)) return { status: "unverifiable" };
		results[order] = envelope;
		return { status: "captured", artifact: artifactOf(envelope, slot.sha256) };
	});
	return { subjects, slots, results, facts };
}
