// The whole work of one session: read both sides, run every engine over them, keep what is new.

import { LIMITS } from "../../contract/limits.ts";
import { bounded } from "../../contract/paths.ts";
import type { CandidateView, Progress } from "../reviewer.ts";
import { type EngineCall, type EngineRun, runEngine } from "./batches.ts";
import { type NewFinding, newFindings } from "./compare.ts";
import { type Input, readInputs, type SideText } from "./inputs.ts";
import { isTestPath, judges } from "./policy.ts";
import { ENGINES, type EngineFile, type EngineName, type Hit } from "./protocol.ts";
import { neutralise } from "./suppressions.ts";

type EngineReport = {
	readonly engine: EngineName;
	/** Name and version, with the engine that looked. */
	readonly version: string;
	readonly evidence: string;
};

export type Analysis = {
	readonly inputs: readonly Input[];
	readonly findings: readonly NewFinding[];
	readonly engines: readonly EngineReport[];
};

const DOES: Readonly<Record<EngineName, string>> = {
	secrets: "looking for secrets",
	oxlint: "looking for wrong code",
	ast: "looking for evaluated values",
	text: "looking for conflict markers and suppressions",
};

/** Candidate files have even ids and base files odd ones, so that an id tells both the file and the side. */
function engineFile(engine: EngineName, input: Input, index: number, side: "base" | "candidate"): EngineFile[] {
	const content: SideText | undefined = input[side];
	if (content === undefined || input.candidate === undefined) return [];
	if ((engine === "oxlint" || engine === "ast") && !content.parsed) return [];
	return [
		{
			id: index * 2 + (side === "base" ? 1 : 0),
			path: input.entry.path,
			language: input.language,
			test: isTestPath(input.entry.path),
			text: engine === "text" ? content.text : neutralise(content.text),
		},
	];
}

function filesFor(engine: EngineName, inputs: readonly Input[]): EngineFile[] {
	return inputs.flatMap((input, index) => {
		// A file whose text is the same on both sides has nothing new to show.
		if (!judges(engine, input.language) || input.base?.text === input.candidate?.text) return [];
		return [...engineFile(engine, input, index, "candidate"), ...engineFile(engine, input, index, "base")];
	});
}

function isBase(id: number): boolean {
	return id % 2 === 1;
}

function findingsOf(
	engine: EngineName,
	inputs: readonly Input[],
	hits: readonly Hit[],
	view: CandidateView,
): NewFinding[] {
	const byFile = Map.groupBy(hits, ({ file }) => file);
	return inputs.flatMap((input, index) => {
		const candidate = byFile.get(index * 2) ?? [];
		return candidate.length === 0
			? []
			: newFindings(engine, input, { candidate, base: byFile.get(index * 2 + 1) ?? [] }, view);
	});
}

function evidence(engine: EngineName, files: readonly EngineFile[], run: EngineRun, found: number): string {
	const base = files.filter(({ id }) => isBase(id)).length;
	const baseHits = run.hits.filter(({ file }) => isBase(file)).length;
	return [
		`${engine}: ${run.version}, ${run.rules} rules`,
		`read ${base} base and ${files.length - base} candidate files`,
		`raw hits base ${baseHits}, candidate ${run.hits.length - baseHits}; new ${found}`,
	].join("; ");
}

/** A parser that meets the markers of a conflict says again what the markers say. */
function withoutEchoes(findings: readonly NewFinding[]): NewFinding[] {
	const conflicted = new Set(
		findings.filter(({ rule }) => rule.family === "conflict-markers").map(({ input }) => input.entry.path),
	);
	return findings.filter(({ rule, input }) => rule.family !== "broken-syntax" || !conflicted.has(input.entry.path));
}

/** Rejects with a `ReviewError` when an engine is missing or a file cannot be judged, or with the signal's reason. */
export async function analyse(
	view: CandidateView,
	call: EngineCall,
	progress: (event: Progress) => void,
): Promise<Analysis> {
	const inputs = await readInputs(view);
	const results = await Promise.all(
		ENGINES.map(async (engine) => {
			const files = filesFor(engine, inputs);
			if (files.length === 0) {
				return { findings: [], report: { engine, version: engine, evidence: `${engine}: no changed file for it` } };
			}
			const count = files.filter(({ id }) => !isBase(id)).length;
			progress({ text: `${DOES[engine]} in ${count} ${count === 1 ? "file" : "files"}` });
			const run = await runEngine(engine, files, call);
			const findings = findingsOf(engine, inputs, run.hits, view);
			const report = { engine, version: run.version, evidence: evidence(engine, files, run, findings.length) };
			return { findings, report };
		}),
	);
	return {
		inputs,
		findings: withoutEchoes(results.flatMap(({ findings }) => findings)),
		engines: results.map(({ report }) => report),
	};
}

const NAMED = 20;

/** Evidence about the files that no parser read: what they are and why that is all. */
export function skippedEvidence(inputs: readonly Input[]): string[] {
	const skipped = inputs.flatMap(({ entry, skipped: why }) => (why === undefined ? [] : [{ path: entry.path, why }]));
	const named = skipped
		.slice(0, NAMED)
		.map(({ path, why }) => `facts of ${bounded(path, LIMITS.boundedValueChars)}: ${why}`);
	return skipped.length > NAMED ? [...named, `facts of ${skipped.length - NAMED} more files of these kinds`] : named;
}
