// The lists and limits of the risk rules, each row with the verdict that the sheet gives it.
import { describe, expect, it } from "vitest";
import {
	assessRisk,
	type ChangedFile,
	contentNeed,
	correctionBudget,
	reasonPhrase,
	selectLenses,
} from "../../packages/gentle-ai/src/review/index.ts";
import { changedFile, type Side, text } from "./changes.ts";

function added(path: string, content = "x\n", mode = "100644"): ChangedFile {
	return changedFile(path, null, text(content, mode));
}

function signalsOf(...files: ChangedFile[]): string[] {
	return assessRisk(files).reasons.map(({ code, signal }) => (signal === undefined ? code : `${code}/${signal}`));
}

describe("hot paths", () => {
	it.each([
		["src/auth.ts", "auth"],
		["AUTH/x.go", "auth"],
		["a/b-auth_c/d.rs", "auth"],
		["internal/reviewtransaction/compact.go", "auth"],
		["internal/reviewtransaction/transaction.go", "auth"],
		["internal/reviewtransaction/compact_store.go", "auth"],
		["internal/reviewtransaction/store.go", "auth"],
		["internal/reviewtransaction/gate.go", "auth"],
		["cmd/self-update/main.go", "update"],
		["docs/security/guide.md", "security"],
		["src/webhook/handler.ts", "security"],
		["payments/index.ts", "payments"],
	])("%s is one", (path, signal) => {
		expect(signalsOf(added(path))).toEqual([`hot_path/${signal}`]);
		expect(assessRisk([added(path)]).tier).toBe("high");
	});

	it.each([
		"src/authentication.ts",
		"src/authz.ts",
		"src/updates.ts",
		"src/payment.ts",
		"src/securityGuard.ts",
		"src/webhooks.ts",
		"internal/reviewtransaction/Store.go",
		"x/internal/reviewtransaction/store.go",
		"internal/reviewtransaction/store.go.md.ts",
	])("%s is none", (path) => {
		expect(signalsOf(added(path))).toEqual(["executable_change"]);
	});

	it("fire for a deletion, a binary and a mode change alike", () => {
		expect(signalsOf(changedFile("auth/a.ts", text("x\n"), null))).toEqual(["hot_path/auth"]);
		expect(signalsOf(added("auth/a.png", "\0"))).toEqual(["hot_path/auth"]);
		expect(signalsOf(changedFile("auth/a.ts", text("x\n"), text("x\n", "100755")))).toEqual([
			"executable_mode/permissions",
			"hot_path/auth",
		]);
	});
});

describe("names of service credentials", () => {
	it.each([
		"a/my-service-token.ts",
		"service_token/x.ts",
		"x/service-token",
		"a/Service_Token.YAML",
		"a/service-token-store.go",
	])("are in %s", (path) => {
		const named = path === "x/service-token" ? `${path}/file.ts` : path;
		expect(signalsOf(added(named))).toEqual(["service_token/auth"]);
	});

	it.each([
		"a/token-service.ts",
		"a/service.token.ts",
		"a/service-x-token.ts",
		"a/service-tokens.ts",
		"docs/service-token.ts",
		"testdata/service-token.ts",
		"a/__fixtures__/service-token.ts",
		"a/README-service-token.ts",
		"a/service-token.txt",
	])("are not in %s", (path) => {
		expect(signalsOf(added(path))).toEqual(["executable_change"]);
	});

	it("need changed text", () => {
		expect(signalsOf(added("a/service-token.ts", ""))).toEqual(["empty_content"]);
	});
});

describe("shell sources", () => {
	it.each(["a.sh", "a.bash", "a.zsh", "A.SH", ".github/workflows/ci.yml", ".github/workflows/deep/ci.yaml"])(
		"are %s",
		(path) => {
			expect(signalsOf(added(path))).toEqual(["shell_source/shell_process"]);
		},
	);

	it.each(["docs/a.sh", "fixtures/a.sh", "a/fixture/b.sh", "Docs/a.sh", "readme.sh"])("are not %s", (path) => {
		expect(signalsOf(added(path))).toEqual(["executable_change"]);
	});

	it("are only the workflows of the repository itself", () => {
		expect(signalsOf(added("sub/.github/workflows/ci.yml"))).toEqual(["configuration_change"]);
	});
});

describe("executable bits", () => {
	it.each([
		["100644", "100755"],
		["100755", "100644"],
	])("that go from %s to %s are a permission change, and name both modes", (old_mode, new_mode) => {
		const { tier, reasons } = assessRisk([changedFile("docs/a.md", text("a\n", old_mode), text("b\n", new_mode))]);
		expect(tier).toBe("high");
		expect(reasons).toEqual([
			{ code: "executable_mode", signal: "permissions", path: "docs/a.md", old_mode, new_mode },
		]);
	});

	it("of a deleted program are a permission change too", () => {
		expect(signalsOf(changedFile("a.py", text("x\n", "100755"), null))).toEqual(["executable_mode/permissions"]);
	});

	it("of a new link or a moved submodule are none", () => {
		expect(signalsOf(added("docs/a.md", "b.md", "120000"))).toEqual(["executable_change"]);
		expect(signalsOf(changedFile("docs/sub.md", text("a", "160000"), text("b", "160000")))).toEqual([
			"executable_change",
		]);
	});
});

describe("the content scan", () => {
	it.each([
		"#!/bin/sh\n",
		"x\n#!y\n",
		"exec",
		"a.exec(b)",
		"EXEC;",
		"import subprocess",
		"# subprocess",
		"'execute_process'",
		"é exec é",
		"éexecé",
		"x\r\nexec\r\n",
	])("fires on %j", (content) => {
		expect(signalsOf(added("tools/a.py", content))).toEqual(["process_boundary/shell_process"]);
		expect(signalsOf(added("notes.txt", content))).toEqual(["process_boundary/shell_process"]);
		expect(signalsOf(added("README.txt", content))).toEqual(["process_boundary/shell_process"]);
		expect(signalsOf(added("app.json", content))).toEqual(["process_boundary/shell_process"]);
	});

	it.each([
		" #!/bin/sh\n",
		"executor",
		"subprocessing",
		"my_exec",
		"exec_",
		"subprocess_helper",
		"exec1",
		"2exec",
		"execute",
	])("does not fire on %j", (content) => {
		expect(signalsOf(added("tools/a.py", content))).toEqual(["executable_change"]);
	});

	it("looks at documentation folders and Markdown not at all", () => {
		expect(signalsOf(added("docs/a.py", "exec\n"))).toEqual(["executable_change"]);
		expect(signalsOf(added("testdata/a.py", "exec\n"))).toEqual(["executable_change"]);
		expect(signalsOf(added("guide.md", "exec\n"))).toEqual(["non_executable_only"]);
	});

	it("looks at the base as well as at the candidate", () => {
		expect(signalsOf(changedFile("a.py", text("exec\n"), text("pass\n")))).toEqual(["process_boundary/shell_process"]);
	});

	it("that ran out of its budget is a reason of its own", () => {
		const file: ChangedFile = { ...added("a.py"), candidate: { kind: "over_limit", size: 9_000_000 } };
		expect(signalsOf(file)).toEqual(["process_scan_limit/shell_process"]);
		expect(assessRisk([file]).tier).toBe("high");
	});

	it("is not stopped by a NUL byte in a source file", () => {
		expect(signalsOf(added("a.py", "\0\nexec\n"))).toEqual(["process_boundary/shell_process"]);
	});
});

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
