// Runs the published cases of citations, finding locations and causality.
import { describe, expect, it } from "vitest";
import { type Location, parseLocation } from "../../packages/gentle-ai/src/contract/location.ts";
import type { CausalDisposition } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { changedSide } from "../../packages/gentle-ai/src/review/admission/location.ts";
import {
	type CandidateFacts,
	citations,
	isCausallyProven,
	proofKind,
} from "../../packages/gentle-ai/src/review/index.ts";
import { parseSuite, readData } from "../contract/data.ts";

type Input =
	| { readonly kind: "reference"; readonly value: string }
	| { readonly kind: "location"; readonly value: string }
	| { readonly kind: "causality"; readonly location: string; readonly causal_disposition: CausalDisposition };
type Expect = {
	readonly cited: readonly string[];
	readonly path: string;
	/** A text, because one published line does not fit in a double. */
	readonly start: string;
	readonly end: string;
	readonly reason?: string;
	readonly proven: boolean;
};

const source = readData("behaviour", "path-references.json").replace(/"(start|end)": (\d+)/g, '"$1": "$2"');
const suite = parseSuite<Input, Expect, { repository_files: readonly string[] }>(source);

/**
 * The default change, by hand. tracked.txt: same, old, keep, removed, stable becomes same, new, changed, stable, added:
 * `@@ -2,3 +2,2 @@` and `@@ -5,0 +5 @@`. deleted.txt loses its one line: `@@ -1 +0,0 @@`.
 */
const CHANGE: CandidateFacts = {
	manifest_paths: ["deleted.txt", "tracked.txt"],
	changed_lines: (path) => {
		if (path === "tracked.txt") {
			return {
				candidate: [
					{ start: 2, count: 2 },
					{ start: 5, count: 1 },
				],
				base: [
					{ start: 2, count: 3 },
					{ start: 5, count: 0 },
				],
			};
		}
		if (path === "deleted.txt") return { candidate: [{ start: 0, count: 0 }], base: [{ start: 1, count: 1 }] };
		return undefined;
	},
	candidate_line_count: (path) => (path === "tracked.txt" ? 5 : undefined),
};

function located(text: string): Location {
	const parsed = parseLocation(text);
	if (!parsed.ok) throw new Error(`${text}: ${parsed.reason}`);
	return parsed.location;
}

function check(input: Input, expected: Expect): void {
	switch (input.kind) {
		case "reference":
			expect(citations(input.value, (path) => suite.defaults.repository_files.includes(path))).toEqual(expected.cited);
			return;
		case "location":
			expect(parseLocation(input.value)).toEqual(
				expected.reason === undefined
					? { ok: true, location: { path: expected.path, start: BigInt(expected.start), end: BigInt(expected.end) } }
					: { ok: false, reason: expected.reason },
			);
			return;
		case "causality":
			expect(isCausallyProven(located(input.location), input.causal_disposition, CHANGE)).toBe(expected.proven);
			return;
	}
}

describe("published behaviour: path references", () => {
	for (const { id, input, expect: expected, why } of suite.cases) {
		it(`${id}: ${why}`, () => {
			check(input, expected);
		});
	}
});

describe("a citation", () => {
	const files = new Set(["internal/a.go", "main.go", "Makefile", "weird:name.go", "a-b.go", "dir.d/x", "(x).go"]);
	it.each<[string, readonly string[]]>([
		["see internal/a.go:1-3.", ["internal/a.go:1-3"]],
		["(main.go:1), [internal/a.go:2]; {main.go:3}", ["main.go:1", "internal/a.go:2", "main.go:3"]],
		["differential-test:main.go:4", ["main.go:4"]],
		["before-after: internal/a.go:5", ["internal/a.go:5"]],
		["candidate-created-path:main.go:6", ["main.go:6"]],
		["weird:name.go:7", ["weird:name.go:7"]],
		["`Makefile`:8", ["Makefile:8"]],
		["Makefile:9", []],
		["main.go:0", []],
		["main.go:000", []],
		["main.go:010", ["main.go:010"]],
		["main.go:3-", []],
		["main.go", []],
		["https://x/main.go:3", []],
		["", []],
		["'", []],
	])("in %j is %j", (value, cited) => {
		expect(citations(value, (path) => files.has(path))).toEqual(cited);
	});

	it("may say of which kind of proof it is", () => {
		expect(proofKind("changed-hunk:a.go:1")).toBe("changed-hunk");
		expect(proofKind("before-after a.go:1")).toBe("before-after");
		expect(proofKind("changed-hunks:a.go:1")).toBeUndefined();
		expect(proofKind("a.go:1")).toBeUndefined();
	});
});

describe("a location", () => {
	it.each([
		["", "expected_path_and_line"],
		[":", "expected_path_and_line"],
		[":1", "expected_path_and_line"],
		["a.go:1-", "line_suffix_not_integer"],
		["a.go:--1", "line_suffix_not_integer"],
		["a.go: 1", "line_suffix_not_integer"],
		["a.go:1 ", "line_suffix_not_integer"],
		["a.go:0x1", "line_suffix_not_integer"],
		["a.go:١", "line_suffix_not_integer"],
		["a.go:00", "line_must_be_positive"],
		["a.go:5-0", "line_must_be_positive"],
		["a.go:1-9223372036854775808", "line_overflows_integer"],
		["a.go:9223372036854775808-1", "line_overflows_integer"],
		["c:/a.go:3-2", "range_must_be_ascending"],
		["z:/a.go:1", "path_must_be_repository_relative"],
		["./a.go:1", "path_must_be_canonical"],
		["a//b.go:1", "path_must_be_canonical"],
		["a\\b.go:1", "path_must_be_canonical"],
		["a\0.go:1", "path_must_be_canonical"],
		["a:/b.go/:1", "path_must_be_repository_relative"],
		["ab:/b.go:1", "path_must_be_canonical"],
		["x:..:1", "path_must_be_canonical"],
		["a::1", "path_must_be_canonical"],
	])("%j is refused: %s", (value, reason) => {
		expect(parseLocation(value)).toEqual({ ok: false, reason });
	});

	it("may have a colon, a space and any script in its path", () => {
		expect(located("docs/秘密 a:b.md:7-9")).toEqual({ path: "docs/秘密 a:b.md", start: 7n, end: 9n });
	});
});

describe("a changed line", () => {
	it.each<[string, "candidate" | "base" | undefined]>([
		["tracked.txt:2", "candidate"],
		["tracked.txt:2-3", "candidate"],
		["tracked.txt:2-4", "base"],
		["tracked.txt:4", "base"],
		["tracked.txt:5", "candidate"],
		["tracked.txt:1", undefined],
		["tracked.txt:6", undefined],
		["tracked.txt:3-5", undefined],
		["deleted.txt:1", "base"],
		["deleted.txt:2", undefined],
		["other.txt:1", undefined],
	])("%s is one of the side %s", (text, side) => {
		expect(changedSide(located(text), CHANGE)).toBe(side);
	});

	it("is never found where a hunk only marks a point", () => {
		const facts: CandidateFacts = {
			manifest_paths: ["a"],
			changed_lines: () => ({ candidate: [{ start: 3, count: 0 }], base: [] }),
			candidate_line_count: () => 5,
		};
		for (const line of [2, 3, 4]) expect(changedSide(located(`a:${line}`), facts)).toBeUndefined();
	});

	it("is needed by no claim but introduced and worsened", () => {
		expect(isCausallyProven(located("tracked.txt:1"), "behavior-activated", CHANGE)).toBe(true);
		for (const disposition of ["pre-existing", "base-only", "unknown"] as const) {
			expect(isCausallyProven(located("tracked.txt:2"), disposition, CHANGE)).toBe(false);
		}
	});
});
