// What bytes say about risk: does a file start processes, is prose really passive, is a file binary.
import { LIMITS } from "../../contract/limits.ts";
import type { ChangedFile, Content } from "./change.ts";
import { isConfiguration, isSource } from "./paths.ts";

// The contract's extended regular expression, matched per line, case-insensitively, on bytes read as Latin-1 so that
// any byte outside ASCII counts as "not alphanumeric", as in the C locale.
const PROCESS_BOUNDARY = /^#!|(?:^|[^a-z0-9_])(?:subprocess|execute_process|exec)(?:[^a-z0-9_]|$)/im;

/** Git's own test: a NUL in the first bytes. */
export function looksBinary(bytes: Uint8Array): boolean {
	return bytes.subarray(0, LIMITS.binarySniffBytes).includes(0);
}

/** A NUL does not hide a file from this scan: the safe direction is up. */
export function startsProcesses(content: Content): boolean {
	return content.kind === "text" && PROCESS_BOUNDARY.test(Buffer.from(content.bytes).toString("latin1"));
}

function hasNul(content: Content): boolean {
	if (content.kind === "text") return looksBinary(content.bytes);
	return content.kind === "opaque" && content.has_nul;
}

/** Binary files do not count lines. A source or configuration file counts whatever a stray NUL makes of it. */
export function isBinary(file: ChangedFile): boolean {
	if (isSource(file.path) || isConfiguration(file.path)) return false;
	return hasNul(file.base) || hasNul(file.candidate);
}

const BOM = "\ufeff";

function decodeProse(bytes: Uint8Array): string | undefined {
	try {
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
		return text.startsWith(BOM) ? text.slice(1) : text;
	} catch {
		return undefined;
	}
}

/** Valid UTF-8 without NUL that does not start with `#!`; an absent side is passive. */
export function isPassiveProse(content: Content): boolean {
	if (content.kind === "absent") return true;
	if (content.kind !== "text" || content.bytes.includes(0)) return false;
	const text = decodeProse(content.bytes);
	return text !== undefined && !text.startsWith("#!");
}

// The info string of a backtick fence holds no backtick; otherwise it is inline code.
const FENCE = /^ {0,3}(?:(`{3,})[^`]*$|(~{3,}))/;

function withoutInlineCode(line: string): string {
	return line.replace(/(`+)(?:(?!\1)[^`]|`(?!\1))*?\1(?!`)/g, "");
}

/** MDX without imports, exports, expressions and markup outside code: it runs nothing. */
export function isStaticMdx(content: Content): boolean {
	if (!isPassiveProse(content)) return false;
	if (content.kind !== "text") return true;
	let fence: string | undefined;
	for (const line of (decodeProse(content.bytes) ?? "").split("\n")) {
		const match = FENCE.exec(line);
		const mark = match?.[1] ?? match?.[2];
		if (fence !== undefined) {
			if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
			continue;
		}
		if (mark !== undefined) {
			fence = mark;
			continue;
		}
		const text = withoutInlineCode(line);
		// A backtick that is left over, or escaped, could pair with one on another line and set code free.
		if (/[{}<`]/.test(text) || line.includes("\\`") || /^\s*(?:\/\*.*?\*\/\s*)*(?:import|export)\b/.test(text))
			return false;
	}
	return fence === undefined;
}
