// What became of a scene, told once for all the laws that look at it.
import type { Choice, Scene } from "./scene.ts";

type Report = {
	readonly steps: readonly string[];
	/** Steps whose kill was not survived as it should be. */
	readonly problems: readonly string[];
	/** Temporary files that were still there after everything had converged. */
	readonly leftovers: readonly string[];
};

/** The report of one scene, made once for all the laws that look at it. */
export function reportOf(choice: Choice, make: () => Promise<Scene>): () => Promise<Report> {
	let made: Promise<Report> | undefined;
	const report = async () => {
		const scene = await make();
		const steps = await scene.record();
		return { steps, problems: await scene.killEach(choice), leftovers: scene.leftovers };
	};
	return () => {
		made ??= report();
		return made;
	};
}

/** The steps from `first` on that are among `known`. */
export function orderFrom(steps: readonly string[], first: string, known: readonly string[]): string[] {
	return steps.slice(steps.indexOf(first)).filter((step) => known.includes(step));
}
