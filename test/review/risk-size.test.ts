// What counts as a line, what a large change is, and the lenses and the budget that follow.
import { describe, expect, it } from "vitest";
import { assessRisk, correctionBudget, selectLenses } from "../../packages/gentle-ai/src/review/index.ts";
import { added, changedFile, type Side, signalsOf, text } from "./changes.ts";

describe("authored lines", () => {
	it("leave out generated golden files at any depth, and nothing that only looks like them", () => {
		const golden = ["testdata/golden/a", "a/testdata/golden/b/c.go"].map((path) => added(path));
		const other = ["testdata/goldens/a", "testdata/x/golden/a", "Testdata/golden/a", "testdata/golden"].map((path) =>
			added(path),
		);
		expect(assessRisk(golden).changed_lines).toBe(0);
		expect(assessRisk(other).changed_lines).toBe(other.length);
	});

	it("count a source file in full, whatever a NUL byte makes Git call it", () => {
		expect(assessRisk([added("a.ts", "a\n\0\nb\n")]).changed_lines).toBe(3);
	});

	it("leave out binary files and mode-only entries", () => {
		expect(assessRisk([added("a.bin", "a\n\0\nb\n")]).changed_lines).toBe(0);
		expect(assessRisk([changedFile("a.ts", text("a\n"), text("a\n", "100755"))]).changed_lines).toBe(0);
	});

	it("count deleted text, links and submodules", () => {
		const files = [
			changedFile("a.ts", text("a\nb\n"), null),
			added("b", "target", "120000"),
			changedFile("sub", text("a", "160000"), text("b", "160000")),
		];
		expect(assessRisk(files).changed_lines).toBe(2 + 1 + 2);
	});
});

describe("a large change", () => {
	const lines = (count: number): Side => ({ mode: "100644", text_repeat: ["x", count] });

	it("of code is high, of more than 400 lines in all, not in one file", () => {
		const at400 = [changedFile("a.ts", null, lines(200)), changedFile("b.ts", null, lines(200))];
		expect(assessRisk(at400).tier).toBe("medium");
		const at401 = [...at400, changedFile("c.ts", null, lines(1))];
		expect(assessRisk(at401)).toMatchObject({ tier: "high", reasons: [{ code: "large_change" }], changed_lines: 401 });
	});

	it("of documentation and one line of code is high", () => {
		const risk = assessRisk([changedFile("a.md", null, lines(400)), changedFile("b.ts", null, lines(1))]);
		expect(risk).toMatchObject({ tier: "high", reasons: [{ code: "large_change" }] });
	});

	it("of documentation and one line of configuration is high", () => {
		const risk = assessRisk([changedFile("a.md", null, lines(400)), changedFile("b.json", null, lines(1))]);
		expect(risk).toMatchObject({ tier: "high", reasons: [{ code: "large_change" }] });
	});

	it("keeps its own reason beside a signal", () => {
		expect(signalsOf(changedFile("auth/a.ts", null, lines(401)))).toEqual(["hot_path/auth", "large_change"]);
	});

	it("of static MDX is medium, of running MDX high", () => {
		const prose = "Text with `{code}` and more.\n```js\nimport x from 'y'\n```\n".repeat(120);
		const risk = assessRisk([changedFile("book/a.mdx", null, text(prose))]);
		expect(risk).toMatchObject({
			tier: "medium",
			reasons: [{ code: "large_change" }, { code: "non_executable_only" }],
		});
		expect(selectLenses(risk, "risk")).toEqual(["review-readability"]);
		for (const running of [
			"import x from 'y'\n",
			"export const a = 1\n",
			"<Chart />\n",
			"{1 + 1}\n",
			"a } b\n",
			"```\nopen\n",
		]) {
			const file = changedFile("book/a.mdx", null, text(prose + running));
			expect(assessRisk([file]).tier, running).toBe("high");
		}
	});

	it.each([
		["a backtick fence whose info holds a backtick is no fence", "```a`b\n<Chart />\n```\n"],
		["escaped backticks quote nothing", "\\`{1 + 1}\\`\n"],
		["an unbalanced backtick quotes nothing", "a ` b {1 + 1}\n"],
		["a longer run of backticks does not close a shorter one", "`a `` {1 + 1}\n"],
		["a block comment before an import hides nothing", "/* x */ import a from 'b'\n"],
		["a byte order mark before an import hides nothing", "\ufeffimport a from 'b'\n"],
	])("of MDX that only looks static is high: %s", (_, running) => {
		const file = changedFile("book/a.mdx", null, text(`${running}${"Text.\n".repeat(401)}`));
		expect(assessRisk([file]).tier).toBe("high");
	});
});

describe("lenses and budget", () => {
	it("are none, one by focus, or the four in order", () => {
		const low = assessRisk([added("a.md")]);
		const medium = assessRisk([added("a.ts")]);
		const high = assessRisk([added("auth/a.ts")]);
		expect(selectLenses(low, "risk")).toEqual([]);
		for (const focus of ["risk", "resilience", "readability", "reliability"] as const) {
			expect(selectLenses(medium, focus)).toEqual([`review-${focus}`]);
			expect(selectLenses(high, focus)).toEqual([
				"review-risk",
				"review-resilience",
				"review-readability",
				"review-reliability",
			]);
		}
	});

	it("refuse a number of lines that cannot be", () => {
		for (const lines of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
			expect(() => correctionBudget(lines)).toThrow();
		}
	});
});
