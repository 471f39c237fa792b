// Reads what Git prints about the differences of two trees, from its byte stream: raw entries, then the hunks of every
// path. Patches are counted while they stream and never kept.
import { compareBytes } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { unquotePath } from "./paths.ts";

export type HunkRange = { readonly start: number; readonly count: number };

/** One path that differs, by its facts alone. */
export type TreeEntry = {
	readonly path: string;
	readonly status: "A" | "D" | "M" | "T";
	readonly old_mode: string;
	readonly new_mode: string;
	readonly old_id: string;
	readonly new_id: string;
};

/** One path that differs, with the lines that its content changes. */
export type TreeChange = TreeEntry & {
	readonly additions: number;
	readonly deletions: number;
	/** Lines of each side that the hunks touch; counts of 0 mark pure insertions or deletions. */
	readonly base_hunks: readonly HunkRange[];
	readonly candidate_hunks: readonly HunkRange[];
};

type Draft = TreeEntry & {
	additions: number;
	deletions: number;
	base_hunks: HunkRange[];
	candidate_hunks: HunkRange[];
	/** A type change is printed as a removal and an addition. */
	sections: number;
};

const RAW = /^:([0-7]{6}) ([0-7]{6}) ([0-9a-f]+) ([0-9a-f]+) ([ADMTU])\t(.*)$/;
const HUNK = /^@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@/;
const LF = 10;
/** Headers hold two quoted paths; Git's own limit on paths is far below this. */
const HEADER_BYTES = 64 * 1024;

function unreadable(): ReviewError {
	return new ReviewError("git_command_failed", { message: "the output of git diff-tree could not be read" });
}

function inPathOrder<Entry extends TreeEntry>(entries: Entry[]): Entry[] {
	return entries.sort((left, right) => compareBytes(left.path, right.path));
}

function unmerged(): ReviewError {
	return new ReviewError("git_command_failed", {
		message: "the index holds paths with unresolved conflicts, so it is no tree",
		next: "Resolve the conflicts and stage the result, or review the work tree instead",
	});
}

/** Reads `diff-tree --raw --patch -U0` from its byte stream. */
export class ChangeReader {
	readonly changes: Draft[] = [];
	private rawBytes = 0;
	private sections = 0;
	private entry = -1;
	private sectionsLeft = 0;
	private current: Draft | undefined;
	private oldLeft = 0;
	private newLeft = 0;
	/** The start of a line that is not complete yet; only its first byte matters inside a hunk. */
	private head: Buffer[] = [];
	private headBytes = 0;
	private skipping = false;

	push(chunk: Buffer): void {
		let start = 0;
		for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
			this.piece(chunk.subarray(start, end));
			this.line();
			start = end + 1;
		}
		this.piece(chunk.subarray(start));
	}

	finish(): TreeChange[] {
		if (this.headBytes > 0 || this.oldLeft > 0 || this.newLeft > 0) throw unreadable();
		const expected = this.changes.reduce((sum, change) => sum + change.sections, 0);
		if (this.sections !== expected) throw unreadable();
		return inPathOrder(this.changes.map(({ sections: _, ...change }) => change));
	}

	/** The entries of an output without patches. */
	finishEntries(): TreeEntry[] {
		if (this.headBytes > 0 || this.sections > 0) throw unreadable();
		return inPathOrder(
			this.changes.map(({ path, status, old_mode, new_mode, old_id, new_id }) => ({
				path,
				status,
				old_mode,
				new_mode,
				old_id,
				new_id,
			})),
		);
	}

	private get inHunk(): boolean {
		return this.oldLeft > 0 || this.newLeft > 0;
	}

	private piece(bytes: Buffer): void {
		if (bytes.length === 0 || this.skipping) return;
		if (this.inHunk) {
			this.head = [bytes.subarray(0, 1)];
			this.headBytes = 1;
			this.skipping = true;
			return;
		}
		this.headBytes += bytes.length;
		if (this.headBytes > HEADER_BYTES) throw unreadable();
		this.head.push(bytes);
	}

	private line(): void {
		const text = Buffer.concat(this.head).toString("latin1");
		this.head = [];
		this.headBytes = 0;
		this.skipping = false;
		if (this.inHunk) this.hunkLine(text);
		else if (this.sections === 0 && text.startsWith(":")) this.rawLine(text);
		else this.headerLine(text);
	}

	private rawLine(text: string): void {
		this.rawBytes += text.length;
		if (this.rawBytes > LIMITS.manifestBytes) {
			throw new ReviewError("git_command_failed", {
				message: `the list of changed paths is larger than ${LIMITS.manifestBytes} bytes`,
				next: "Review the change in smaller parts",
			});
		}
		const match = RAW.exec(text);
		if (match === null) throw unreadable();
		const [, old_mode = "", new_mode = "", old_id = "", new_id = "", status = "", path = ""] = match;
		if (status === "U") throw unmerged();
		this.changes.push({
			path: unquotePath(path),
			status: status as TreeChange["status"],
			old_mode,
			new_mode,
			old_id,
			new_id,
			additions: 0,
			deletions: 0,
			base_hunks: [],
			candidate_hunks: [],
			sections: status === "T" ? 2 : 1,
		});
	}

	private headerLine(text: string): void {
		if (text.startsWith("diff --git ")) this.nextSection();
		else if (text.startsWith("@@ ")) this.hunk(text);
	}

	private nextSection(): void {
		this.sections += 1;
		if (this.sectionsLeft === 0) {
			this.entry += 1;
			this.current = this.changes[this.entry];
			this.sectionsLeft = this.current?.sections ?? 0;
		}
		if (this.current === undefined) throw unreadable();
		this.sectionsLeft -= 1;
	}

	private hunk(text: string): void {
		const match = HUNK.exec(text);
		if (match === null || this.current === undefined) throw unreadable();
		const [, oldStart, oldCount = "1", newStart, newCount = "1"] = match;
		this.oldLeft = Number(oldCount);
		this.newLeft = Number(newCount);
		this.current.deletions += this.oldLeft;
		this.current.additions += this.newLeft;
		this.current.base_hunks.push({ start: Number(oldStart), count: this.oldLeft });
		this.current.candidate_hunks.push({ start: Number(newStart), count: this.newLeft });
	}

	private hunkLine(text: string): void {
		const mark = text[0];
		if (mark === "-") this.oldLeft -= 1;
		else if (mark === "+") this.newLeft -= 1;
		else if (mark !== "\\") throw unreadable();
		if (this.oldLeft < 0 || this.newLeft < 0) throw unreadable();
	}
}
