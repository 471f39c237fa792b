// What a repository path may look like in the contract, and how a path is shown to a person.

/** Non-empty, slash-separated, clean, relative, and without NUL or backslash. */
export function isLogicalPath(path: string): boolean {
	if (path === "" || path.includes("\0") || path.includes("\\")) return false;
	return path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

export function pathSegments(path: string): readonly string[] {
	return path.split("/");
}

export function baseName(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

/** The extension with its dot, lower case; empty for `Makefile` and for `.env`. */
export function extensionOf(path: string): string {
	const name = baseName(path);
	const dot = name.lastIndexOf(".");
	return dot <= 0 ? "" : name.slice(dot).toLowerCase();
}

const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text of the candidate made safe for a terminal: controls, bidi and invisible characters become visible escapes. */
export function visible(text: string): string {
	return text.replace(UNSAFE, (char) => {
		const code = char.codePointAt(0) ?? 0;
		return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
	});
}

/** `value` cut to `limit` characters, safe to show, with an ellipsis where it was cut. */
export function bounded(value: string, limit: number): string {
	const shown = visible(value.toWellFormed());
	if (shown.length <= limit) return shown;
	// Never half of a surrogate pair.
	const cut = shown.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "");
	return `${cut}…`;
}

const ABSOLUTE_PATH = /(^|[\s"'(=])(?:[A-Za-z]:)?\/[^\s"');]*/g;

/** Text without any path of this machine. */
export function withoutMachinePaths(text: string): string {
	return text.replace(ABSOLUTE_PATH, "$1<path>");
}
