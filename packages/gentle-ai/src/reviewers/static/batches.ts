// Runs one engine over many files in bounded batches. A batch that kills the engine is halved until the one file that
// does it is known: an engine that died has not found "nothing", so that file ends the review with its name.
import { ReviewError } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import { bounded } from "../../contract/paths.ts";
import { askEngine } from "./process.ts";
import type { EngineAnswer, EngineFile, EngineName, EngineRequest, Hit } from "./protocol.ts";

const BATCH_FILES = 250;
const BATCH_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const TIMEOUT_MS_PER_MIB = 4_000;

export type EngineRun = { readonly version: string; readonly rules: number; readonly hits: readonly Hit[] };
type Good = Extract<EngineAnswer, { ok: true }>;

/** How an engine is reached; tests put a spoiled engine in its place. */
export type EngineCall = { readonly entry: string; readonly signal: AbortSignal };

function batches(files: readonly EngineFile[]): EngineFile[][] {
	const all: EngineFile[][] = [];
	let current: EngineFile[] = [];
	let bytes = 0;
	for (const file of files) {
		if (current.length > 0 && (current.length === BATCH_FILES || bytes + file.text.length > BATCH_BYTES)) {
			all.push(current);
			current = [];
			bytes = 0;
		}
		current.push(file);
		bytes += file.text.length;
	}
	return current.length === 0 ? all : [...all, current];
}

function missingPackage(name: string, version = ""): ReviewError {
	const install = `npm install --global gentle-ai${version} --include=optional`;
	return new ReviewError("candidate_context_unavailable", {
		message: bounded(`The static reviewer needs the package ${name} for this change, and it cannot be loaded`, 240),
		field: "reviewer",
		value: name,
		rule: "every analyser that the change needs must be installed",
		next: `Install it (for example: ${install}, or: npm install ${name}) or choose another reviewer`,
	});
}

function brokenEngine(engine: EngineName): ReviewError {
	return new ReviewError("candidate_context_unavailable", {
		message: `The engine ${engine} of the static reviewer does not run on this machine`,
		field: "reviewer",
		value: engine,
		rule: "an analyser that ends abnormally has judged nothing",
		next: "Reinstall gentle-ai with its optional dependencies, or choose another reviewer",
	});
}

function killerFile(engine: EngineName, path: string): ReviewError {
	const shown = bounded(path, LIMITS.boundedValueChars);
	return new ReviewError("candidate_context_unavailable", {
		message: bounded(`The engine ${engine} ended abnormally on ${shown}, so this file is unjudged`, 240),
		field: "candidate",
		value: shown,
		rule: "every changed file must be judged; a crash or a timeout is not a clean pass",
		next: "Take the file out of the change or make it smaller and simpler, or choose another reviewer",
	});
}

function timeoutFor(request: EngineRequest): number {
	const bytes = request.files.reduce((sum, file) => sum + file.text.length, 0);
	return TIMEOUT_MS + Math.ceil(bytes / (1024 * 1024)) * TIMEOUT_MS_PER_MIB;
}

async function ask(engine: EngineName, request: EngineRequest, call: EngineCall): Promise<Good | undefined> {
	const answer = await askEngine(call.entry, engine, request, timeoutFor(request), call.signal);
	if (answer?.ok === false) throw missingPackage(answer.missing);
	return answer;
}

/** Loads the engine and the grammars without judging anything. Rejects with a `ReviewError` that names what is missing. */
export async function probeEngine(engine: EngineName, languages: readonly string[], call: EngineCall): Promise<void> {
	if ((await ask(engine, { files: [], languages }, call)) === undefined) throw brokenEngine(engine);
}

async function halve(engine: EngineName, files: readonly EngineFile[], call: EngineCall): Promise<Good[]> {
	const answer = await ask(engine, { files, languages: [] }, call);
	if (answer !== undefined) return [answer];
	const [only] = files;
	if (files.length === 1 && only !== undefined) {
		await probeEngine(engine, only.language === "" ? [] : [only.language], call);
		throw killerFile(engine, only.path);
	}
	const middle = Math.ceil(files.length / 2);
	const left = await halve(engine, files.slice(0, middle), call);
	return [...left, ...(await halve(engine, files.slice(middle), call))];
}

/** Hits of all files. Rejects with a `ReviewError` when a package is missing or a file kills the engine. */
export async function runEngine(
	engine: EngineName,
	files: readonly EngineFile[],
	call: EngineCall,
): Promise<EngineRun> {
	const answers: Good[] = [];
	for (const batch of batches(files)) answers.push(...(await halve(engine, batch, call)));
	const [first] = answers;
	return { version: first?.version ?? "", rules: first?.rules ?? 0, hits: answers.flatMap(({ hits }) => hits) };
}
