// Drives a review the way a host does: STATUS, then exactly what it prints.
import { expect } from "vitest";
import { answerTo, type Finding, refuterAnswer } from "./answers.ts";
import type { Execute, Failure, Finalized, Input, Start, Status, Transition } from "./documents.ts";
import type { RunResult } from "./program.ts";
import type { CallOptions, TestRepo } from "./repo.ts";

export const V2 = "gentle-ai.review-integration/v2";
export const V1 = "gentle-ai.review-integration/v1";

export function statusWords(...flags: string[]): string[] {
	return ["review", "status", "--contract", V2, "--next-transition", ...flags];
}

/** What the first START of a clone says where nobody can be asked. */
const FIRST_CONTACT = /^Gentle AI (?:reviews this|revisa este) [^\n]*'gentle-ai review mode disable'\.\n/;

/** What was said on stderr beside that. */
export function spoken(result: RunResult): string {
	return result.stderr.replace(FIRST_CONTACT, "");
}

export function expectSuccess(result: RunResult): void {
	expect(`${spoken(result)}${result.code === 0 ? "" : result.stdout}`).toBe("");
	expect(result.code).toBe(0);
}

export async function status(
	repo: TestRepo,
	flags: readonly string[] = [],
	options: CallOptions = {},
): Promise<Status> {
	const result = await repo.run(statusWords(...flags), options);
	expectSuccess(result);
	return result.json<Status>();
}

export function transitionOf(document: Status): Transition {
	if (document.next_transition === undefined) throw new Error("this STATUS holds no transition");
	return document.next_transition;
}

export function executionOf(document: Status): Execute {
	const { execute, reason_code } = transitionOf(document);
	if (execute === undefined) throw new Error(`${reason_code} is nothing to execute`);
	return execute;
}

export function inputsOf(document: Status): readonly Input[] {
	const { collect, reason_code } = transitionOf(document);
	if (collect === undefined) throw new Error(`${reason_code} collects nothing`);
	return collect.inputs;
}

export function firstInput(document: Status): Input {
	const [input] = inputsOf(document);
	if (input === undefined) throw new Error("a collect transition without inputs");
	return input;
}

export function argument(from: { readonly arguments: Execute["arguments"] }, name: string): string {
	const found = from.arguments.find((each) => each.name === name);
	if (found === undefined) throw new Error(`no argument ${name}`);
	return found.value;
}

export function tokensOf(from: { readonly arguments: Execute["arguments"] }): string[] {
	return from.arguments.flatMap(({ token }) => token ?? []);
}

/** Runs the printed command and returns its document. */
export async function runExecute<Document>(
	repo: TestRepo,
	document: Status,
	options: CallOptions = {},
): Promise<Document> {
	const result = await repo.runPrinted(executionOf(document).command, options);
	expectSuccess(result);
	return result.json<Document>();
}

/** STATUS, then the START that it prints. */
export async function startPrinted(repo: TestRepo, flags: readonly string[] = []): Promise<Start> {
	const fresh = await status(repo, flags);
	expect(transitionOf(fresh).reason_code).toBe("fresh_target_ready");
	return runExecute<Start>(repo, fresh);
}

/** START by its own flags, for tests that need one that STATUS would not print. */
export function startWords(target: string, ...flags: string[]): string[] {
	const projection = flags.some((flag) => flag.startsWith("--projection")) ? [] : ["--projection", "workspace"];
	return ["review", "start", "--contract", V2, "--target", target, ...projection, ...flags];
}

export function captureResult(
	repo: TestRepo,
	input: Input,
	answer: string,
	options: CallOptions = {},
): Promise<RunResult> {
	return repo.run(["review", "capture-result", ...tokensOf(input), "--input=-"], { ...options, stdin: answer });
}

/** Answers the refuter collect through FINALIZE; the ids are those that STATUS printed. */
export async function finalizeRefuted(
	repo: TestRepo,
	outcome: "corroborated" | "refuted" | "inconclusive",
): Promise<Finalized["result"]> {
	const document = await status(repo);
	expect(transitionOf(document).reason_code).toBe("refuter_outcomes_required");
	const ids = argument(firstInput(document), "finding-ids").split(",");
	const file = repo.outside("refuter.json", refuterAnswer(ids, outcome));
	const lineage = document.authority?.lineage_id ?? "";
	return finalized(repo, lineage, "--captured-results", "--refuter", file, "--next-transition");
}

export type FindingsOf = (input: Input) => readonly Finding[];

/** Answers every open slot. */
export async function captureAll(
	repo: TestRepo,
	findings: FindingsOf = () => [],
	flags: readonly string[] = [],
): Promise<void> {
	for (const input of inputsOf(await status(repo, flags))) {
		expectSuccess(await captureResult(repo, input, answerTo(input, findings(input))));
	}
}

export function captureEvidence(
	repo: TestRepo,
	input: Input,
	outcome: "passed" | "verification_failed" | "procedural_tooling_failed",
	payload = "42 tests passed\n",
): Promise<RunResult> {
	const words = ["review", "capture-evidence", ...tokensOf(input), `--outcome=${outcome}`, "--input=-"];
	return repo.run(words, { stdin: payload });
}

export type DriveOptions = { readonly findings?: FindingsOf; readonly flags?: readonly string[] };
export type Driven = { readonly last: Status; readonly reasons: readonly string[] };

async function answerCollect(repo: TestRepo, document: Status, findings: FindingsOf): Promise<boolean> {
	switch (transitionOf(document).reason_code) {
		case "reviewer_results_required":
			for (const input of inputsOf(document)) {
				expectSuccess(await captureResult(repo, input, answerTo(input, findings(input))));
			}
			return true;
		case "verification_evidence_required":
			expectSuccess(await captureEvidence(repo, firstInput(document), "passed"));
			return true;
		default:
			return false;
	}
}

/** Repeats STATUS and what it prints until a gate is offered, or nothing that a machine can answer. */
export async function drive(repo: TestRepo, options: DriveOptions = {}): Promise<Driven> {
	const reasons: string[] = [];
	for (let step = 0; step < 12; step += 1) {
		const document = await status(repo, options.flags ?? []);
		const transition = transitionOf(document);
		reasons.push(transition.reason_code);
		const open =
			transition.kind === "execute"
				? transition.execute?.operation !== "review.validate"
				: transition.kind === "collect" && (await answerCollect(repo, document, options.findings ?? (() => [])));
		if (!open) return { last: document, reasons };
		if (transition.kind === "execute") await runExecute(repo, document);
	}
	throw new Error(`the review did not close: ${reasons.join(", ")}`);
}

/** Reviews the live candidate until its receipt is published; returns the lineage. */
export async function approve(repo: TestRepo, flags: readonly string[] = []): Promise<string> {
	const { last } = await drive(repo, { flags });
	expect(last.authority?.state).toBe("approved");
	return last.authority?.lineage_id ?? "";
}

/** The shortest way to a receipt: a low-risk candidate, in three calls. */
export async function approveLow(repo: TestRepo, flags: readonly string[] = []): Promise<string> {
	const { lineage_id, risk_level } = await startPrinted(repo, flags);
	expect(risk_level).toBe("low");
	expect((await finalized(repo, lineage_id, "--captured-results")).state).toBe("approved");
	return lineage_id;
}

export function finalize(repo: TestRepo, lineage: string, ...flags: string[]): Promise<RunResult> {
	return repo.run(["review", "finalize", "--contract", V2, "--lineage", lineage, ...flags]);
}

export async function finalized(repo: TestRepo, lineage: string, ...flags: string[]): Promise<Finalized["result"]> {
	const result = await finalize(repo, lineage, ...flags);
	expectSuccess(result);
	return result.json<Finalized>().result;
}

export function gate(
	repo: TestRepo,
	name = "pre-commit",
	flags: readonly string[] = [],
	options: CallOptions = {},
): Promise<RunResult> {
	return repo.run(["review", "validate", "--contract", V2, "--gate", name, ...flags], options);
}

/** The failure envelope of a refused negotiated call. */
export function failureOf(result: RunResult): Failure {
	const failure = result.json<Failure>();
	expect(result.code).toBe(1);
	expect(failure.schema).toMatch(/^gentle-ai\.review-integration\.failure\/v[12]$/);
	expect(result.stderr).toMatch(/^Error: /);
	expect(result.stderr).toContain(`[${failure.code}]`);
	return failure;
}
