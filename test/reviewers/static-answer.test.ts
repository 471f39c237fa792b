// The answer of the static reviewer: every slot gets its families, admission takes it, and the evidence says what was read.
import { describe, expect, it, vi } from "vitest";
import type { ReviewerAnswer } from "../../packages/gentle-ai/src/contract/payloads.ts";
import { LENSES, shortLens } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import type { Slot } from "../../packages/gentle-ai/src/reviewers/reviewer.ts";
import { FAMILIES } from "../../packages/gentle-ai/src/reviewers/static/families.ts";
import { describeFinding, staticReviewer } from "../../packages/gentle-ai/src/reviewers/static/index.ts";
import { EVAL } from "./found.ts";
import { admit, type Change, review, slotFor, viewOf } from "./view.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("the answer", () => {
	const changes: Record<string, Change> = {
		"src/new.js": { candidate: `exports.run = (value) => ${EVAL};\n// eslint-disable-line\n` },
		"src/old.js": { base: "go();\n", candidate: "go();\ntry { go(); } catch {}\ngo({ a: 1, a: 2 });\n" },
		"src/gone.js": { base: `${EVAL}\n` },
		"logo.png": { candidate: new Uint8Array([137, 80, 78, 71, 0, 1, 2]) },
		link: { candidate: "target", mode: "120000" },
		"run.sh": { base: "ls\n", candidate: "ls\n", modeOnly: true, mode: "100755" },
		"lib/a.rb": { candidate: "puts 1\n" },
	};

	const session = staticReviewer.open(viewOf(changes));
	const texts: string[] = [];
	const answerTo = async (slot: Slot): Promise<ReviewerAnswer> => {
		const text = await session.answer(slot, (event) => texts.push(event.text), new AbortController().signal);
		expect(admit(text, changes, slot)).toMatchObject({ admitted: true });
		return JSON.parse(text);
	};

	it.each(LENSES)("for %s holds the families of that lens and is admitted", async (lens) => {
		const answer = await answerTo(slotFor(lens, false));
		expect(answer.inspection.paths).toEqual(Object.keys(changes));
		for (const { id = "" } of answer.findings) {
			const family = describeFinding(id)?.family;
			expect(family === undefined ? "" : FAMILIES[family].lens).toBe(shortLens(lens));
		}
	});

	it.each(LENSES)("for a lone %s holds all families", async (lens) => {
		const answer = await answerTo(slotFor(lens, true));
		expect(answer.findings.map(({ id = "" }) => describeFinding(id)?.family).sort()).toEqual([
			"code-evaluation",
			"suppression",
			"swallowed-error",
			"wrong-code",
		]);
	});

	it("takes one run of the engines for all slots, and says what it does", () => {
		expect(texts.sort()).toEqual([
			"looking for conflict markers and suppressions in 3 files",
			"looking for evaluated values in 2 files",
			"looking for secrets in 3 files",
			"looking for wrong code in 2 files",
		]);
	});

	it("names what was read, what was not text, and what nobody here understands", async () => {
		const { answer, notes } = await review(staticReviewer, changes);
		expect(answer.evidence).toEqual([
			expect.stringMatching(/^secrets: .*read 1 base and 3 candidate files/),
			expect.stringMatching(/^oxlint: .*read 1 base and 2 candidate files/),
			expect.stringMatching(/^ast: .*read 1 base and 2 candidate files/),
			expect.stringMatching(/^text: .*read 1 base and 3 candidate files/),
			"facts of src/gone.js: deleted",
			"facts of logo.png: binary, 7 bytes, mode 100644",
			"facts of link: link, mode 120000",
			"facts of run.sh: only its mode changed, 100644 to 100755",
		]);
		expect(notes).toEqual([
			"No analyser here understands Ruby: such files were searched for secrets and conflict markers only",
		]);
	});

	it("gives the same text for the same candidate", async () => {
		const [one, two] = await Promise.all([review(staticReviewer, changes), review(staticReviewer, changes)]);
		expect(one.text).toBe(two.text);
	});
});
