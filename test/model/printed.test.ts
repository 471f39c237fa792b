// The same lives with the real program: every printed line through a POSIX shell, every call a process of its own
// (decision 59).
import { describe, expect, it } from "vitest";
import { runSealed, sealingPermitted } from "../kit/seal.ts";
import { asChild } from "./programs.ts";
import { REPEAT, runWalks, walksOf } from "./property.ts";
import { walk } from "./walk.ts";

const COUNT = walksOf(6, 0.6);

describe("a host that is restarted before every step (FR-07, FR-09)", () => {
	it(`comes to an end by what is printed, in ${COUNT} lives`, { timeout: COUNT * 120_000 }, async ({
		onTestFailed,
	}) => {
		onTestFailed(() => console.error(REPEAT));
		await runWalks(COUNT, { flavour: asChild });
	});

	it.skipIf(!sealingPermitted())(
		"is told the same bytes where nothing can be written",
		{ timeout: 120_000 },
		async () => {
			// A blocker, its plan, its correction, and the rest by itself.
			const faces = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
			const { ending, reasons } = await walk(faces, {
				flavour: asChild,
				also: async ({ repo }, words, printed) => {
					const { code, stdout, stderr } = await runSealed(repo, words);
					expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: printed, stderr: "" });
				},
			});
			expect(ending).toBe("approved");
			expect([...reasons]).toContain("targeted_validation_required");
		},
	);
});
