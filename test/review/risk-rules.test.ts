// The signals of risk: the lists of each rule, every row with the verdict that the sheet gives it.
import { describe, expect, it } from "vitest";
import { assessRisk, type ChangedFile } from "../../packages/gentle-ai/src/review/index.ts";
import { added, changedFile, signalsOf, text } from "./changes.ts";

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
