// The analysers' processes: small, bounded, cleaned up; and one that dies or is missing never passes for a clean review.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createStaticReviewer, staticReviewer } from "../../packages/gentle-ai/src/reviewers/static/index.ts";
import { askEngine, engineFile } from "../../packages/gentle-ai/src/reviewers/static/process.ts";
import { refusal } from "./found.ts";
import { type Change, review, slotFor, viewOf } from "./view.ts";

vi.setConfig({ testTimeout: 120_000 });

const before = process.env.TMPDIR;
let folder = "";

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), "static-test-"));
	process.env.TMPDIR = path.join(folder);
});

afterAll(() => {
	if (before === undefined) delete process.env.TMPDIR;
	else process.env.TMPDIR = before;
	rmSync(folder, { recursive: true });
});

function leftovers(): string[] {
	return readdirSync(folder).filter((name) => name.startsWith("gentle-static-"));
}

/** An engine whose answer is the value of a JavaScript expression; `request` and `name` are what it was given. */
function stub(expression: string): string {
	const file = path.join(folder, `stub-${Math.random().toString(36).slice(2)}.mjs`);
	const source = [
		'import * as fs from "node:fs";',
		"const name = process.argv[2];",
		'const request = JSON.parse(fs.readFileSync(0, "utf8"));',
		'const clean = { ok: true, version: "stub 1.0.0", rules: 1, hits: [] };',
		`const answer = ${expression};`,
		"process.stdout.write(JSON.stringify(answer));",
	];
	writeFileSync(file, source.join("\n"));
	return file;
}

describe("an engine that dies", () => {
	it("on nested parentheses refuses the review and names the file and the engine", async () => {
		const changes: Record<string, Change> = {
			"src/deep\n.js": { candidate: `${"(".repeat(20_000)}1${")".repeat(20_000)}` },
		};
		for (let index = 0; index < 9; index += 1) changes[`src/${index}.js`] = { candidate: `exports.a = ${index};\n` };
		const error = await refusal(review(staticReviewer, changes));
		expect(error.message).toContain("src/deep\\x0a.js");
		expect(error.message).toContain("oxlint");
		expect(leftovers()).toEqual([]);
	});

	it("is found among many files", async () => {
		const entry = stub(
			'request.files.some(({ text }) => text.includes("KILL")) ? process.kill(process.pid, "SIGKILL") : clean',
		);
		const changes: Record<string, Change> = {};
		for (let index = 0; index < 20; index += 1)
			changes[`f${index}.txt`] = { candidate: index === 13 ? "KILL" : "fine" };
		expect((await refusal(review(createStaticReviewer(entry), changes))).message).toContain("f13.txt");
	});

	it.each([
		["with an exit code", "process.exit(1)"],
		["after nonsense", '"nonsense"'],
		["after an answer with an unknown field", "{ ...clean, more: 1 }"],
		["after a hit that is none", '{ ...clean, hits: [{ file: 0, rule: "x", lines: [], key: [1, 1], certain: true }] }'],
	])("on everything, %s, is blamed itself", async (_, expression) => {
		const error = await refusal(review(createStaticReviewer(stub(expression)), { "a.txt": { candidate: "a" } }));
		expect(error.message).toContain("does not run on this machine");
	});

	it("by hanging is stopped, with everything that it started", async () => {
		const entry = stub(
			'(await import("node:child_process")).spawnSync(process.execPath, ["-e", "setInterval(() => 1, 1000)"])',
		);
		const started = Date.now();
		const answer = await askEngine(entry, "text", { files: [], languages: [] }, 1_500, new AbortController().signal);
		expect(answer).toBeUndefined();
		expect(Date.now() - started).toBeLessThan(10_000);
		expect(leftovers()).toEqual([]);
	});

	it("by flooding is stopped", async () => {
		const entry = stub('(() => { for (;;) fs.writeSync(1, "x".repeat(1 << 20)); })()');
		expect(
			await askEngine(entry, "text", { files: [], languages: [] }, 60_000, new AbortController().signal),
		).toBeUndefined();
	});
});

describe("an engine that is missing", () => {
	it.each(["a.js", "a.py", "a.go", "a.java", "a.sh"])("is named before the review of %s starts", async (name) => {
		const entry = stub('name === "ast" ? { ok: false, missing: "@ast-grep/napi" } : clean');
		const error = await refusal(createStaticReviewer(entry).prepare(viewOf({ [name]: { candidate: "a" } }).manifest));
		expect(error.message).toContain("@ast-grep/napi");
		expect(error.detail.next).toContain("npm install");
	});

	it("does not matter to a change that does not need it", async () => {
		const entry = stub('name === "secrets" ? clean : { ok: false, missing: name }');
		await createStaticReviewer(entry).prepare(viewOf({ "a.md": { candidate: "a" }, "b.js": { base: "a" } }).manifest);
	});

	it("is not the case here", async () => {
		const names = ["a.js", "a.tsx", "a.py", "a.go", "a.java", "a.sh"];
		await staticReviewer.prepare(viewOf(Object.fromEntries(names.map((name) => [name, { candidate: "a" }]))).manifest);
	});
});

describe("an engine's process", () => {
	it("has an empty private folder and next to no environment", async () => {
		process.env.GENTLE_TEST_TOKEN = "visible";
		const entry = stub(
			'{ ...clean, version: JSON.stringify([Object.keys(process.env).sort(), fs.readdirSync("."), (fs.statSync(".").mode & 0o777).toString(8)]) }',
		);
		const answer = await askEngine(entry, "text", { files: [], languages: [] }, 20_000, new AbortController().signal);
		delete process.env.GENTLE_TEST_TOKEN;
		expect(answer?.ok && JSON.parse(answer.version)).toEqual([["PATH", "TMPDIR"], [], "700"]);
	});

	it("ends at once when the review is cancelled", async () => {
		const controller = new AbortController();
		const session = createStaticReviewer(stub("setInterval(() => 1, 1000) && undefined")).open(
			viewOf({ "a.txt": { candidate: "a" } }),
		);
		const work = session.answer(
			slotFor("review-risk", true),
			() => controller.abort(new Error("cancelled")),
			controller.signal,
		);
		await expect(work).rejects.toThrow("cancelled");
		expect(leftovers()).toEqual([]);
	});

	it("is the source entry in development", () => {
		expect(engineFile()).toMatch(/static[\\/]engine\.ts$/);
	});
});
