// Canonical JSON and byte order: the two rules that every digest of the contract stands on.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	canonicalJson,
	compareBytes,
	digestOfJson,
	digestOfValues,
	indentedJson,
	sha256,
	sortedByBytes,
	sortedRecord,
} from "../../packages/gentle-ai/src/contract/canonical.ts";

describe("canonical JSON", () => {
	it("escapes <, >, & and the two line separators, in values and in keys", () => {
		expect(canonicalJson({ "a<b>": "x & y", s: "\u2028\u2029" })).toBe(
			String.raw`{"a\u003cb\u003e":"x \u0026 y","s":"\u2028\u2029"}`,
		);
	});

	it("leaves all other text outside ASCII as it is", () => {
		expect(canonicalJson(["café", "秘密", "😀", "\u007f", "\u2027", "\u202a"])).toBe(
			'["café","秘密","😀","\u007f","\u2027","\u202a"]',
		);
	});

	it("writes control characters as the contract names them", () => {
		expect(canonicalJson('\n\r\t\b\f\u0001\u001b"\\/')).toBe(String.raw`"\n\r\t\b\f\u0001\u001b\"\\/"`);
	});

	it("keeps the declared order of keys and adds no white space", () => {
		expect(canonicalJson({ b: 1, a: [true, null, { z: 0, y: "" }] })).toBe('{"b":1,"a":[true,null,{"z":0,"y":""}]}');
	});

	it("omits a key without a value, and never writes it as null", () => {
		expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
	});

	it("is indented by two spaces and ends in one LF where a person reads it", () => {
		expect(indentedJson({ a: ["<"], b: [] })).toBe('{\n  "a": [\n    "\\u003c"\n  ],\n  "b": []\n}\n');
	});

	it("reads back as the value it was written from", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const plain = JSON.parse(JSON.stringify(value)) as unknown;
				expect(JSON.parse(canonicalJson(value))).toStrictEqual(plain);
				expect(JSON.parse(indentedJson(value))).toStrictEqual(plain);
				expect(canonicalJson(value)).not.toMatch(/[<>&\u2028\u2029]/);
			}),
		);
	});
});

describe("the order of the contract", () => {
	it("is the order of UTF-8 bytes where UTF-16 disagrees", () => {
		expect(sortedByBytes(["😀.txt", "～.txt", "a", "Z", ""])).toEqual(["", "Z", "a", "～.txt", "😀.txt"]);
		expect(["😀.txt", "～.txt"].sort()).toEqual(["😀.txt", "～.txt"]);
	});

	it("is the sign of the byte comparison for any two texts", () => {
		const text = fc.string({ unit: "binary" });
		fc.assert(
			fc.property(text, text, (left, right) => {
				expect(Math.sign(compareBytes(left, right))).toBe(
					Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right))),
				);
			}),
		);
	});

	it("changes neither the list nor its multiplicity", () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
				const before = [...texts];
				const sorted = sortedByBytes(texts);
				expect(texts).toEqual(before);
				expect([...sorted].sort()).toEqual([...texts].sort());
			}),
		);
	});

	it("is the order of the keys of a genuine map", () => {
		const map = sortedRecord([
			["😀", 1],
			["～", 2],
			["R3-010", 3],
			["R3-002", 4],
		]);
		expect(Object.keys(map)).toEqual(["R3-002", "R3-010", "～", "😀"]);
	});
});

describe("length-prefixed digests", () => {
	it("count bytes, not characters", () => {
		expect(digestOfValues("d/v1", ["é"])).toBe(sha256("d/v1\x002\x00é\x00"));
	});

	it("differ when the same bytes are cut into other values", () => {
		const digests = [["ab"], ["a", "b"], ["ab", ""], ["", "ab"], []].map((values) => digestOfValues("d/v1", values));
		expect(new Set(digests).size).toBe(5);
	});

	it("differ between domains over the same value", () => {
		expect(digestOfJson("a/v1", [1])).not.toBe(digestOfJson("a/v2", [1]));
		expect(digestOfJson("a/v1", [1])).toMatch(/^sha256:[0-9a-f]{64}$/);
	});
});
