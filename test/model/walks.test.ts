// Random lives of reviews in this process. GENTLE_AI_SOAK raises their number, GENTLE_AI_SEED repeats them.
import fc from "fast-check";
import { it } from "vitest";
import { inProcess } from "./programs.ts";
import { walk } from "./walk.ts";

const WALKS = Number(process.env.GENTLE_AI_WALKS ?? 30);
const SEED = Number(process.env.GENTLE_AI_SEED ?? 20261201);
const faces = fc.array(fc.nat(2519), { minLength: 20, maxLength: 60 });

it("walks", { timeout: 6_000_000 }, async () => {
	const seen = new Map<string, number>();
	const endings = new Map<string, number>();
	let total = 0;
	const t = performance.now();
	await fc.assert(
		fc.asyncProperty(faces, async (dice) => {
			const { ending, reasons, steps } = await walk(dice, { flavour: inProcess });
			for (const reason of reasons) seen.set(reason, 1 + (seen.get(reason) ?? 0));
			endings.set(ending, 1 + (endings.get(ending) ?? 0));
			total += steps;
		}),
		{ numRuns: WALKS, seed: SEED, interruptAfterTimeLimit: 200_000 },
	);
	console.log(total, performance.now() - t, endings, seen);
});
