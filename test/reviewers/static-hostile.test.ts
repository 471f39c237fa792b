// What a hostile candidate can do to the static reviewer: at worst it is refused with a name.
import { describe, expect, it, vi } from "vitest";
import { describeFinding, staticReviewer } from "../../packages/gentle-ai/src/reviewers/static/index.ts";
import { EVAL, refusal, SECRETS } from "./found.ts";
import { admit, type Change, review } from "./view.ts";

vi.setConfig({ testTimeout: 120_000 });

describe("hostile names", () => {
	it("keep their findings admissible and their proofs printable", async () => {
		const names = [
			"src/new\nline.js",
			"src/\"quoted\" 'name' `x`.js",
			"-c.js",
			"src/$(touch x).js",
			"src/..js",
			"src/...js",
			"CON.js",
			"src/\u001b[31mred\u202e.js",
			"a:1.js",
		];
		const candidate = `exports.run = (value) => ${EVAL};\n`;
		const changes = Object.fromEntries(names.map((name) => [name, { candidate }]));
		const { text, answer } = await review(staticReviewer, changes);
		expect(admit(text, changes)).toMatchObject({ admitted: true });
		expect(answer.findings.map(({ location }) => location).sort()).toEqual(names.map((name) => `${name}:1`).sort());
		for (const words of [...answer.evidence, ...answer.findings.flatMap(({ proof_refs }) => proof_refs)]) {
			expect(words).not.toMatch(/[\u0000-\u001f\u202e]/);
		}
	});

	it.each(["src/::error::.js", "C:/a.js"])(
		"that would make a location of another path are refused: %s",
		async (name) => {
			await refusal(review(staticReviewer, { [name]: { candidate: `exports.run = (value) => ${EVAL};\n` } }));
		},
	);

	it("with a space in front are refused, since a location would lose it", async () => {
		await refusal(review(staticReviewer, { " a.js": { candidate: `exports.run = (value) => ${EVAL};\n` } }));
	});
});

describe("a candidate that brings its own rules", () => {
	it("is judged by ours", async () => {
		const off = JSON.stringify({ rules: { "no-dupe-keys": "off" }, ignorePatterns: ["**"], eslintConfig: {} });
		const changes: Record<string, Change> = {
			".oxlintrc.json": { candidate: off },
			"src/.oxlintrc.json": { candidate: off },
			".eslintignore": { candidate: "**\n" },
			".secretlintrc.json": { candidate: '{"rules":[]}' },
			".secretlintignore": { candidate: "**\n" },
			"sgconfig.yml": { candidate: "ruleDirs: []\n" },
			"src/a.js": { candidate: "go({ a: 1, a: 2 });\n" },
			"conf.ini": { candidate: `token = ${SECRETS.github}\n` },
		};
		const { answer } = await review(staticReviewer, changes);
		expect(answer.findings.map(({ id = "" }) => describeFinding(id)?.rule)).toEqual([
			"github.GITHUB_TOKEN",
			"no-dupe-keys",
		]);
	});
});

describe("content that is no plain text", () => {
	it("cannot hide code behind a NUL byte", async () => {
		const { answer } = await review(staticReviewer, {
			"a.js": { candidate: `/*\0*/ exports.run = (value) => ${EVAL};\n` },
		});
		expect(answer.findings).toMatchObject([{ severity: "BLOCKER", location: "a.js:1" }]);
	});

	it("is taken for binary elsewhere", async () => {
		const { answer } = await review(staticReviewer, { "a.bin": { candidate: `\0 token = ${SECRETS.github}\n` } });
		expect(answer.findings).toEqual([]);
		expect(answer.evidence.join("\n")).toContain("facts of a.bin: binary");
	});

	it("of more than one MiB is searched for secrets and markers only, and of more than eight by its size", async () => {
		const line = `// ${"x".repeat(97)}\n`;
		const { answer } = await review(staticReviewer, {
			"big.js": {
				candidate: `exports.run = (value) => ${EVAL};\nexports.token = "${SECRETS.github}";\n${line.repeat(11_000)}`,
			},
			"huge.txt": { candidate: "x".repeat(9 * 1024 * 1024) },
		});
		expect(answer.findings).toMatchObject([{ severity: "BLOCKER", location: "big.js:2" }]);
		expect(answer.evidence.join("\n")).toMatch(
			/big\.js: text rules and secrets only[\s\S]*huge\.txt: too large to read as text, 9437184 bytes/,
		);
	});

	it.each([
		["one line of three million characters", "x".repeat(3_000_000)],
		["lone surrogates and invalid UTF-8", new Uint8Array([0xff, 0xfe, 0xed, 0xa0, 0x80, 0x0a])],
		["a byte order mark and CRLF", `\ufeffexports.a = 1;\r\nexports.run = (value) => ${EVAL};\r\n`],
		["nothing", ""],
		["40,000 markers", "<<<<<<< a\n=======\n".repeat(20_000)],
		["100,000 schemes", "postgres://".repeat(100_000)],
	])("is survived: %s", async (_, candidate) => {
		const changes = { "src/a.js": { base: "go();\n", candidate } };
		const { text } = await review(staticReviewer, changes);
		expect(admit(text, changes)).toMatchObject({ admitted: true });
	});

	it("cannot make the judge walk names exponentially often", async () => {
		const names = Array.from({ length: 60 }, (_, index) => `const a${index} = a${index + 1} + a${index + 1};`);
		const changes = {
			"src/a.js": { candidate: `${names.join("\n")}\nconst a60 = "x";\n${EVAL.replace("value", "a0")};\n` },
		};
		expect((await review(staticReviewer, changes)).answer.findings).toEqual([]);
	});

	it("cannot hide a call in parentheses", async () => {
		const changes = {
			"src/a.js": { candidate: `exports.run = (value) => ${"(".repeat(60)}eval${")".repeat(60)}(value);\n` },
		};
		expect((await review(staticReviewer, changes)).answer.findings).toMatchObject([{ severity: "BLOCKER" }]);
	});

	it("cannot flood the answer", async () => {
		const changes = { "src/a.py": { candidate: `${EVAL}\n`.repeat(20_000) } };
		const { text, answer } = await review(staticReviewer, changes);
		expect(admit(text, changes)).toMatchObject({ admitted: true });
		expect(answer.evidence.at(-1)).toContain("18000 more findings are left out");
	});
});
