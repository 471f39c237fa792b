// The reviewer without a model: analysers in processes of their own, run over both trees, and only what is new counts.
import type { ManifestEntry } from "../../contract/state.ts";
import type { CandidateView, Progress, Reviewer, ReviewerSession, Slot } from "../reviewer.ts";
import { type Analysis, analyse } from "./analyse.ts";
import { probeEngine } from "./batches.ts";
import { judges, languageOf, unjudgedLanguage } from "./policy.ts";
import { engineFile } from "./process.ts";
import { ENGINES } from "./protocol.ts";
import { answerFor } from "./report.ts";
import { validationOf } from "./validate.ts";

export { describeFinding } from "./families.ts";

function unjudgedNote(manifest: readonly ManifestEntry[]): readonly string[] {
	const changed = manifest.filter(({ deleted }) => !deleted);
	const languages = [...new Set(changed.map(({ path }) => unjudgedLanguage(path)))]
		.filter((name) => name !== "")
		.sort();
	if (languages.length === 0) return [];
	return [
		`No analyser here understands ${languages.join(", ")}: such files were searched for secrets and conflict markers only`,
	];
}

function openSession(view: CandidateView, entry: string): ReviewerSession {
	let shared: Promise<Analysis> | undefined;
	const analysis = (progress: (event: Progress) => void, signal: AbortSignal): Promise<Analysis> => {
		const work = shared ?? analyse(view, { entry, signal }, progress);
		shared = work;
		// What failed or was cancelled is not what the next slot should get.
		work.catch(() => {
			shared = undefined;
		});
		return work;
	};
	return {
		answer: async (slot: Slot, progress, signal) => {
			signal.throwIfAborted();
			const done = await analysis((event) => progress({ ...event, lens: slot.lens }), signal);
			return answerFor(slot, done);
		},
		notes: () => unjudgedNote(view.manifest),
	};
}

/** A static reviewer whose engines are started from `entry`; by default from the file that belongs to this build. */
export function createStaticReviewer(entry: string = engineFile()): Reviewer {
	return {
		name: "static",
		description: "Analysers on this machine, without a model: secrets, code evaluation, shells, wrong code, conflicts",
		prepare: async (manifest) => {
			const call = { entry, signal: new AbortController().signal };
			const languages = [...new Set(manifest.filter(({ deleted }) => !deleted).map(({ path }) => languageOf(path)))];
			const needed = ENGINES.filter(
				(engine) =>
					engine === "secrets" || (engine !== "text" && languages.some((one) => one !== "" && judges(engine, one))),
			);
			await Promise.all(needed.map((engine) => probeEngine(engine, languages, call)));
		},
		open: (view) => openSession(view, entry),
		validate: async (view, findings, progress, signal) =>
			validationOf(await analyse(view, { entry, signal }, progress), findings),
	};
}

export const staticReviewer: Reviewer = createStaticReviewer();
