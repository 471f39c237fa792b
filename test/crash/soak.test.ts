// SIGKILL from outside at random moments of whole lives of reviews. GENTLE_AI_SOAK sets the number of lives, and
// GENTLE_AI_SEED which commands are killed and how far each had come; a failure prints the seed.
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { answerTo } from "../kit/answers.ts";
import type { Status } from "../kit/documents.ts";
import { executionOf, expectSuccess, firstInput, gate, status, tokensOf, transitionOf } from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { type CallOptions, TestRepo } from "../kit/repo.ts";
import { queryStore, receiptPath } from "../kit/store.ts";
import { expectReadableTrees, expectSoundStore } from "./scene.ts";

const LIVES = Math.max(5, Number(process.env.GENTLE_AI_SOAK ?? 0));
const SEED = Number(process.env.GENTLE_AI_SEED ?? 20261201);

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

type Command = (repo: TestRepo, told: Status, options?: CallOptions) => Promise<RunResult>;

/** The shell makes way for the program, so that the signal reaches it. */
const printed: Command = (repo, told, options) => repo.runPrinted(`exec ${executionOf(told).command}`, options);

const capture =
	(verb: string, more: readonly string[], answer: (told: Status) => string): Command =>
	(repo, told, options) =>
		repo.run(["review", verb, ...tokensOf(firstInput(told)), ...more, "--input=-"], {
			...options,
			stdin: answer(told),
		});

const end: Command = (repo, told, options) => {
	const { lineage_id = "", revision = "" } = told.authority ?? {};
	const words = ["review", "end", "--lineage", lineage_id, "--expected-revision", revision, "--reason", "enough"];
	return repo.run(words, options);
};

/** A life of a review: what STATUS says, and the command that leads to the next line. */
const LIFE: readonly (readonly [reason: string, command: Command])[] = [
	["fresh_target_ready", printed],
	["reviewer_results_required", capture("capture-result", [], (told) => answerTo(firstInput(told)))],
	["captured_results_ready", printed],
	["verification_evidence_required", capture("capture-evidence", ["--outcome=passed"], () => "42 tests passed\n")],
	["captured_verification_evidence_passed", printed],
	["approved_receipt_ready", end],
];

/** What STATUS may say after a step that was made: its next line, or that the receipt is still to be published. */
function nextOf(at: number): readonly string[] {
	const next = LIFE[at + 1]?.[0] ?? "fresh_target_ready";
	return next === "approved_receipt_ready" ? [next, "exact_receipt_replay"] : [next];
}

async function killedAfter(ms: number, call: (options: CallOptions) => Promise<RunResult>): Promise<RunResult> {
	let timer: NodeJS.Timeout | undefined;
	const kill = (pid: number) => {
		try {
			process.kill(pid, "SIGKILL");
		} catch {
			// It has ended by itself, and was not noticed yet.
		}
	};
	const onSpawn = (pid: number) => {
		timer = setTimeout(kill, ms, pid);
	};
	return call({ onSpawn }).finally(() => clearTimeout(timer));
}

/** Kills one command, asks for the truth, and brings the step to its end the way that is printed. */
async function killOne(repo: TestRepo, told: Status, at: number, ms: number): Promise<void> {
	const [reason, command] = LIFE[at] ?? ["", printed];
	const killed = await killedAfter(ms, (options) => command(repo, told, options));
	expectSoundStore(repo);
	const truth = await status(repo);
	const now = transitionOf(truth).reason_code;
	// What was acknowledged is true; what was not is either true or never happened.
	const allowed = killed.code === 0 ? nextOf(at).slice(0, 1) : [reason, ...nextOf(at)];
	expect(allowed, `after ${ms} ms of ${reason} (exit ${killed.code}, ${killed.stderr})`).toContain(now);
	if (now === reason) expect(truth).toEqual(told);
	const again = await command(repo, told);
	// A review that moved on takes the same input no more; it says so, and changes nothing.
	if (again.code !== 0) {
		expect(now, again.stderr).not.toBe(reason);
		expect(again.stderr).toContain("[invalid_request]");
		expect(await status(repo)).toEqual(truth);
	}
	const after = await status(repo);
	if (transitionOf(after).reason_code === "exact_receipt_replay") expectSuccess(await printed(repo, after));
}

/** One repository, its generator, and what is known of it. */
class Soak {
	readonly repo = new TestRepo();
	/** The receipts that were published and not ended. */
	readonly closed = new Map<string, string>();
	private readonly random = randomFrom(SEED);
	/** How long each command takes undisturbed here. */
	private readonly usual = new Map<number, number>();

	/** Runs one step, killed or not; every step is taken once without a kill first. */
	private async step(at: number, told: Status, command: Command): Promise<void> {
		const [killing, share] = [this.random() < 0.5, this.random()];
		const expected = this.usual.get(at);
		if (expected !== undefined && killing) return killOne(this.repo, told, at, share * expected * 1.1);
		const began = performance.now();
		expectSuccess(await command(this.repo, told));
		this.usual.set(at, performance.now() - began);
	}

	/** From STATUS to a receipt that opens the gate, and in some lives to the end of the review. */
	async live(life: number): Promise<void> {
		const { repo, closed } = this;
		repo.write("app.ts", `export const n = ${life + 1};\n`);
		const ends = this.random() < 0.3;
		for (const [at, [reason, command]] of LIFE.entries()) {
			const told = await status(repo);
			expect(transitionOf(told).reason_code).toBe(reason);
			const lineage = told.authority?.lineage_id ?? "";
			if (command === end) {
				repo.stage();
				expectSuccess(await gate(repo, "pre-commit", ["--lineage", lineage]));
				closed.set(lineage, readFileSync(receiptPath(repo, lineage), "utf8"));
				if (!ends) return;
			}
			await this.step(at, told, command);
			if (command === end) {
				expect(existsSync(receiptPath(repo, lineage))).toBe(false);
				closed.delete(lineage);
			}
		}
	}

	expectNothingLost(): void {
		const { repo, closed } = this;
		expectReadableTrees(repo);
		for (const [lineage, bytes] of closed) expect(readFileSync(receiptPath(repo, lineage), "utf8")).toBe(bytes);
		const rows = queryStore(repo, "SELECT lineage_id, state FROM lineages ORDER BY lineage_id");
		const expected = [...closed.keys()].sort().map((lineage_id) => ({ lineage_id, state: "approved" }));
		expect(rows.map((row) => ({ ...row }))).toEqual(expected);
	}
}

const TITLE = `reviews killed at random moments lose nothing and converge, in ${LIVES} lives`;
it(TITLE, { timeout: LIVES * 30_000 }, async ({ onTestFailed }) => {
	onTestFailed(() => console.error(`repeat this with GENTLE_AI_SEED=${SEED} GENTLE_AI_SOAK=${LIVES}`));
	const soak = new Soak();
	for (let life = 1; life <= LIVES; life += 1) {
		await soak.live(life);
		if (life % 8 === 0 || life === LIVES) soak.expectNothingLost();
	}
});
