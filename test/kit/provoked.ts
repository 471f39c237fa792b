// Situations that end in a failure of the contract, each reached with plain commands; what is returned provokes it.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blocker, type Finding } from "./answers.ts";
import { blocked, FIXED, NEW } from "./corrected.ts";
import { approveLow, captureAll, finalized, startPrinted, startWords, status, statusWords, V2 } from "./drive.ts";
import type { CallOptions, TestRepo } from "./repo.ts";
import { askedRetry, closedBy, retryCommand, retryWords } from "./spoiled.ts";
import { damageRecord, holdStore, receiptPath, storePath } from "./store.ts";

export type Provoked = {
	readonly words: readonly string[];
	readonly options?: CallOptions;
	/** Takes away again what was put in the way. */
	readonly after?: () => Promise<void>;
};

export const NOBODY = `sha256:${"0".repeat(64)}`;

export function gateWords(...flags: string[]): string[] {
	return ["review", "validate", "--contract", V2, "--gate", "pre-commit", ...flags];
}

export function finalizeWords(lineage: string, ...flags: string[]): string[] {
	return ["review", "finalize", "--contract", V2, "--lineage", lineage, ...flags];
}

function change(repo: TestRepo, n = 2): void {
	repo.write("app.ts", `export const n = ${n};\n`);
}

async function approvedGuide(repo: TestRepo): Promise<string> {
	repo.write("guide.md", "# guide\n\nOne.\n");
	return approveLow(repo);
}

export async function switchedOff(repo: TestRepo): Promise<Provoked> {
	change(repo);
	const { target_identity } = await status(repo);
	await repo.run(["review", "mode", "disable", "--scope", "clone", "--json"]);
	return { words: startWords(target_identity) };
}

export async function staleTarget(repo: TestRepo): Promise<Provoked> {
	change(repo);
	return { words: startWords(NOBODY) };
}

export async function emptyCandidate(repo: TestRepo): Promise<Provoked> {
	return { words: startWords((await status(repo)).target_identity) };
}

export async function noRepository(repo: TestRepo): Promise<Provoked> {
	return { words: statusWords(), options: { cwd: repo.home } };
}

export async function unknownLineage(): Promise<Provoked> {
	return { words: finalizeWords("review-nobody", "--captured-results") };
}

export async function noReceipt(repo: TestRepo): Promise<Provoked> {
	change(repo);
	return { words: gateWords() };
}

export async function otherBytesOfAReceipt(repo: TestRepo, ...named: ["--lineage"] | []): Promise<Provoked> {
	const lineage = await approvedGuide(repo);
	repo.write("guide.md", "# guide\n\nOther.\n");
	repo.stage();
	return { words: gateWords(...named.flatMap((flag) => [flag, lineage])) };
}

export async function unrelatedReceipt(repo: TestRepo): Promise<Provoked> {
	await approvedGuide(repo);
	repo.commit("reviewed");
	change(repo);
	repo.stage();
	return { words: gateWords() };
}

export async function twoReceipts(repo: TestRepo): Promise<Provoked> {
	await approvedGuide(repo);
	repo.stage();
	await approveLow(repo, ["--projection", "staged"]);
	return { words: gateWords() };
}

export async function twoStaleReceipts(repo: TestRepo): Promise<Provoked> {
	await approvedGuide(repo);
	repo.write("guide.md", "# guide\n\nTwo.\n");
	await approveLow(repo);
	repo.write("guide.md", "# guide\n\nThree.\n");
	repo.stage();
	return { words: gateWords() };
}

export async function anotherBase(repo: TestRepo): Promise<Provoked> {
	const lineage = await approvedGuide(repo);
	repo.stage();
	const tree = repo.git("write-tree");
	repo.write("guide.md", "# guide\n\nMoved.\n");
	repo.git("commit", "--quiet", "--no-verify", "--message", "moved", "--only", "guide.md");
	repo.git("read-tree", tree);
	return { words: gateWords("--lineage", lineage) };
}

async function resultsReady(repo: TestRepo, findings: readonly Finding[] = []): Promise<string> {
	change(repo);
	const { lineage_id } = await startPrinted(repo);
	await captureAll(repo, () => findings);
	return lineage_id;
}

export async function escalatedReceipt(repo: TestRepo): Promise<Provoked> {
	const lineage = await resultsReady(repo, [blocker("app.ts:1", { causal_disposition: "unknown" })]);
	await finalized(repo, lineage, "--captured-results");
	repo.stage();
	return { words: gateWords() };
}

export async function damagedRecord(repo: TestRepo): Promise<Provoked> {
	damageRecord(repo, await approvedGuide(repo));
	repo.stage();
	return { words: gateWords() };
}

export async function foreignReceipt(repo: TestRepo): Promise<Provoked> {
	const lineage = await approvedGuide(repo);
	const path = receiptPath(repo, lineage);
	writeFileSync(path, readFileSync(path, "utf8").replace('"approved"', '"approved" '));
	return { words: finalizeWords(lineage) };
}

export async function noPlaceForAReceipt(repo: TestRepo): Promise<Provoked> {
	repo.write("guide.md", "# guide\n\nOne.\n");
	const { lineage_id } = await startPrinted(repo);
	// Receipts are staged before they are linked into their place.
	const folder = join(dirname(dirname(receiptPath(repo, lineage_id))), "staging");
	rmSync(folder, { recursive: true, force: true });
	writeFileSync(folder, "in the way\n");
	return { words: finalizeWords(lineage_id, "--captured-results") };
}

function preloaded(url: string): NodeJS.ProcessEnv {
	return { NODE_OPTIONS: `--import=${url}` };
}

/** A `git` that does something of its own before the real one runs. */
function wrapGit(repo: TestRepo, before: string): CallOptions {
	const real = repo.gitWith({}, "--exec-path").toString().trim();
	const bin = `${repo.folder}/wrapped`;
	mkdirSync(bin, { recursive: true });
	writeFileSync(`${bin}/git`, `#!/bin/sh\n${before}\nexec '${real}/git' "$@"\n`);
	chmodSync(`${bin}/git`, 0o755);
	return { env: { PATH: `${bin}:${repo.env.PATH}` } };
}

export async function overtaken(repo: TestRepo): Promise<Provoked> {
	const { lineage } = await blocked([], repo);
	const other = ["gentle-ai", ...finalizeWords(lineage, "--correction-lines", "3")].join(" ");
	const env = { ...preloaded(import.meta.resolve("./overtaken.ts")), OVERTAKEN_BY: other };
	return { words: finalizeWords(lineage, "--correction-lines", "2"), options: { env } };
}

export async function gitGoneAfterTheCommit(repo: TestRepo): Promise<Provoked> {
	const { lineage } = await blocked([], repo);
	repo.write("app.ts", FIXED);
	const copy = repo.outside("store.before", readFileSync(storePath(repo)));
	const before = `if ! cmp -s '${storePath(repo)}' '${copy}'; then echo "fatal: gone from $PWD" >&2; exit 128; fi`;
	return { words: finalizeWords(lineage, "--correction-lines", "2"), options: wrapGit(repo, before) };
}

export async function unreadableStore(repo: TestRepo): Promise<Provoked> {
	change(repo);
	await startPrinted(repo);
	rmSync(storePath(repo));
	mkdirSync(storePath(repo));
	return { words: statusWords() };
}

async function broken(repo: TestRepo): Promise<CallOptions> {
	change(repo);
	await startPrinted(repo);
	return { env: preloaded(import.meta.resolve("./broken.ts")) };
}

export async function unforeseenWhileReading(repo: TestRepo): Promise<Provoked> {
	return { options: await broken(repo), words: statusWords() };
}

export async function unforeseenInAMutation(repo: TestRepo): Promise<Provoked> {
	const options = await broken(repo);
	repo.write("app.ts", NEW);
	return { options, words: startWords((await status(repo)).target_identity) };
}

export async function lockedStore(repo: TestRepo): Promise<Provoked> {
	const lineage = await resultsReady(repo);
	const { release } = await holdStore(repo, "BEGIN IMMEDIATE");
	return { words: finalizeWords(lineage, "--captured-results"), after: release };
}

export async function inexactRetry(repo: TestRepo): Promise<Provoked> {
	await closedBy("procedural_tooling_failed", repo);
	const { incident, ...exact } = retryWords(await askedRetry(repo));
	const words = { ...exact, incident, authorization: `${exact.authorization}\n` };
	return { words: retryCommand(words, "--contract", V2), options: { stdin: incident } };
}
