// Paths as Git prints them, turned into text exactly or refused (threat A8).
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { isLogicalPath } from "../contract/paths.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const NEXT = "Rename the file, or take it out of the reviewed change";

/** A path from Git's bytes. Two different names never become one: bytes that are not UTF-8 are refused. */
export function pathFromBytes(bytes: Uint8Array): string {
	// No file has an empty name: the index that named it is damaged.
	if (bytes.length === 0) throw new ReviewError("git_command_failed", { message: "git printed a path without a name" });
	let path: string;
	try {
		path = strict.decode(bytes);
	} catch {
		throw invalidInput("path", Buffer.from(bytes).toString("latin1"), "valid UTF-8", NEXT);
	}
	if (!isLogicalPath(path)) throw invalidInput("path", path, "a path that the contract can carry", NEXT);
	return path;
}

/** The fields of NUL-terminated output. */
export function splitNul(output: Buffer): Buffer[] {
	const fields: Buffer[] = [];
	let start = 0;
	for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
		fields.push(output.subarray(start, end));
		start = end + 1;
	}
	return fields;
}

const ESCAPES: Readonly<Record<string, number>> = {
	a: 7,
	b: 8,
	t: 9,
	n: 10,
	v: 11,
	f: 12,
	r: 13,
	'"': 34,
	"\\": 92,
};

/** Undoes Git's C-style quoting of a path (`core.quotePath=true`). */
export function unquotePath(text: string): string {
	if (!text.startsWith('"')) return pathFromBytes(Buffer.from(text, "latin1"));
	const bytes: number[] = [];
	for (let at = 1; at < text.length - 1; at += 1) {
		if (text[at] !== "\\") {
			bytes.push(text.charCodeAt(at));
			continue;
		}
		const octal = /^[0-7]{3}/.exec(text.slice(at + 1, at + 4))?.[0];
		if (octal !== undefined) {
			bytes.push(Number.parseInt(octal, 8));
			at += 3;
		} else {
			bytes.push(ESCAPES[text[at + 1] ?? ""] ?? 63);
			at += 1;
		}
	}
	return pathFromBytes(Uint8Array.from(bytes));
}
