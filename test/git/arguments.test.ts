// What a caller names: files (D5), words that become keys (D6), and what the store makes of names from elsewhere (D7).
import { execFileSync, spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import {
	approveLow,
	expectSuccess,
	failureOf,
	finalize,
	firstInput,
	startPrinted,
	startWords,
	status,
	statusWords,
	tokensOf,
	transitionOf,
} from "../kit/drive.ts";
import { refused } from "../kit/refusals.ts";
import { TestRepo, temporaryFolder } from "../kit/repo.ts";
import { receiptPath } from "../kit/store.ts";
import { contentsOf, listing } from "../kit/tree.ts";

const NOBODY = `sha256:${"0".repeat(64)}`;
const LIMIT = 4 * 1024 * 1024;

function changed(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

/** Paths that are no regular file within the limit; all lie outside of what is listed before and after. */
function badFiles(good: string): [kind: string, path: string][] {
	const folder = temporaryFolder();
	const at = (name: string) => join(folder, name);
	symlinkSync(good, at("link"));
	execFileSync("sh", ["-c", 'mkfifo "$0"', at("fifo")]);
	for (const [name, bytes] of [
		["huge", 5 * 1024 ** 3],
		["over", LIMIT + 1],
	] as const) {
		writeFileSync(at(name), "");
		truncateSync(at(name), bytes);
	}
	const made: [string, string][] = ["link", "fifo", "huge", "over", "missing"].map((name) => [name, at(name)]);
	// The system says that this file is empty, and then megabytes come.
	const lying = "/proc/kallsyms";
	const long = existsSync(lying) && readFileSync(lying).length > LIMIT;
	return [
		...made,
		["folder", folder],
		["device", "/dev/zero"],
		...(long ? [["made up", lying] as [string, string]] : []),
	];
}

describe("a file that is named", () => {
	it("is a regular file within the limit, or is refused by every flag and nothing moves (D5)", async () => {
		const repo = changed();
		const { lineage_id, artifact_subjects } = await startPrinted(repo);
		expect(artifact_subjects).toHaveLength(1);
		const input = firstInput(await status(repo));
		const good = join(temporaryFolder(), "answer.json");
		writeFileSync(good, answerTo(input));
		const capture = (path: string) => ["review", "capture-result", ...tokensOf(input), "--input", path];
		const { target_identity } = await status(repo, ["--projection", "workspace"]);
		for (const [kind, path] of badFiles(good)) {
			expect((await refused(repo, capture(path))).stderr, kind).toContain("--input");
			const refuter = await finalize(repo, lineage_id, "--refuter", path);
			expect(failureOf(refuter).cause, kind).toContain("--refuter");
			const policy = await repo.run(startWords(target_identity, "--policy", path));
			expect(failureOf(policy).cause, kind).toContain("--policy");
		}
		// Dots in the way to a regular file are no fault of the file.
		expectSuccess(await repo.run(capture(relative(repo.root, good))));
	});

	it("that grows while it is read is bounded (D5)", async () => {
		const repo = changed();
		const file = join(temporaryFolder(), "growing");
		writeFileSync(file, "");
		const script = `
			const { appendFileSync } = require("node:fs");
			const text = "x".repeat(1 << 20);
			for (let at = 0; at < 200; at += 1) appendFileSync(process.argv[1], text);`;
		const child = spawn(process.execPath, ["-e", script, file], { stdio: "ignore" });
		const ended = new Promise<void>((done) => child.on("close", () => done()));
		try {
			const result = await repo.run(startWords(NOBODY, "--policy", file));
			expect(["invalid_request", "stale_target_identity"]).toContain(failureOf(result).code);
		} finally {
			child.kill("SIGKILL");
			await ended;
		}
	});

	it("as --cwd is a folder of a work tree by any name, or refused typed (D5)", async () => {
		const repo = changed();
		const here = await status(repo);
		symlinkSync(repo.root, join(repo.folder, "link"));
		mkdirSync(repo.path("sub"));
		for (const cwd of [join(repo.folder, "link"), "sub/..", repo.path("sub"), "../repo", "../link/sub"]) {
			expect(await status(repo, ["--cwd", cwd]), cwd).toEqual(here);
		}
		execFileSync("sh", ["-c", 'mkfifo "$0"', join(repo.folder, "fifo")]);
		for (const cwd of ["app.ts", "../fifo", "/dev/zero", "nowhere", "../home", "x".repeat(5_000)]) {
			const failure = failureOf(await repo.run(statusWords("--cwd", cwd)));
			const code = cwd === "../home" ? "git_command_failed" : "invalid_request";
			expect(failure, cwd).toMatchObject({ code, mutation_outcome: "not_started" });
		}
	});

	it("and lies as a link where a receipt belongs is neither followed nor replaced (D5)", async () => {
		const repo = new TestRepo();
		repo.write("guide.md", "# guide\n\nMore.\n");
		const { lineage_id } = await startPrinted(repo);
		const precious = repo.outside("precious", "of somebody else\n");
		mkdirSync(repo.path(".git/gentle-ai/receipts"), { recursive: true });
		symlinkSync(precious, receiptPath(repo, lineage_id));
		const failure = failureOf(await finalize(repo, lineage_id, "--captured-results"));
		expect(failure.code).toBe("receipt_publication_conflict");
		expect(readFileSync(precious, "utf8")).toBe("of somebody else\n");
		expect(lstatSync(receiptPath(repo, lineage_id)).isSymbolicLink()).toBe(true);
		const told = await status(repo);
		expect(told).toMatchObject({ applicability: "corrupted", receipt: { status: "not_applicable" } });
		const stop = { kind: "stop", reason_code: "corrupted_or_unverifiable_authority" };
		expect(transitionOf(told)).toMatchObject(stop);
	});
});

const BAD_IDS = [
	"../x",
	"a/b",
	"..",
	".",
	"",
	"A",
	"a--b",
	"-a",
	"a-",
	"a b",
	"a\n",
	"\u0430bc",
	"\uff41",
	"a\u200b",
	"a'; DROP TABLE lineages; --",
	"a".repeat(10_240),
];

describe("a word that becomes a key", () => {
	it("has one closed form, whichever flag carries it, and is refused before any use (D6)", async () => {
		const repo = changed();
		await startPrinted(repo);
		const input = firstInput(await status(repo));
		const before = contentsOf(repo);
		const with_ = (name: string, value: string) => {
			const others = tokensOf(input).filter((token) => !token.startsWith(`--${name}=`));
			return ["review", "capture-result", ...others, `--${name}=${value}`, "--input=-"];
		};
		const calls: string[][] = BAD_IDS.map((id) => statusWords(`--lineage=${id}`));
		for (const id of ["../x", "\u0430bc", "a".repeat(10_240)]) {
			calls.push(startWords(NOBODY, `--lineage=${id}`));
			calls.push(["review", "end", `--lineage=${id}`, `--expected-revision=${NOBODY}`, "--reason=x"]);
			for (const name of ["lineage", "lens", "order", "target", "subject-hash", "expected-revision"]) {
				calls.push(with_(name, id));
			}
			const bound = tokensOf(input).filter((token) => !/^--(cwd|repository-context)=/.test(token));
			calls.push(["review", "capture-result", ...bound, `--repository-context=rctx1_${id}`, "--input=-"]);
		}
		for (const words of calls) {
			const result = await repo.run(words, { stdin: answerTo(input) });
			expect(result.code, words.join(" ").slice(0, 200)).not.toBe(0);
			expect(result.stderr).toMatch(/^Error: .*\[invalid_request\]|^Error: /);
			expect(result.stderr.length).toBeLessThan(6_000);
		}
		expect(contentsOf(repo)).toEqual(before);
	});
});

describe("the store", () => {
	it("names no file after anything in the repository (D7)", async () => {
		const repo = new TestRepo();
		repo.git("checkout", "--quiet", "-b", "B\u00e4d/hidden");
		for (const name of ["WEIRD.md", "we\u0301ird.md", "CON.md", "a:b.md"]) repo.write(name, "text\n");
		await approveLow(repo);
		const names = [repo.path(".git/gentle-ai"), join(repo.home, ".gentle-ai")].flatMap((folder) =>
			Object.keys(listing(folder)).flatMap((path) => path.split("/").slice(1)),
		);
		expect(names.length).toBeGreaterThan(3);
		for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9._-]*$/);
		expect(names.join(" ")).not.toMatch(/weird|hidden|\bcon\b/i);
	});

	it("keeps candidates apart whose names differ in case or in normal form alone (D7)", async () => {
		const repo = new TestRepo();
		const lineages = new Set<string>();
		const identities = new Set<string>();
		for (const name of ["caf\u00e9.md", "cafe\u0301.md", "Caf\u00e9.md"]) {
			repo.write(name, "text\n");
			identities.add((await status(repo)).target_identity);
			lineages.add(await approveLow(repo));
			repo.remove(name);
		}
		expect([identities.size, lineages.size]).toEqual([3, 3]);
	});
});
