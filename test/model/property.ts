// The walks as a property: how many, from which seed, and what a whole run of them has to have seen.
import fc from "fast-check";
import { expect } from "vitest";
import { REASON_CODES } from "../../packages/gentle-ai/src/contract/reason-codes.ts";
import { type Ending, type WalkOptions, walk } from "./walk.ts";

export const SEED = Number(process.env.GENTLE_AI_SEED ?? 20261201);

const SOAK = Number(process.env.GENTLE_AI_SOAK ?? 0);

/** What the suite can afford, or so many for each life of a soak. */
export function walksOf(inSuite: number, each: number): number {
	return Math.max(inSuite, Math.round(SOAK * each));
}

/** What repeats this run. */
export const REPEAT = `repeat this with GENTLE_AI_SEED=${SEED} GENTLE_AI_SOAK=${SOAK}`;

const FACES = fc.array(fc.nat(2519), { minLength: 8, maxLength: 60 });

export type Seen = { readonly reasons: ReadonlySet<string>; readonly endings: ReadonlySet<Ending> };

/** Runs so many walks. A failure prints the shortest choices that break the law, and the way that led there. */
export async function runWalks(count: number, options: WalkOptions): Promise<Seen> {
	const reasons = new Set<string>();
	const endings = new Set<Ending>();
	const property = fc.asyncProperty(FACES, async (faces) => {
		const walked = await walk(faces, options);
		for (const reason of walked.reasons) reasons.add(reason);
		endings.add(walked.ending);
	});
	await fc.assert(property, { numRuns: count, seed: SEED });
	return { reasons, endings };
}

/** Reason codes that no walk can come to, and why. */
const UNREACHED: Readonly<Record<string, string>> = {
	native_low_risk_verification:
		"FINALIZE commits a low-risk review and its verification by structure in one step: no store of this version holds what is between",
	manual_intervention_required:
		"the answer to a state that this version does not know: no store of this version holds one",
};

/** What a long run has seen is the published table, without what is explained above. */
export function expectEveryReason({ reasons, endings }: Seen): void {
	const reachable = Object.keys(REASON_CODES).filter((code) => UNREACHED[code] === undefined);
	expect([...reasons].sort()).toEqual(reachable.sort());
	expect([...endings].sort()).toEqual(["approved", "declined", "ended", "escalated"]);
}
