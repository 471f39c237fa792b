// What the static reviewer reports about wrong code, disabled tests and suppressions, and what it leaves alone.
import { beforeAll, describe, expect, it } from "vitest";
import { found, foundInEach, SECRETS, type Short } from "./found.ts";

describe("wrong code", () => {
	const wrong = [
		["an assignment in a condition", "if (u.admin = true) go();", "no-cond-assign", "CRITICAL"],
		["an assignment of a text in a condition", 'if (a = "b") go();', "no-cond-assign", "CRITICAL"],
		["an assignment of a name in a condition", "if (a = b) go();", "no-cond-assign", "WARNING"],
		["a loop over matches", "while (m = next()) go(m);", "no-cond-assign", "WARNING"],
		["a search in a condition", "if (m = re.exec(s)) go(m);", "no-cond-assign", "WARNING"],
		["equal keys", "go({ a: 1, a: 2 });", "no-dupe-keys", "CRITICAL"],
		["an empty catch", "try { go(); } catch {}", "no-empty", "WARNING"],
		["NaN", "if (a === NaN) go();", "use-isnan", "WARNING"],
		["a debugger", "debugger;", "no-debugger", "WARNING"],
	] as const;
	const fine = [
		["a comparison", "if (u.admin === true) go();"],
		["a parenthesised assignment", "while ((m = next())) go(m);"],
		["a documented empty catch", "try { go(); } catch { /* gone already */ }"],
		["a name that only the environment knows", "describe(document.title, () => process.exit(jQuery));"],
		["a constant loop", "while (true) go();"],
	] as const;
	const results: Short[][] = [];
	beforeAll(async () => {
		const lines = [...wrong, ...fine].map(([, code]) => ["src/a.js", code] as const);
		results.push(...(await foundInEach(lines)));
	}, 60_000);

	it.each(wrong.map((row, index) => [...row, index] as const))("reports %s", (_, __, rule, severity, index) => {
		expect(results[index]).toMatchObject([{ rule, severity, location: "2" }]);
	});

	it.each(fine.map((row, index) => [...row, wrong.length + index] as const))("is silent about %s", (_, __, index) => {
		expect(results[index]).toEqual([]);
	});

	it("reports focused and skipped tests in test paths", async () => {
		const findings = await found({
			"test/a.js": { base: "\n", candidate: 'it.only("a", () => {});\nit.skip("b", () => {});\nxit("c", () => {});\n' },
		});
		expect(findings.map(({ rule, location }) => [rule, location]).sort()).toEqual([
			["no-disabled-tests", "test/a.js:2"],
			["no-disabled-tests", "test/a.js:3"],
			["no-focused-tests", "test/a.js:1"],
		]);
	});
});

describe("suppressions", () => {
	const lines = [
		["a.js", "/* eslint-disable */", "eslint-disable"],
		["a.ts", "// oxlint-disable-next-line no-empty", "oxlint-disable"],
		["a.ts", "// biome-ignore lint: why", "biome-ignore"],
		["a.ts", "// @ts-ignore", "ban-ts-comment"],
		["a.ts", "// @ts-nocheck", "ban-ts-comment"],
		["a.yml", "# secretlint-disable-line", "secretlint-disable"],
		["a.py", "import os  # noqa: F401", "noqa"],
		["a.py", "x = f()  # type: ignore[attr]", "type-ignore"],
		["a.py", "x = f()  # nosec B603", "nosec"],
		["a.go", "//nolint:errcheck", "nolint"],
		["a.cc", "int a; // NOLINT", "nolint"],
		["a.py", "f()  # nosemgrep", "nosemgrep"],
	] as const;
	const results: Short[][] = [];
	beforeAll(async () => {
		results.push(...(await foundInEach(lines.map(([name, line]) => [name, line]))));
	}, 60_000);

	it.each(lines.map((row, index) => [...row, index] as const))("in %s: %s is reported once", (_, __, rule, index) => {
		expect(results[index]).toMatchObject([{ family: "suppression", rule, severity: "WARNING" }]);
	});

	it("are silent in a string, in prose, and when they were there", async () => {
		const findings = await found({
			"a.js": { base: "// eslint-disable-line\n", candidate: "a();\n  // eslint-disable-line\n" },
			"b.js": { candidate: 'const words = "eslint-disable noqa";\n' },
			"c.md": { candidate: "Use // eslint-disable-line or # noqa.\n" },
		});
		expect(findings).toEqual([]);
	});

	it("do not switch an engine off", async () => {
		const findings = await found({
			"a.js": { base: "\n", candidate: "/* eslint-disable */\n/* oxlint-disable */\ngo({ a: 1, a: 2 });\n" },
			"b.ini": { base: "\n", candidate: `# secretlint-disable\ntoken = ${SECRETS.github}\n` },
		});
		expect(
			findings.filter(({ family }) => family !== "suppression").map(({ rule, severity }) => [rule, severity]),
		).toEqual([
			["github.GITHUB_TOKEN", "BLOCKER"],
			["no-dupe-keys", "CRITICAL"],
		]);
	});
});
