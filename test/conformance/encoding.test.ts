// The exact bytes of an answer: one document, its spacing and escapes, the exit code, and what never appears in it.
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Consent, Failure } from "../kit/documents.ts";
import {
	captureAll,
	expectSuccess,
	finalize,
	gate,
	startPrinted,
	startWords,
	status,
	statusWords,
	V1,
	V2,
} from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";

const sources = resolve(import.meta.dirname, "../..");

/** The bytes that the contract asks for, derived from the value alone. */
function encoded(value: unknown): string {
	const text = JSON.stringify(value, null, 2);
	const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
	return `${text.replace(/[<>&\u2028\u2029]/g, escaped)}\n`;
}

function expectCanonical(result: RunResult): void {
	expect(result.stdout).toBe(encoded(JSON.parse(result.stdout)));
}

const STRANGE = 'a<b>&"c"\u2028d\u00e9\t.ts';

function strange(): TestRepo {
	const repo = new TestRepo();
	repo.write(STRANGE, "export const a = 1;\n");
	return repo;
}

describe("the bytes on stdout", () => {
	it("are one document with two spaces of indent, one LF at the end, and the contract's escapes", async () => {
		const repo = strange();
		const fresh = await repo.run(statusWords());
		expectCanonical(fresh);
		expect(fresh.json<{ projection: { paths: string[] } }>().projection.paths).toEqual([STRANGE]);
		expect(fresh.stdout).toContain('"a\\u003cb\\u003e\\u0026\\"c\\"\\u2028d\u00e9\\t.ts"');
		const target = fresh.json<{ target_identity: string }>().target_identity;
		expectCanonical(await repo.run(startWords(target, "--consent", "relay")));
		expectCanonical(await repo.run(startWords(target)));
		expectCanonical(await repo.run(statusWords()));
		expectCanonical(await repo.run([...statusWords(), "--action-eligibility", "--contract", V1]));
		expectCanonical(await repo.run(startWords(target).map((word) => (word === V2 ? V1 : word))));
		expectCanonical(await repo.run(["review", "status"]));
		expectCanonical(await repo.run(["review", "capabilities", "--contract", V2]));
		expectCanonical(await repo.run(["review", "status", "--contract", V2, "--lineage", "<&>"]));
	});

	it("escape the angle brackets of the bootstrap command", async () => {
		const result = await new TestRepo().run(["review", "capabilities", "--contract", V2]);
		expect(result.stdout).toContain("--cwd \\u003crepo\\u003e --contract");
		expect(result.stdout).not.toMatch(/[<>&]/);
	});

	it("come with exit code 0 and a silent stderr, or with exit code 1 and one error line", async () => {
		const repo = strange();
		for (const words of [["capabilities"], ["capabilities", "--contract", V1], ["mode", "status", "--json"]]) {
			expectSuccess(await repo.run(["review", ...words]));
		}
		const refused = await repo.run(["review", "status", "--contract", V2, "--nonsense"]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toBe(`Error: ${refused.stderr.slice("Error: ".length).trimEnd()}\n`);
		expect(refused.stderr).toContain("[invalid_request]");
	});

	it("hold one line of text a message and a cause, within their limits", async () => {
		const repo = strange();
		const long = `${"x".repeat(5_000)}\n\u001b[31m`;
		const result = await repo.run(["review", "status", "--contract", V2, "--lineage", long]);
		const { message, cause = "" } = result.json<Failure>();
		expect(message.length).toBeLessThanOrEqual(240);
		expect(cause.length).toBeLessThanOrEqual(4_000);
		expect(`${message}${cause}`).not.toMatch(/[\n\r\u001b]/);
		expect(result.stderr).not.toContain("\u001b");
	});

	it("are a failure envelope also when the flags of an operation that is always negotiated are wrong", async () => {
		const result = await new TestRepo().run(["review", "capabilities", "--nonsense"]);
		expect(result.code).toBe(1);
		expect(result.json<Failure>()).toMatchObject({
			schema: "gentle-ai.review-integration.failure/v1",
			operation: "review.capabilities",
			code: "invalid_request",
		});
	});
});

describe("a negotiated answer", () => {
	it("names no absolute path of this machine, except the caller's own --cwd in a consent invocation", async () => {
		const repo = strange();
		const secret = (result: RunResult) => {
			for (const folder of [repo.folder, sources]) expect(result.stdout).not.toContain(folder);
		};
		const cwd = ["--cwd", repo.root];
		const elsewhere = { cwd: repo.home };
		const fresh = await repo.run(statusWords(...cwd), elsewhere);
		secret(fresh);
		const target = fresh.json<{ target_identity: string }>().target_identity;
		const asked = await repo.run(startWords(target, "--consent", "relay", ...cwd), elsewhere);
		const { choices, ...rest } = asked.json<Consent>();
		expect(JSON.stringify(rest)).not.toContain(repo.folder);
		for (const { invocation } of choices) expect(invocation).toContain(`--cwd ${repo.root}`);
		secret(await repo.run(startWords(target, ...cwd), elsewhere));
		secret(await repo.run([...statusWords(), "--action-eligibility", "--contract", V1]));
		secret(await repo.run(startWords(target).map((word) => (word === V2 ? V1 : word))));
		const { lineage_id } = await startPrinted(strange());
		secret(await repo.run(statusWords("--lineage", lineage_id)));
		await captureAll(repo);
		secret(await finalize(repo, lineage_id, "--captured-results", "--next-transition"));
		secret(await gate(repo));
		secret(await repo.run(startWords(`sha256:${"0".repeat(64)}`, "--policy", repo.path("absent"))));
		secret(await repo.run(statusWords("--cwd", repo.path("absent"))));
	});

	it("quotes its own --cwd for the shell when the folder needs it", async () => {
		const repo = strange();
		const odd = "it's here";
		repo.write(`${odd}/keep.ts`, "export const k = 1;\n");
		const { target_identity } = await status(repo);
		const asked = await repo.run(startWords(target_identity, "--consent", "relay", "--cwd", repo.path(odd)));
		const granted = asked.json<Consent>().choices.find(({ answer }) => answer === "granted");
		const started = await repo.runPrinted(granted?.invocation ?? "false", { cwd: repo.home });
		expectSuccess(started);
		expect(started.json<{ action: string }>().action).toBe("created");
	});
});
