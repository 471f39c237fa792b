// A good answer to everything that STATUS collects, chosen by the dice. Each answer is given the way its input prints.
import { expect } from "vitest";
import { answerTo, refuterAnswer, validatorAnswer } from "../kit/answers.ts";
import type { Status } from "../kit/documents.ts";
import { argument, firstInput, inputsOf, spoken, tokensOf, transitionOf } from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { retryCommand, retryWords } from "../kit/spoiled.ts";
import type { Dice } from "./dice.ts";
import { findingsFor } from "./findings.ts";
import type { Program } from "./programs.ts";
import { rewrite, type World } from "./worlds.ts";

/** What the driver remembers: how it asks. */
export type Asking = {
	readonly selector: readonly string[];
	readonly lineage?: string;
	readonly more: readonly string[];
};

export const PLAIN: Asking = { selector: [], more: [] };

/** What was done, and how to ask from now on. */
export type Answered = { readonly told: string; readonly asking: Asking; readonly ended?: "ended" };

export type Scene = {
	readonly world: World;
	readonly program: Program;
	readonly document: Status;
	readonly asking: Asking;
};

export function accepted(told: string, result: RunResult): RunResult {
	expect(`${result.code} ${spoken(result)}`, `${told}: ${result.stdout.slice(0, 2000)}`).toBe("0 ");
	return result;
}

function lineageOf(document: Status): { lineage_id: string; revision: string } {
	const { authority } = document;
	if (authority === undefined) throw new Error(`${transitionOf(document).reason_code} without an authority`);
	return authority;
}

/** The way out of every review that is known: its retirement by the printed revision. */
export async function end({ program, document, asking }: Scene): Promise<Answered> {
	const { lineage_id, revision } = lineageOf(document);
	const words = ["review", "end", "--lineage", lineage_id, "--expected-revision", revision, "--reason", "not needed"];
	accepted("end", await program.run(words));
	return { told: `end ${lineage_id}`, asking: { ...asking, ...PLAIN, selector: asking.selector }, ended: "ended" };
}

async function captureResults({ world, program, document, asking }: Scene): Promise<Answered> {
	const { repo, dice } = world;
	const inputs = inputsOf(document);
	const some = dice.roll(4) === 1 ? inputs.slice(-1) : inputs;
	const told: string[] = [];
	for (const input of some) {
		const { told: what, findings } = findingsFor(repo, document, input, dice);
		const file = repo.outside("result.json", answerTo(input, findings));
		const words = ["review", "capture-result", ...tokensOf(input), `--input=${file}`];
		accepted(what, await program.run(words));
		told.push(what);
	}
	return { told: `capture ${told.join("; ")}`, asking };
}

async function captureEvidence({ world, program, document, asking }: Scene): Promise<Answered> {
	const { repo, dice } = world;
	const outcome = dice.pick(["passed", "passed", "verification_failed", "procedural_tooling_failed"]);
	const file = repo.outside("evidence.txt", `${outcome}\n`);
	const words = ["review", "capture-evidence", ...tokensOf(firstInput(document))];
	accepted(outcome, await program.run([...words, `--outcome=${outcome}`, `--input=${file}`]));
	return { told: `evidence ${outcome}`, asking };
}

async function finalize({ program, document, asking }: Scene, told: string, ...words: string[]): Promise<Answered> {
	const { lineage_id } = lineageOf(document);
	accepted(told, await program.run(["review", "finalize", "--lineage", lineage_id, ...words]));
	return { told, asking };
}

function refute(scene: Scene): Promise<Answered> {
	const { repo, dice } = scene.world;
	const ids = argument(firstInput(scene.document), "finding-ids").split(",");
	const outcome = dice.pick(["refuted", "corroborated", "inconclusive"] as const);
	const file = repo.outside("refuter.json", refuterAnswer(ids, outcome));
	return finalize(scene, `refuter ${outcome}`, "--captured-results", "--refuter", file);
}

function plan(scene: Scene): Promise<Answered> {
	const budget = transitionOf(scene.document).correction_request?.correction_budget ?? 0;
	const count = scene.world.dice.pick([budget, budget, 1, budget + 1]);
	return finalize(scene, `plan ${count} of ${budget}`, "--correction-lines", String(count));
}

function judge(scene: Scene): Promise<Answered> {
	const request = firstInput(scene.document).validation_request;
	if (request === undefined) throw new Error("no validation is asked for");
	const passed = scene.world.dice.roll(3) !== 1;
	const file = scene.world.repo.outside("validation.json", validatorAnswer(request, passed));
	return finalize(scene, `validator ${passed}`, "--captured-evidence", "--validation", file);
}

/** The maintainer's exact text, from the facts that STATUS prints and nothing else. */
async function authorize(scene: Scene): Promise<Answered> {
	const { world, document, asking } = scene;
	if (world.dice.roll(4) === 1) return end(scene);
	const input = firstInput(document);
	const successor = `successor-${world.next()}`;
	const [actor, reason] = ["Maintainer <m@example.invalid>", "it's the same change, widened"];
	const text = [
		"gentle-ai.review-recovery-authorization/v1",
		`predecessor_lineage=${argument(input, "lineage")}`,
		`predecessor_revision=${argument(input, "expected-revision")}`,
		`target_identity=${argument(input, "target")}`,
		...(asking.selector.length > 0 ? [`successor_lineage=${successor}`] : []),
		`actor=${actor}`,
		`reason=${reason}`,
	].join("\n");
	const more = [
		`--recovery-successor-lineage=${successor}`,
		`--recovery-actor=${actor}`,
		`--recovery-reason=${reason}`,
		`--recovery-authorization=${text}`,
	];
	return { told: `authorize ${successor}`, asking: { ...asking, more } };
}

async function retry(scene: Scene): Promise<Answered> {
	const { world, program, document, asking } = scene;
	if (world.dice.roll(4) === 1) return end(scene);
	const words = retryWords(firstInput(document), `retried-${world.next()}`);
	const file = world.repo.outside("incident.json", words.incident);
	const line = retryCommand(words).map((word) => (word === "--incident=-" ? `--incident=${file}` : word));
	accepted("retry", await program.run(line));
	return { told: `retry as ${words.successor}`, asking: { ...asking, more: [] } };
}

function selectLineage({ world, document, asking }: Scene): Answered {
	const candidates = argument(firstInput(document), "candidates").split(",");
	expect(candidates).toEqual(document.candidates);
	const lineage = candidates[world.dice.roll(candidates.length)] ?? "";
	return { told: `select ${lineage}`, asking: { ...asking, lineage } };
}

/** Something to review: a change, or another base where there is one. A range of nothing is left alone. */
function fill({ world, asking }: Scene): Answered {
	const { repo, dice } = world;
	const base = dice.roll(2) === 1 ? baseSelector(repo, dice) : undefined;
	if (base !== undefined && base.join() !== asking.selector.join())
		return { told: `ask ${base.join(" ")}`, asking: { ...PLAIN, selector: base } };
	const told = rewrite(world, asking.selector);
	return { told, asking: asking.selector.includes("--base-ref") ? PLAIN : asking };
}

export function baseSelector(repo: World["repo"], dice: Dice): readonly string[] | undefined {
	const refs = repo
		.git("for-each-ref", "--format=%(refname:short)")
		.split("\n")
		.filter((ref) => ref !== "");
	const ref = refs[dice.roll(Math.max(1, refs.length))];
	if (ref === undefined) return undefined;
	return ["--base-ref", ref, ...(dice.roll(2) === 1 ? ["--workspace-overlay"] : [])];
}

export async function answer(scene: Scene): Promise<Answered> {
	switch (transitionOf(scene.document).reason_code) {
		case "reviewer_results_required":
			return captureResults(scene);
		case "refuter_outcomes_required":
			return refute(scene);
		case "verification_evidence_required":
		case "correction_repository_verification_required":
			return captureEvidence(scene);
		case "correction_plan_required":
			return plan(scene);
		case "targeted_validation_required":
			return judge(scene);
		case "recovery_authorization_required":
			return authorize(scene);
		case "lineage_selection_required":
			return selectLineage(scene);
		case "empty_candidate_base_ref_required":
			return fill(scene);
		case "final_verification_retry_authorization_required":
			return retry(scene);
		default:
			throw new Error(`nobody knows how to answer ${transitionOf(scene.document).reason_code}`);
	}
}
