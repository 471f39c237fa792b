// Logical paths, and text from outside made safe to show.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseName, bounded, extensionOf, isLogicalPath, visible } from "../../packages/gentle-ai/src/contract/paths.ts";

describe("a logical path", () => {
	it.each([
		"a",
		"a/b.ts",
		"..a/b",
		"a..",
		".env",
		".github/workflows/ci.yml",
		"a b/ü'\"\n.md",
		"C:/x",
		"weird:name.go",
		"-x",
		"…",
	])("may be %j", (path) => {
		expect(isLogicalPath(path)).toBe(true);
	});

	it.each([
		"",
		"/",
		"/a",
		"a/",
		"a//b",
		".",
		"..",
		"./a",
		"../a",
		"a/.",
		"a/..",
		"a/../b",
		"a/./b",
		"a\\b",
		"\\",
		"a\0b",
	])("may not be %j", (path) => {
		expect(isLogicalPath(path)).toBe(false);
	});

	it.each([
		["a/b.TS", ".ts", "b.TS"],
		["Makefile", "", "Makefile"],
		[".env", "", ".env"],
		["x/.env.production", ".production", ".env.production"],
		["a.tar.gz", ".gz", "a.tar.gz"],
		["a.b/c", "", "c"],
	])("%j has the extension %j and the name %j", (path, extension, name) => {
		expect(extensionOf(path)).toBe(extension);
		expect(baseName(path)).toBe(name);
	});
});

describe("text from outside, made visible", () => {
	it.each([
		["an escape sequence", "\u001b[31mred", "\\x1b[31mred"],
		["an operating system command", "\u001b]52;c;AAAA\u0007", "\\x1b]52;c;AAAA\\x07"],
		["a carriage return that would overwrite the line", "safe\rEVIL", "safe\\x0dEVIL"],
		["a line break, a tab, a backspace and a NUL", "\n\t\b\0", "\\x0a\\x09\\x08\\x00"],
		["delete and the C1 controls", "\u007f\u0080\u009b31m\u009f", "\\x7f\\x80\\x9b31m\\x9f"],
		[
			"bidirectional overrides",
			"\u202aa\u202bb\u202cc\u202dd\u202ee",
			"\\u{202a}a\\u{202b}b\\u{202c}c\\u{202d}d\\u{202e}e",
		],
		["bidirectional isolates", "\u2066a\u2067b\u2068c\u2069d", "\\u{2066}a\\u{2067}b\\u{2068}c\\u{2069}d"],
		["directional marks", "\u200ea\u200fb\u061cc", "\\u{200e}a\\u{200f}b\\u{61c}c"],
		[
			"zero width characters",
			"a\u200bb\u200cc\u200dd\u2060e\ufefff",
			"a\\u{200b}b\\u{200c}c\\u{200d}d\\u{2060}e\\u{feff}f",
		],
		["line and paragraph separators", "a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
		["tag characters that spell hidden text", "a\u{e0041}\u{e007f}", "a\\u{e0041}\\u{e007f}"],
	])("shows %s", (_, text, shown) => {
		expect(visible(text)).toBe(shown);
	});

	it("leaves ordinary text of every script alone", () => {
		const text = "plain 'quoted' ünïcödé 秘密 עברית العربية 😀 \\x1b";
		expect(visible(text)).toBe(text);
	});

	it("holds no control or direction character afterwards, for any text, and showing it twice changes nothing", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => {
				const shown = visible(text);
				expect(shown).not.toMatch(/\p{Cc}|\p{Bidi_Control}|[\u{e0000}-\u{e007f}\u200b-\u200d\u2060\ufeff]/u);
				expect(visible(shown)).toBe(shown);
			}),
			{ numRuns: 1_000 },
		);
	});
});

describe("bounded text", () => {
	it("is the visible text where that fits, and ends in an ellipsis where it was cut", () => {
		expect(bounded("abcd", 4)).toBe("abcd");
		expect(bounded("abcde", 4)).toBe("abc…");
		expect(bounded("\u001b", 4)).toBe("\\x1b");
		expect(bounded("\u001b[", 4)).toBe("\\x1…");
	});

	it("is never longer than its limit, for any text", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 40 }), (text, limit) => {
				expect(bounded(text, limit).length).toBeLessThanOrEqual(limit);
			}),
		);
	});

	it("never ends in half a character", () => {
		fc.assert(
			fc.property(fc.string({ unit: fc.constantFrom("a", "😀") }), fc.integer({ min: 1, max: 10 }), (text, limit) => {
				expect(bounded(text, limit).isWellFormed()).toBe(true);
			}),
		);
	});
});
