// Laws of extraction and admission that hold for arbitrary input.
import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { LensResultSchema } from "../../packages/gentle-ai/src/contract/result-schemas.ts";
import { extractObject } from "../../packages/gentle-ai/src/review/admission/extract.ts";
import { admitResult } from "../../packages/gentle-ai/src/review/index.ts";
import { answer, CONTEXT, finding, SUBJECT, slotOf } from "./slots.ts";

const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }), {
	maxKeys: 5,
});

const prose = fc.string({
	unit: fc.oneof(fc.constantFrom('"', "\\", "'", "[", "]", ":", ",", "\n"), fc.constantFrom("a", "é", "😀", " ")),
});

const written = fc
	.tuple(object, fc.constantFrom(undefined, 2, "\t"))
	.map(([value, indent]) => JSON.stringify(value, null, indent));

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
