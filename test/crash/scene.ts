// One mutating operation in one repository: undisturbed first, then killed at each of its durable steps, each time from
// the same bytes. Every kill is followed by the questions that a host and a person would ask.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Status } from "../kit/documents.ts";
import { spoken, statusWords } from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import type { TestRepo } from "../kit/repo.ts";
import { queryStore, storePath } from "../kit/store.ts";
import { listing } from "../kit/tree.ts";

type Phase = "before" | "after";
/** All steps, or those at which a kill can leave something that it does not leave at their neighbours. */
export type Choice = "all" | "differing";

/** What is true when the operation has run without a kill, or has not run at all. */
type Known = { readonly status: Status; readonly kept: Record<string, string>; readonly rows: Record<string, unknown> };

const STANDS = String(Date.UTC(2026, 0, 2));
const TIMES = new Set(["created_at", "updated_at", "recorded_at", "ended_at"]);
const LEFTOVER = /tmp_gentle_|\.tmp$|-journal$/;

/** Every row of the store without the times, which decide nothing. */
function rowsOf(repo: TestRepo): Record<string, unknown> {
	if (!existsSync(storePath(repo))) return {};
	const shown = ([column, value]: [string, unknown]) => [
		column,
		value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
	];
	const timeless = (row: Record<string, unknown>) =>
		Object.fromEntries(Object.entries(row).flatMap((entry) => (TIMES.has(entry[0]) ? [] : [shown(entry)])));
	const tables = queryStore(repo, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
	return Object.fromEntries(
		tables.map(({ name }) => [String(name), queryStore(repo, `SELECT * FROM ${String(name)}`).map(timeless)]),
	);
}

/** What lies in our folders and beside Git's packs: names, and bytes where they are the same in every run. */
function keptFiles(repo: TestRepo): Record<string, string> {
	const found: Record<string, string> = {};
	const folders = {
		store: repo.path(".git", "gentle-ai"),
		packs: repo.path(".git", "objects", "pack"),
		home: repo.home,
	};
	for (const [folder, path] of Object.entries(folders)) {
		for (const [name, text] of Object.entries(listing(path))) {
			if (!text.startsWith("file") || LEFTOVER.test(name) || name.includes("tmp_gentle_")) continue;
			const stable = /\/(receipts|results|review-contexts)\//.test(name);
			found[`${folder}${name.slice(1)}`] = stable ? (text.split(" ").at(-1) ?? "") : "";
		}
	}
	return found;
}

/** Temporary files of ours below the Git folder; of a folder only itself. */
function leftoversOf(repo: TestRepo): string[] {
	return Object.keys(listing(repo.path(".git"))).filter((name) => /tmp_gentle_\w*$|\.tmp$|-journal$/.test(name));
}

/** The store holds together, seen through a recovered copy so that the original stays as the kill left it. */
export function expectSoundStore(repo: TestRepo): void {
	const path = storePath(repo);
	if (!existsSync(path)) return;
	const folder = mkdtempSync(join(repo.folder, "copy-"));
	for (const ending of ["", "-journal"]) {
		if (existsSync(`${path}${ending}`)) copyFileSync(`${path}${ending}`, join(folder, `copy.sqlite3${ending}`));
	}
	const database = new DatabaseSync(join(folder, "copy.sqlite3"));
	try {
		expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
	} finally {
		database.close();
		rmSync(folder, { recursive: true });
	}
}

/** Git is whole, and after its hardest collection every frozen tree of a kept review still reads to the last byte. */
export function expectReadableTrees(repo: TestRepo): void {
	expect(repo.git("fsck", "--full", "--strict", "--no-dangling")).not.toMatch(/missing|broken|corrupt/);
	repo.git("gc", "--quiet", "--prune=now");
	if (!existsSync(storePath(repo))) return;
	for (const row of queryStore(repo, "SELECT base_tree, candidate_tree FROM lineages")) {
		for (const tree of [row.base_tree, row.candidate_tree]) {
			repo.gitWith({}, "archive", "--format=tar", String(tree));
		}
	}
}

function documentOf({ code, stdout, stderr }: RunResult): unknown {
	if (code !== 0) return { code, stderr };
	try {
		return JSON.parse(stdout);
	} catch {
		return stdout;
	}
}

function copy(from: string, to: string): void {
	rmSync(to, { recursive: true, force: true, maxRetries: 9 });
	execFileSync("cp", ["-a", from, to]);
}

export class Scene {
	readonly steps: string[] = [];
	readonly leftovers: string[] = [];
	private readonly repo: TestRepo;
	private readonly words: readonly string[];
	private readonly stdin: string;
	private readonly replay: readonly string[] | undefined;
	private readonly stillClock: boolean;
	private readonly answers: unknown[] = [];
	private before: Known | undefined;
	private after: Known | undefined;

	/**
	 * `replay`: the words that a closed review still takes, where `words` are refused by then. `stillClock`: for what puts
	 * the time into a state, so that every run of it leads to the same one.
	 */
	constructor(
		repo: TestRepo,
		words: readonly string[],
		more: { stdin?: string; replay?: readonly string[]; stillClock?: boolean } = {},
	) {
		this.repo = repo;
		this.words = words;
		this.stdin = more.stdin ?? "";
		this.replay = more.replay;
		this.stillClock = more.stillClock ?? false;
	}

	private run(env: NodeJS.ProcessEnv = {}): Promise<RunResult> {
		const clock = `--import=${import.meta.resolve("./still-clock.ts")}`;
		const still = { STILL_CLOCK: STANDS, NODE_OPTIONS: [clock, env.NODE_OPTIONS ?? ""].join(" ") };
		return this.repo.run(this.words, { stdin: this.stdin, env: { ...env, ...(this.stillClock && still) } });
	}

	private async status(): Promise<Status> {
		const result = await this.repo.run(statusWords());
		expect(`${spoken(result)}${result.code === 0 ? "" : result.stdout}`).toBe("");
		return result.json<Status>();
	}

	private async known(): Promise<Known> {
		return { status: await this.status(), kept: keptFiles(this.repo), rows: rowsOf(this.repo) };
	}

	private crash(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
		const { root, home } = this.repo;
		const preload = import.meta.resolve("./kill-at.ts");
		return { NODE_OPTIONS: `--import=${preload}`, CRASH_FOLDERS: `${join(root, ".git")}:${home}`, ...env };
	}

	/** Runs it undisturbed, and once more, from which the kills are judged; returns the names of its steps. */
	async record(): Promise<readonly string[]> {
		this.before = await this.known();
		for (const name of ["repo", "home"]) copy(join(this.repo.folder, name), join(this.repo.folder, `${name}.saved`));
		const trace = this.repo.outside("trace", "");
		const first = await this.run(this.crash({ CRASH_TRACE: trace }));
		expect(spoken(first)).toBe("");
		this.steps.push(...readFileSync(trace, "utf8").split("\n").slice(0, -1));
		this.after = await this.known();
		this.answers.push(documentOf(first), documentOf(await this.run()));
		return this.steps;
	}

	private restore(): void {
		for (const name of ["repo", "home"]) copy(join(this.repo.folder, `${name}.saved`), join(this.repo.folder, name));
	}

	/** Kills right before each step, and right after where that differs; what went wrong, by step. */
	async killEach(choice: Choice): Promise<string[]> {
		const problems: string[] = [];
		for (const [index, step] of this.steps.entries()) {
			for (const phase of this.phasesOf(index, choice)) {
				const name = `${phase} ${index + 1} ${step}`;
				try {
					await this.killAt(index + 1, phase, name);
				} catch (error) {
					problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
				}
			}
		}
		return problems;
	}

	/**
	 * Right after a step is right before the next one, but for children of Git, that go on alone, and for the last step.
	 * SIGKILL spares the page cache and takes no lock along, so what follows a sync or a BEGIN differs in nothing from it.
	 */
	private phasesOf(index: number, choice: Choice): Phase[] {
		const same = /^(fsync|sql BEGIN|sql PRAGMA journal)/.test(this.steps[index - 1] ?? "");
		const goesOn = /^git /.test(this.steps[index] ?? "") || index === this.steps.length - 1;
		return [...(choice === "differing" && same ? [] : (["before"] as const)), ...(goesOn ? (["after"] as const) : [])];
	}

	private async killAt(step: number, phase: Phase, name: string): Promise<void> {
		const { before, after } = this;
		if (before === undefined || after === undefined) throw new Error("nothing was recorded yet");
		this.restore();
		const killed = await this.run(this.crash({ CRASH_AT: String(step), CRASH_PHASE: phase }));
		expect(killed.signal).toBe("SIGKILL");
		expectSoundStore(this.repo);
		this.expectTruth(await this.status(), before.status, after.status);
		const again = documentOf(await this.run());
		expect(this.answers, `the same command answers ${JSON.stringify(again)}`).toContainEqual(again);
		await this.followPrinted(again);
		this.leftovers.push(...leftoversOf(this.repo).map((left) => `${name}: ${left}`));
		const now = await this.known();
		const more = Object.keys(now.kept).filter((name) => !(name in after.kept));
		expect(now, `also there: ${more.join(", ")}`).toEqual(after);
		// The hardest collection costs more than all the rest, and packs change at few steps.
		if (step % 3 === 0 || /pack|COMMIT|print/.test(name)) expectReadableTrees(this.repo);
	}

	/** The state before, the state after, or the state after with the receipt still to come; nothing else. */
	private expectTruth(told: Status, before: Status, after: Status): void {
		if (told.receipt.status === "publication_pending") {
			expect(told.authority).toEqual(after.authority);
			expect(told.next_transition?.execute?.operation).toBe("review.finalize");
			return;
		}
		const answers = [JSON.stringify(before), JSON.stringify(after)];
		const said = `${told.applicability}, ${told.authority?.state}, ${told.next_transition?.reason_code}`;
		if (!answers.includes(JSON.stringify(told))) {
			throw new Error(`STATUS tells neither the state before nor the one after, but: ${said}`);
		}
	}

	/** A closed review takes no input, so its missing receipt comes back by the command that STATUS prints. */
	private async followPrinted(again: unknown): Promise<void> {
		if (typeof again !== "object" || again === null || !("code" in again)) return;
		const told = await this.status();
		const pending = told.receipt.status === "publication_pending";
		if (pending) expect((await this.repo.runPrinted(told.next_transition?.execute?.command ?? "false")).code).toBe(0);
		else if (told.receipt.status === "present" && this.replay !== undefined)
			expect((await this.repo.run(this.replay)).code).toBe(0);
	}
}
