// Builds changed files in memory, with line counts from a diff of our own.
import { assessRisk, type ChangedFile, type Content } from "../../packages/gentle-ai/src/review/index.ts";

export type Side = {
	readonly mode: string;
	readonly text?: string;
	readonly base64?: string;
	readonly text_repeat?: readonly [line: string, times: number];
} | null;

export function bytesOf(side: NonNullable<Side>): Buffer {
	if (side.base64 !== undefined) return Buffer.from(side.base64, "base64");
	if (side.text_repeat !== undefined) return Buffer.from(`${side.text_repeat[0]}\n`.repeat(side.text_repeat[1]));
	return Buffer.from(side.text ?? "");
}

function linesOf(side: Side): string[] {
	if (side === null) return [];
	const lines = bytesOf(side).toString("latin1").split("\n");
	const last = lines.pop();
	return last === "" || last === undefined ? lines : [...lines, `${last} without LF`];
}

/** The length of the longest common subsequence, row by row. */
function commonLines(left: readonly string[], right: readonly string[]): number {
	let row = right.map(() => 0);
	for (const line of left) {
		let diagonal = 0;
		let before = 0;
		row = row.map((above, index) => {
			const here: number = line === right[index] ? diagonal + 1 : Math.max(above, before);
			diagonal = above;
			before = here;
			return here;
		});
	}
	return row.at(-1) ?? 0;
}

function contentOf(side: Side): Content {
	if (side === null) return { kind: "absent" };
	const bytes = bytesOf(side);
	if (!side.mode.startsWith("100")) return { kind: "opaque", size: bytes.length, has_nul: false };
	return { kind: "text", bytes };
}

function statusOf(old: Side, candidate: Side): ChangedFile["status"] {
	if (old === null) return "A";
	if (candidate === null) return "D";
	return old.mode.slice(0, 2) === candidate.mode.slice(0, 2) ? "M" : "T";
}

export function changedFile(path: string, old: Side, candidate: Side): ChangedFile {
	const status = statusOf(old, candidate);
	const [before, after] = [linesOf(old), linesOf(candidate)];
	// A file that becomes another type is removed and added whole.
	const common = status === "T" ? 0 : commonLines(before, after);
	return {
		path,
		status,
		old_mode: old?.mode ?? "000000",
		new_mode: candidate?.mode ?? "000000",
		mode_only: old !== null && candidate !== null && status === "M" && bytesOf(old).equals(bytesOf(candidate)),
		additions: after.length - common,
		deletions: before.length - common,
		base: contentOf(old),
		candidate: contentOf(candidate),
	};
}

export function text(content: string, mode = "100644"): NonNullable<Side> {
	return { mode, text: content };
}

export function added(path: string, content = "x\n", mode = "100644"): ChangedFile {
	return changedFile(path, null, text(content, mode));
}

export function signalsOf(...files: ChangedFile[]): string[] {
	return assessRisk(files).reasons.map(({ code, signal }) => (signal === undefined ? code : `${code}/${signal}`));
}
