// Laws of risk that hold for any change.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RiskReason } from "../../packages/gentle-ai/src/contract/state.ts";
import { SHORT_LENSES, TIERS } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	assessRisk,
	type ChangedFile,
	type Content,
	contentNeed,
	correctionBudget,
	looksBinary,
	selectLenses,
} from "../../packages/gentle-ai/src/review/index.ts";
import { byPath, change, file } from "./any-change.ts";

function keyOf({ code, signal, path: at, old_mode, new_mode }: RiskReason): Buffer {
	return Buffer.from([code, signal, at, old_mode, new_mode].map((part) => part ?? "").join("\0"));
}

function names(reasons: readonly RiskReason[]): string[] {
	return reasons.map(({ code, signal }) => `${code} ${signal}`);
}

/** The same file with exactly the bytes that the rules ask for. */
function asRead(given: ChangedFile): ChangedFile {
	const need = contentNeed(given.path);
	const reduce = (content: Content): Content => {
		if (content.kind !== "text" || need === "text") return content;
		return { kind: "opaque", size: content.bytes.length, has_nul: need === "sniff" && looksBinary(content.bytes) };
	};
	return { ...given, base: reduce(given.base), candidate: reduce(given.candidate) };
}

const RUNS = { numRuns: 400 };

describe("risk", () => {
	it("is equal for equal input, and leaves its input alone", () => {
		fc.assert(
			fc.property(change, (files) => {
				const before = JSON.stringify(files);
				const first = assessRisk(files);
				expect(JSON.stringify(files)).toBe(before);
				expect(assessRisk(structuredClone(files))).toEqual(first);
			}),
			RUNS,
		);
	});

	it("does not depend on the order in which reasons arise", () => {
		const shuffled = change.chain((files) =>
			fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length, maxLength: files.length })),
		);
		fc.assert(
			fc.property(shuffled, ([files, other]) => {
				const [sorted, mixed] = [assessRisk(files), assessRisk(other)];
				expect(mixed.tier).toBe(sorted.tier);
				expect(mixed.changed_lines).toBe(sorted.changed_lines);
				expect(mixed.large_documentation).toBe(sorted.large_documentation);
				// A fallback names the first path in order, so only reasons of their own are free of it.
				if (sorted.tier === "high") expect(mixed.reasons).toEqual(sorted.reasons);
			}),
			RUNS,
		);
	});

	it("never goes down when a path is added to the change", () => {
		fc.assert(
			fc.property(change, file, (files, more) => {
				fc.pre(files.every((each) => each.path !== more.path));
				const before = TIERS.indexOf(assessRisk(files).tier);
				const after = TIERS.indexOf(assessRisk([...files, more].sort(byPath)).tier);
				expect(after).toBeGreaterThanOrEqual(before);
			}),
			{ numRuns: 1_000 },
		);
	});

	it("never loses a signal when a path is added to the change", () => {
		fc.assert(
			fc.property(change, file, (files, more) => {
				fc.pre(files.every((each) => each.path !== more.path));
				const after = names(assessRisk([...files, more].sort(byPath)).reasons);
				const before = assessRisk(files).reasons.filter(({ signal }) => signal !== undefined);
				expect(after).toEqual(expect.arrayContaining(names(before)));
			}),
			RUNS,
		);
	});

	it("gives its reasons in canonical order, one for each code and signal, and at least one", () => {
		fc.assert(
			fc.property(change, (files) => {
				const { reasons } = assessRisk(files);
				expect(reasons.length).toBeGreaterThan(0);
				expect(new Set(names(reasons)).size).toBe(reasons.length);
				expect([...reasons].sort((left, right) => Buffer.compare(keyOf(left), keyOf(right)))).toEqual(reasons);
			}),
			RUNS,
		);
	});

	it("names the smallest path of each signal", () => {
		fc.assert(
			fc.property(change, (files) => {
				for (const { code, signal, path: at } of assessRisk(files).reasons) {
					if (signal === undefined) continue;
					const alone = files.filter((each) =>
						assessRisk([each]).reasons.some((reason) => reason.code === code && reason.signal === signal),
					);
					expect(at).toBe(alone[0]?.path);
				}
			}),
			RUNS,
		);
	});

	it("is high exactly with a signal or with too many lines of anything but documentation", () => {
		fc.assert(
			fc.property(change, (files) => {
				const { tier, reasons, changed_lines, large_documentation } = assessRisk(files);
				const signalled = reasons.some(({ signal }) => signal !== undefined);
				const large = changed_lines > 400;
				expect(reasons.some(({ code }) => code === "large_change")).toBe(large);
				expect(tier === "high").toBe(signalled || (large && !large_documentation));
				if (large_documentation) expect(tier).toBe("medium");
			}),
			RUNS,
		);
	});

	it("is the same from only the bytes that it asks for", () => {
		fc.assert(
			fc.property(change, (files) => {
				expect(assessRisk(files.map(asRead))).toEqual(assessRisk(files));
			}),
			RUNS,
		);
	});

	it("selects none, one or all four lenses, by tier alone and focus", () => {
		fc.assert(
			fc.property(change, fc.constantFrom(...SHORT_LENSES), (files, focus) => {
				const risk = assessRisk(files);
				expect(selectLenses(risk, focus)).toHaveLength({ low: 0, medium: 1, high: 4 }[risk.tier]);
			}),
			RUNS,
		);
	});

	it("has a budget of half the lines, rounded up, and of at most 200", () => {
		fc.assert(
			fc.property(fc.nat(100_000), (lines) => {
				const budget = correctionBudget(lines);
				expect(budget).toBeLessThanOrEqual(200);
				if (budget < 200) expect(2 * budget === lines || 2 * budget === lines + 1).toBe(true);
				else expect(lines).toBeGreaterThanOrEqual(399);
			}),
		);
	});
});
