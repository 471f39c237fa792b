// Random lives of reviews, in this process: whatever state a repository is in, what STATUS prints leads to an end
// (invariants 1, 2, 3 and 6; FR-07, FR-09, FR-10, FR-11). script/soak runs thousands; GENTLE_AI_SEED repeats a run.
import { describe, expect, it } from "vitest";
import { inProcess } from "./programs.ts";
import { expectEveryReason, REPEAT, runWalks, walksOf } from "./property.ts";
import { STORIES } from "./stories.ts";
import { walk } from "./walk.ts";

const SUITE = 30;
const COUNT = walksOf(SUITE, 20);

describe("whoever only runs what STATUS prints (FR-07, FR-09, FR-10)", () => {
	const told = new Set<string>();

	it.each(Object.entries(STORIES))("is led on from %s (FR-11)", { timeout: 120_000 }, async (code, faces) => {
		const { reasons } = await walk(faces, { flavour: inProcess });
		expect([...reasons]).toContain(code);
		for (const reason of reasons) told.add(reason);
	});

	const title = `comes to an end, meets no refused and no repeated offer, and asks without a trace, in ${COUNT} lives`;
	it(title, { timeout: COUNT * 20_000 }, async ({ onTestFailed }) => {
		onTestFailed(() => console.error(REPEAT));
		const { reasons, endings } = await runWalks(COUNT, { flavour: inProcess });
		// Chance needs many lives to come everywhere (FR-11).
		if (COUNT >= 1_000) expectEveryReason({ reasons: new Set([...told, ...reasons]), endings });
	});

	it.todo("leaves the times of packs and loose objects as they are while a correction is open: Git renews them");
});
