// Laws of risk, extraction and admission that hold for arbitrary input.
import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { LensResultSchema } from "../../packages/gentle-ai/src/contract/result-schemas.ts";
import type { RiskReason } from "../../packages/gentle-ai/src/contract/state.ts";
import { SHORT_LENSES, TIERS } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { extractObject } from "../../packages/gentle-ai/src/review/admission/extract.ts";
import {
	admitResult,
	assessRisk,
	type ChangedFile,
	type Content,
	contentNeed,
	correctionBudget,
	looksBinary,
	selectLenses,
} from "../../packages/gentle-ai/src/review/index.ts";
import { changedFile, type Side } from "./changes.ts";
import { answer, CONTEXT, finding, SUBJECT, slotOf } from "./slots.ts";

// ---- risk ---------------------------------------------------------------------------------------------------------

const segment = fc.constantFrom(
	"src",
	"docs",
	"auth",
	"security",
	"testdata",
	"golden",
	"internal",
	"agents",
	".github",
	"workflows",
	"é",
	"😀",
);
const stem = fc.constantFrom(
	"a",
	"guide",
	"service-token",
	"update",
	"README",
	"AGENTS",
	"Makefile",
	"package",
	".env",
	"x-payments",
);
const extension = fc.constantFrom("", ".md", ".mdx", ".ts", ".sh", ".yml", ".json", ".txt", ".png", ".py");
const path = fc
	.tuple(fc.array(segment, { maxLength: 3 }), stem, extension)
	.map(([folders, name, ending]) => [...folders, `${name}${ending}`].join("/"));

const side: fc.Arbitrary<Side> = fc.oneof(
	fc.constant(null),
	fc.record({
		mode: fc.constantFrom("100644", "100644", "100644", "100755", "120000"),
		text: fc.constantFrom(
			"",
			"x\n",
			"one\ntwo\n",
			"#!/bin/sh\n",
			"exec\n",
			"import subprocess\n",
			"a\0b\n",
			"import x\n",
			"{x}\n",
		),
	}),
	fc.constant({ mode: "100644", base64: "/w==" }),
	fc.record({
		mode: fc.constant("100644"),
		text_repeat: fc.tuple(fc.constant("line"), fc.constantFrom(150, 399, 400, 401)),
	}),
);

const file: fc.Arbitrary<ChangedFile> = fc
	.tuple(path, side, side)
	.filter(([, old, candidate]) => JSON.stringify(old) !== JSON.stringify(candidate))
	.map(([name, old, candidate]) => changedFile(name, old, candidate));

function byPath(left: ChangedFile, right: ChangedFile): number {
	return Buffer.compare(Buffer.from(left.path), Buffer.from(right.path));
}

const change = fc.uniqueArray(file, { selector: (each) => each.path, maxLength: 8 }).map((files) => files.sort(byPath));

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

// ---- extraction ---------------------------------------------------------------------------------------------------

const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), {
	maxKeys: 5,
});
const prose = fc.string({
	unit: fc.oneof(fc.constantFrom('"', "\\", "'", "[", "]", ":", ",", "\n"), fc.constantFrom("a", "é", "😀", " ")),
});
const written = fc
	.tuple(object, fc.constantFrom(undefined, 2, "\t"))
	.map(([value, indent]) => JSON.stringify(value, null, indent));

describe("extraction", () => {
	it("finds exactly the one object, whatever prose without braces is around it", () => {
		fc.assert(
			fc.property(prose, written, prose, (before, json, after) => {
				expect(extractObject(before + json + after)).toEqual({ found: "one", text: json });
			}),
			{ numRuns: 1_000 },
		);
	});

	it("finds none in prose, and several in two objects", () => {
		fc.assert(
			fc.property(prose, written, prose, written, (text, first, between, second) => {
				expect(extractObject(text)).toEqual({ found: "none" });
				expect(extractObject(first + between + second)).toEqual({ found: "several" });
			}),
		);
	});

	it("finds an object cut anywhere unterminated", () => {
		fc.assert(
			fc.property(prose, written, fc.nat(), (before, json, at) => {
				const cut = json.slice(0, 1 + (at % (json.length - 1)));
				expect(extractObject(before + cut)).toEqual({ found: "unterminated" });
			}),
		);
	});

	it("returns only what the platform reads as an object, for any text", () => {
		const text = fc.string({ unit: fc.constantFrom("{", "}", '"', "\\", ":", "a", "1", ",", " ", "[", "]") });
		fc.assert(
			fc.property(text, (any) => {
				const found = extractObject(any);
				if (found.found !== "one") return;
				expect(any).toContain(found.text);
				expect(JSON.parse(found.text)).toBeTypeOf("object");
			}),
			{ numRuns: 2_000 },
		);
	});
});

// ---- admission ----------------------------------------------------------------------------------------------------

const word = fc.oneof(
	fc.constantFrom(
		"internal/a.go:2",
		"internal/a.go:7",
		"internal/b.go:1-5",
		"x.go:1",
		"BLOCKER",
		"warning",
		"introduced",
		"deterministic",
		"R3-001",
		"R1-001",
		"",
		"none",
		"reliability",
		"access denied",
	),
	fc.string({ unit: "binary", maxLength: 12 }),
);
const wild = fc.oneof({ weight: 6, arbitrary: word }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });

const wildFinding = fc
	.record(
		{
			id: wild,
			lens: wild,
			location: wild,
			severity: wild,
			claim: wild,
			proof_refs: fc.oneof(fc.array(word, { maxLength: 3 }), wild),
			evidence_class: wild,
			causal_disposition: wild,
		},
		{ requiredKeys: [] },
	)
	.map((changes) => finding(changes));

const wildAnswer = fc
	.record(
		{
			subject_hash: fc.oneof({ weight: 9, arbitrary: fc.constant(SUBJECT) }, wild),
			findings: fc.oneof({ weight: 9, arbitrary: fc.array(wildFinding, { maxLength: 3 }) }, wild),
			evidence: fc.oneof({ weight: 9, arbitrary: fc.array(word, { maxLength: 3 }) }, wild),
			lens: word,
		},
		{ requiredKeys: [] },
	)
	.map((changes) => JSON.stringify(answer(changes)));

function admit(raw: Uint8Array) {
	return admitResult(raw, slotOf(CONTEXT));
}

describe("admission", () => {
	it("never throws, whatever bytes arrive", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
				expect(admit(bytes).admitted).toBe(false);
			}),
			{ numRuns: 1_000 },
		);
	});

	it("never throws for damaged answers", () => {
		fc.assert(
			fc.property(wildAnswer, fc.nat(), fc.nat(4), fc.uint8Array({ maxLength: 4 }), (json, at, drop, insert) => {
				const bytes = Buffer.from(json);
				const place = at % (bytes.length + 1);
				admit(Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + drop)]));
			}),
			{ numRuns: 1_000 },
		);
	});

	it("admits only what the store can keep, in the one slot, with proven ids", () => {
		fc.assert(
			fc.property(wildAnswer, (json) => {
				const outcome = admit(Buffer.from(json));
				if (!outcome.admitted) {
					expect(outcome.value.length).toBeLessThanOrEqual(80);
					return;
				}
				expect(Check(LensResultSchema, outcome.result)).toBe(true);
				expect(outcome.result.lens).toBe("review-reliability");
				const ids = outcome.result.findings.map(({ id }) => id);
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids).toEqual(expect.arrayContaining([...outcome.candidate_causal_finding_ids]));
			}),
			{ numRuns: 2_000 },
		);
	});

	it("gives the same bytes the same answer", () => {
		fc.assert(
			fc.property(wildAnswer, (json) => {
				expect(admit(Buffer.from(json))).toEqual(admit(Buffer.from(json)));
			}),
		);
	});
});
