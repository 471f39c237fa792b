// What the static reviewer reports about secrets, moved code, conflicts and syntax, and what it leaves alone.
import { describe, expect, it, vi } from "vitest";
import { describeFinding, staticReviewer } from "../../packages/gentle-ai/src/reviewers/static/index.ts";
import { EVAL, found, SECRETS } from "./found.ts";
import { review } from "./view.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("committed secrets", () => {
	it("block in code and warn in tests and docs", async () => {
		const text = `export const token = "${SECRETS.github}";\n`;
		const findings = await found({
			"src/a.ts": { candidate: text },
			"docs/a.md": { candidate: text },
			"test/a.ts": { candidate: text },
		});
		expect(findings.map(({ location, severity }) => [location, severity])).toEqual([
			["src/a.ts:1", "BLOCKER"],
			["docs/a.md:1", "WARNING"],
			["test/a.ts:1", "WARNING"],
		]);
	});

	it("never enter the answer", async () => {
		const lines = Object.values(SECRETS).map((value) => `secret = "${value}"`);
		const { text, answer } = await review(staticReviewer, {
			"conf.ini": { base: "a = 1\n", candidate: `a = 1\n${lines.join("\n")}\n` },
		});
		expect(answer.findings.length).toBeGreaterThan(3);
		for (const value of Object.values(SECRETS)) {
			for (const part of value.split(/[^A-Za-z0-9-]+/).filter((word) => word.length > 9))
				expect(text).not.toContain(part);
		}
		for (const { id = "" } of answer.findings) expect(describeFinding(id)).toMatchObject({ secret: true });
	});

	it("only warn when the password is a stand-in or the host is this machine", async () => {
		const findings = await found({
			"src/db.js": { candidate: `module.exports = "${SECRETS.local.replace("localhost", "127.0.0.1")}";\n` },
		});
		expect(findings.filter(({ severity }) => severity !== "WARNING")).toEqual([]);
	});

	it("are new when only the body of a key changes", async () => {
		const findings = await found({ "k.pem": { base: SECRETS.key, candidate: SECRETS.key.replaceAll("MIIE", "MIIF") } });
		expect(findings).toMatchObject([{ severity: "BLOCKER", rule: "privatekey.PrivateKey" }]);
	});
});

describe("the comparison of both trees", () => {
	it("is silent about what was there, wherever it moved", async () => {
		const base = `exports.run = (value) => ${EVAL};\nexports.token = "${SECRETS.github}";\n`;
		const moved = `// kept\n\nif (1) {\n${base.replace(/^/gm, "\t\t")}\n}\n`;
		expect(await found({ "src/a.js": { base, candidate: moved } })).toEqual([]);
	});

	it("reports a second copy of what was there", async () => {
		const base = `exports.run = (value) => ${EVAL};\n`;
		expect(await found({ "src/a.js": { base, candidate: base + base } })).toMatchObject([
			{ location: "src/a.js:2", severity: "BLOCKER" },
		]);
	});

	it("places a finding on the argument when the call itself did not change", async () => {
		const call = (argument: string) =>
			`const { exec } = require("child_process");\nexports.f = (v) => exec(\n\t${argument},\n);\n`;
		const findings = await found({ "src/a.js": { base: call('"ls"'), candidate: call('"ls " + v') } });
		expect(findings).toMatchObject([{ location: "src/a.js:3", severity: "BLOCKER" }]);
	});

	it("does not block for a line that the candidate left alone", async () => {
		const source = (name: string) => `${name}\nexports.f = (v) => exec("ls " + v);\n`;
		const changes = {
			"src/a.js": {
				base: source('const exec = require("./mine");'),
				candidate: source('const { exec } = require("child_process");'),
			},
		};
		expect(await found(changes)).toMatchObject([{ location: "src/a.js:2", severity: "WARNING" }]);
	});

	it("drops code evaluation in tests", async () => {
		expect(await found({ "test/a.js": { candidate: `exports.run = (value) => ${EVAL};\n` } })).toEqual([]);
	});
});

describe("conflict markers", () => {
	const conflict = ["<<<<<<< HEAD", "a", "=======", "b", ">>>>>>> topic", ""].join("\n");

	it("block in any text, and the parser does not say it again", async () => {
		const findings = await found({
			"a.js": { base: "a\n", candidate: conflict },
			"notes.txt": { candidate: conflict },
			Makefile: { candidate: conflict.replaceAll("\n", "\r\n") },
		});
		expect(findings.map(({ family, severity }) => [family, severity])).toEqual(
			Array(3).fill(["conflict-markers", "BLOCKER"]),
		);
	});

	it("are not a heading, a lone marker, or an example in a fence", async () => {
		const findings = await found({
			"a.md": { candidate: "Title\n=======\n\ntext\n" },
			"b.rst": { candidate: "=======\nTitle\n=======\n>>>>>>> quoted\n" },
			"c.txt": { candidate: "<<<<<<< a lone marker\n" },
			"d.md": { candidate: `\`\`\`\n${conflict}\`\`\`\n` },
		});
		expect(findings).toMatchObject([{ severity: "WARNING", location: "d.md:1".replace("1", "2") }]);
	});
});

describe("broken syntax", () => {
	it("blocks when the base could be parsed, at the change that broke it", async () => {
		const findings = await found({
			"src/a.js": {
				base: "function f() {\n  return 1;\n}\n\nf();\n",
				candidate: "function f() {\n  return (1;\n}\n\nf();\n",
			},
		});
		expect(findings).toMatchObject([{ family: "broken-syntax", severity: "BLOCKER", location: "src/a.js:2" }]);
	});

	it("is silent when the base was broken too, and in fixtures", async () => {
		const findings = await found({
			"src/a.js": { base: "function f( {\n", candidate: "function g( {\n" },
			"test/fixtures/a.js": { candidate: "function g( {\n" },
			"src/flow.js": { candidate: "// @flow\nfunction g(a: ?string): %checks { return a }\n" },
		});
		expect(findings).toEqual([]);
	});

	it("is not what a declaration without a value is", async () => {
		expect(await found({ "src/a.d.ts": { candidate: "export const a: string;\n" } })).toEqual([]);
		expect(await found({ "src/b.d.ts": { candidate: "export = ;\n" } })).toMatchObject([{ severity: "WARNING" }]);
	});

	it("blocks a new file that was never valid", async () => {
		expect(await found({ "src/a.ts": { candidate: "let a = ;\n" } })).toMatchObject([
			{ severity: "BLOCKER", location: "src/a.ts:1" },
		]);
	});
});
