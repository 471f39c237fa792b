// The frozen candidate as the engines get it: text by side, and for everything that is not text the facts about it.
import { ReviewError } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import { bounded } from "../../contract/paths.ts";
import type { ManifestEntry } from "../../contract/state.ts";
import type { Blob, CandidateView, Side } from "../reviewer.ts";
import { languageOf } from "./policy.ts";

/** Text of one side. `parsed`: small enough for the engines that build a tree. `nul`: it holds NUL bytes. */
export type SideText = { readonly text: string; readonly parsed: boolean; readonly nul: boolean };

export type Input = {
	readonly entry: ManifestEntry;
	readonly language: string;
	readonly base: SideText | undefined;
	readonly candidate: SideText | undefined;
	/** Why there is nothing to read as text or to parse on the candidate's side, in words for the evidence. */
	readonly skipped: string | undefined;
};

function isRegular(mode: string): boolean {
	return mode.startsWith("100");
}

function factsOf(mode: string): string {
	if (mode === "120000") return `link, mode ${mode}`;
	if (mode === "160000") return `submodule, mode ${mode}`;
	return `mode ${mode}`;
}

function unreadable(path: string): ReviewError {
	const shown = bounded(path, LIMITS.boundedValueChars);
	return new ReviewError("candidate_context_unavailable", {
		message: bounded(`The frozen content of ${shown} cannot be read`, LIMITS.failureMessageChars),
		field: "candidate",
		value: shown,
		rule: "every changed file must be read",
		next: "Start the review again",
	});
}

/**
 * NUL bytes make a file binary for Git. In a source file they are a hiding place instead (a comment may hold them), so
 * there they are read as spaces.
 */
function textOf(path: string, bytes: Uint8Array): SideText | undefined {
	const nul = bytes.subarray(0, LIMITS.binarySniffBytes).includes(0);
	if (nul && languageOf(path) === "") return undefined;
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\0", " ");
	return { text, parsed: bytes.byteLength <= LIMITS.parsedFileBytes, nul };
}

function sideText(path: string, blob: Blob | undefined): SideText | undefined {
	if (blob === undefined) throw unreadable(path);
	return blob.bytes === undefined ? undefined : textOf(path, blob.bytes);
}

async function readSide(view: CandidateView, side: Side): Promise<ReadonlyMap<string, Blob>> {
	const paths = view.manifest
		.filter(
			(entry) => isRegular(side === "base" ? entry.old_mode : entry.new_mode) && !entry.deleted && !entry.mode_only,
		)
		.map(({ path }) => path);
	return paths.length === 0 ? new Map() : view.blobs(side, paths, LIMITS.contentScanBytes);
}

function whySkipped(entry: ManifestEntry, blob: Blob | undefined, text: SideText | undefined): string | undefined {
	if (entry.deleted) return "deleted";
	if (!isRegular(entry.new_mode)) return factsOf(entry.new_mode);
	if (entry.mode_only) return `only its mode changed, ${entry.old_mode} to ${entry.new_mode}`;
	const size = `${blob?.size ?? 0} bytes, ${factsOf(entry.new_mode)}`;
	if (blob?.bytes === undefined) return `too large to read as text, ${size}`;
	if (text === undefined) return `binary, ${size}`;
	return text.parsed ? undefined : `text rules and secrets only, ${size}`;
}

/** Rejects with a `ReviewError` when the view does not give what it promised. */
export async function readInputs(view: CandidateView): Promise<Input[]> {
	const [base, candidate] = await Promise.all([readSide(view, "base"), readSide(view, "candidate")]);
	return view.manifest.map((entry) => {
		const { path } = entry;
		const readable = isRegular(entry.new_mode) && !entry.deleted && !entry.mode_only;
		const blob = candidate.get(path);
		const after = readable ? sideText(path, blob) : undefined;
		const before = readable && isRegular(entry.old_mode) ? sideText(path, base.get(path)) : undefined;
		return {
			entry,
			language: languageOf(path, after?.text ?? ""),
			base: before,
			candidate: after,
			skipped: whySkipped(entry, blob, after),
		};
	});
}
