// A candidate in memory: what a reviewer sees, made from texts.
import { sha256 } from "../../packages/gentle-ai/src/contract/canonical.ts";
import type { ReviewerAnswer } from "../../packages/gentle-ai/src/contract/payloads.ts";
import type { ManifestEntry } from "../../packages/gentle-ai/src/contract/state.ts";
import type { Lens } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { type AdmissionRefusal, type Admitted, admitResult } from "../../packages/gentle-ai/src/review/index.ts";
import type { CandidateView, LineSpan, Reviewer, Slot } from "../../packages/gentle-ai/src/reviewers/reviewer.ts";

type Content = string | Uint8Array;
export type Change = {
	readonly base?: Content;
	readonly candidate?: Content;
	/** Mode of the candidate's side; a regular file unless said otherwise. */
	readonly mode?: string;
	readonly modeOnly?: boolean;
};

function bytesOf(content: Content): Uint8Array {
	return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function linesOf(content: Content | undefined): string[] {
	if (content === undefined) return [];
	const text = typeof content === "string" ? content : new TextDecoder().decode(content);
	const lines = text.split("\n");
	if (lines.at(-1) === "") lines.pop();
	return lines;
}

/** Lengths of the longest common subsequences of all suffixes. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
	const table = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
	for (let i = before.length - 1; i >= 0; i -= 1) {
		for (let j = after.length - 1; j >= 0; j -= 1) {
			const row = table[i] ?? [];
			const below = table[i + 1] ?? [];
			row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
		}
	}
	return table;
}

type Hunks = { base: LineSpan[]; candidate: LineSpan[] };

/** Hunks without context, as Git writes them: an empty side names the line before the gap. */
function hunks(before: readonly string[], after: readonly string[]): Hunks {
	let head = 0;
	while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
	const from = before.slice(head);
	const to = after.slice(head);
	const table = commonLengths(from, to);
	const found: Hunks = { base: [], candidate: [] };
	let [i, j] = [0, 0];
	while (i < from.length || j < to.length) {
		if (i < from.length && j < to.length && from[i] === to[j]) {
			i += 1;
			j += 1;
			continue;
		}
		const [startI, startJ] = [i, j];
		while ((i < from.length || j < to.length) && !(i < from.length && j < to.length && from[i] === to[j])) {
			const skipBase = j >= to.length || (i < from.length && (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0));
			if (skipBase) i += 1;
			else j += 1;
		}
		const span = (start: number, end: number) => ({ start: head + start + (end > start ? 1 : 0), count: end - start });
		found.base.push(span(startI, i));
		found.candidate.push(span(startJ, j));
	}
	return found;
}

function entryOf(path: string, change: Change): ManifestEntry {
	const deleted = change.candidate === undefined && change.mode === undefined;
	return {
		path,
		status: change.base === undefined ? "A" : deleted ? "D" : "M",
		old_mode: change.base === undefined ? "000000" : "100644",
		new_mode: deleted ? "000000" : (change.mode ?? "100644"),
		deleted,
		type_changed: false,
		mode_only: change.modeOnly ?? false,
		intended_untracked: false,
	};
}

export function viewOf(changes: Readonly<Record<string, Change>>): CandidateView {
	return {
		base_tree: "1".repeat(40),
		candidate_tree: "2".repeat(40),
		manifest: Object.entries(changes).map(([path, change]) => entryOf(path, change)),
		changedLines: (path) => hunks(linesOf(changes[path]?.base), linesOf(changes[path]?.candidate)),
		blobs: async (side, paths, maxBytes) =>
			new Map(
				paths.map((path) => {
					const content = changes[path]?.[side];
					if (content === undefined) throw new Error(`the reviewer asked for the ${side} of ${path}, which has none`);
					const bytes = bytesOf(content);
					return [path, { size: bytes.length, bytes: bytes.length <= maxBytes ? bytes : undefined }];
				}),
			),
	};
}

export function slotFor(lens: Lens, consolidated: boolean): Slot {
	return { lens, selected_order: 0, subject_hash: sha256(lens), consolidated };
}

const consolidatedSlot = slotFor("review-reliability", true);

export type Reviewed = { readonly text: string; readonly answer: ReviewerAnswer; readonly notes: readonly string[] };

export async function review(
	reviewer: Reviewer,
	changes: Readonly<Record<string, Change>>,
	slot: Slot = consolidatedSlot,
): Promise<Reviewed> {
	const session = reviewer.open(viewOf(changes));
	const text = await session.answer(slot, () => undefined, new AbortController().signal);
	return { text, answer: JSON.parse(text), notes: session.notes() };
}

export function admit(
	text: string,
	changes: Readonly<Record<string, Change>>,
	slot: Slot = consolidatedSlot,
): Admitted | AdmissionRefusal {
	const view = viewOf(changes);
	return admitResult(new TextEncoder().encode(text), {
		lens: slot.lens,
		subject_hash: slot.subject_hash,
		manifest_paths: view.manifest.map(({ path }) => path),
		changed_lines: (path) => (changes[path] === undefined ? undefined : view.changedLines(path)),
		candidate_line_count: (path) => linesOf(changes[path]?.candidate).length,
	});
}
