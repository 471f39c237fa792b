// What is low and what is medium, what of a file must be read for that, and the phrases that tell a reason.
import { describe, expect, it } from "vitest";
import { assessRisk, contentNeed, reasonPhrase } from "../../packages/gentle-ai/src/review/index.ts";
import { added, changedFile, type Side, text } from "./changes.ts";

describe("a low tier", () => {
	it.each([
		"guide.md",
		"docs/a.rst",
		"a.adoc",
		"GUIDE.MD",
		"src/notes.md",
		"docs/commander.md",
		"a/ruler/b.md",
		"internal/x/assets/a.md",
	])("is for prose at %s", (path) => {
		const { tier, reasons } = assessRisk([added(path)]);
		expect(tier).toBe("low");
		expect(reasons).toEqual([{ code: "non_executable_only" }]);
	});

	it.each([
		"a.mdx",
		"a.svg",
		"a.txt",
		"a.html",
		"LICENSE",
		"AGENTS.md",
		"x/Claude.md",
		"GEMINI.md",
		"kimi.md",
		"soul.md",
		"tools.md",
		"skill.md",
		".github/copilot-instructions.md",
		".github/a.md",
		".claude/a.md",
		".codex/a.md",
		".cursor/a.md",
		".gemini/a.md",
		".kiro/a.md",
		".kilo/a.md",
		".opencode/a.md",
		".windsurf/a.md",
		".agent/a.md",
		".agents/a.md",
		"openspec/a.md",
		"runtime/a.md",
		"runtimes/a.md",
		"Agent/a.md",
		"agents/a.md",
		"command/a.md",
		"commands/a.md",
		"prompt/a.md",
		"prompts/a.md",
		"rule/a.md",
		"rules/a.md",
		"skill/a.md",
		"skills/a.md",
		"workflow/a.md",
		"workflows/a.md",
		"internal/assets/a.md",
		"internal/runtime/a.md",
		"internal/templates/a.md",
		"docs/my-agent.md",
		"docs/agents_list/a.md",
		"docs/system prompt.md",
		"docs/instructions.v2.md",
		"docs/orchestrator.md",
		"docs/release-workflow.md",
		"docs/the-rules.md",
		"docs/command.line.md",
		"docs/runtimes.md",
	])("is not for %s", (path) => {
		expect(assessRisk([added(path)]).tier).not.toBe("low");
	});

	it.each<[string, Side, Side]>([
		["a script", null, text("#!/bin/sh\n")],
		["a script behind a byte order mark", null, text("\ufeff#!/bin/sh\n")],
		["a NUL after the first kilobytes", null, text(`${"x".repeat(9_000)}\n\0\n`)],
		["text that is no UTF-8", null, { mode: "100644", base64: "/w==" }],
		["what used to be no UTF-8", { mode: "100644", base64: "/w==" }, text("a\n")],
		["a link", null, text("x.md", "120000")],
		["a submodule", null, text("0".repeat(40), "160000")],
		["what used to be a link", text("x.md", "120000"), text("a\n")],
		["an executable file", text("a\n", "100755"), text("b\n", "100755")],
		["a group-writable mode", text("a\n", "100664"), text("b\n", "100664")],
		["a mode-only change", text("a\n", "100664"), text("a\n", "100644")],
	])("is not for prose that is %s", (_, old, candidate) => {
		expect(assessRisk([changedFile("docs/a.md", old, candidate)]).tier).not.toBe("low");
	});

	it("is for prose behind a byte order mark, for a deletion, and for an empty file of prose", () => {
		expect(assessRisk([added("a.md", "\ufeffHello\n")]).tier).toBe("low");
		expect(assessRisk([changedFile("a.md", text("a\n"), null)]).tier).toBe("low");
		expect(assessRisk([added("a.md", "")]).tier).toBe("low");
	});

	it("is for the empty change", () => {
		expect(assessRisk([])).toEqual({
			tier: "low",
			reasons: [{ code: "non_executable_only" }],
			changed_lines: 0,
			large_documentation: false,
		});
	});
});

describe("configuration", () => {
	it.each([
		".env",
		".env.local",
		"x/.ENV",
		"go.mod",
		"go.sum",
		"package.json",
		"pnpm-lock.yaml",
		"yarn.lock",
		"Dockerfile",
		"MAKEFILE",
		"a.json",
		"a.yml",
		"a.yaml",
		"a.toml",
		"a.ini",
		"prod.env",
		"docs/a.json",
	])("is %s", (path) => {
		const { tier, reasons } = assessRisk([added(path)]);
		expect(tier).toBe("medium");
		expect(reasons).toEqual([{ code: "configuration_change", path }]);
	});

	it("is named only where it comes before other code", () => {
		expect(assessRisk([added("a.json"), added("b.ts")]).reasons).toEqual([
			{ code: "configuration_change", path: "a.json" },
		]);
		expect(assessRisk([added("a.ts"), added("b.json")]).reasons).toEqual([{ code: "executable_change", path: "a.ts" }]);
	});
});

describe("published phrases", () => {
	it("exist for every reason but the two that describe the whole change", () => {
		for (const locale of ["en", "es"] as const) {
			for (const code of [
				"service_token",
				"shell_source",
				"process_boundary",
				"process_scan_limit",
				"executable_mode",
				"executable_change",
				"configuration_change",
				"empty_content",
			] as const) {
				expect(reasonPhrase({ code, path: "a/b.ts" }, locale), code).toContain("a/b.ts");
			}
			for (const signal of ["auth", "update", "security", "payments"] as const) {
				expect(reasonPhrase({ code: "hot_path", signal, path: "a/b.ts" }, locale), signal).toContain("a/b.ts");
			}
			expect(reasonPhrase({ code: "large_change" }, locale)).toBeUndefined();
			expect(reasonPhrase({ code: "non_executable_only" }, locale)).toBeUndefined();
		}
	});
});

describe("what must be read", () => {
	it("is all of a scanned or passive file, a head of the rest, and nothing of a generated one", () => {
		const needs = [
			"a.ts",
			"a.json",
			"a.txt",
			"a.md",
			"a.mdx",
			"a.bin",
			"AGENTS.md",
			"docs/a.ts",
			"testdata/golden/a.ts",
		];
		expect(needs.map(contentNeed)).toEqual(["text", "text", "text", "text", "text", "sniff", "sniff", "none", "none"]);
	});
});
