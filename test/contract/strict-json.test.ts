// The strict reader takes what JSON allows and nothing that the platform's parser would quietly bend.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStrictJson } from "../../packages/gentle-ai/src/contract/strict-json.ts";

const DEPTH = 64;

function problem(text: string, depth = DEPTH): { pointer: string; rule: string } {
	const result = readStrictJson(text, depth);
	if (result.ok) throw new Error(`read as ${JSON.stringify(result.value)}`);
	return result.problem;
}

function value(text: string): unknown {
	const result = readStrictJson(text, DEPTH);
	if (!result.ok) throw new Error(`refused at ${result.problem.pointer}: ${result.problem.rule}`);
	return result.value;
}

describe("what a strict reader refuses", () => {
	it("a key that occurs twice, however it is spelled", () => {
		expect(problem('{"a":1,"a":2}')).toEqual({ pointer: "/a", rule: "every key once" });
		expect(problem('{"a":1,"\\u0061":1}').pointer).toBe("/a");
		expect(problem('[{"x":{"b":1,"c":2,"b":1}}]').pointer).toBe("/0/x/b");
	});

	it("a key named __proto__, however it is spelled", () => {
		expect(problem('{"__proto__":{"polluted":true}}').rule).toBe("no key named __proto__");
		expect(problem('{"a":[{"\\u005f\\u005fproto__":null}]}').pointer).toBe("/a/0/__proto__");
		expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
	});

	it.each([
		"1e999",
		"-1e999",
		"9007199254740993",
		"9007199254740992",
		"-9007199254740993",
		"1e16",
		"123456789012345678901234567890",
	])("a number that a double does not keep: %s", (text) => {
		expect(problem(`[${text}]`)).toEqual({ pointer: "/0", rule: "numbers that a double keeps exactly" });
	});

	it("half of a surrogate pair, escaped or raw, in a value or in a key", () => {
		const rule = "text without lone surrogates";
		expect(problem('"\\ud800"').rule).toBe(rule);
		expect(problem('"\\udc00\\ud800"').rule).toBe(rule);
		expect(problem('["\ud83d"]').rule).toBe(rule);
		expect(problem('{"\\ud800":1}').rule).toBe(rule);
	});

	it("a byte order mark, before the value or inside the text", () => {
		expect(problem("\ufeff{}").rule).toBe("well-formed JSON");
		expect(problem("{\ufeff}").rule).toBe("well-formed JSON");
		expect(problem("{}\ufeff").rule).toBe("one JSON value, nothing after it");
	});

	it("anything after the value", () => {
		for (const text of ["{} {}", "1 2", "[]]", "null,", "truex", "{}//", "{}\0", "01", "1.", "1e"]) {
			expect(problem(text), text).toBeDefined();
		}
	});

	it.each([
		"",
		" ",
		"+1",
		".5",
		"-",
		"NaN",
		"Infinity",
		"undefined",
		"nul",
		"'a'",
		"[1,]",
		"[,1]",
		"[1 2]",
		"{,}",
		'{"a":1,}',
		'{"a"}',
		'{"a":}',
		"{a:1}",
		'{"a" 1}',
		"[",
		"{",
		'"',
		'"\\',
		'"\\u12"',
		'"\\x41"',
		'"\\u00g0"',
		'"a\nb"',
		'"\u0000"',
		"\f1",
		"\u00a01",
		"/* */1",
	])("text that is no JSON: %j", (text) => {
		expect(() => JSON.parse(text) as unknown).toThrow();
		expect(problem(text)).toBeDefined();
	});

	it("arrays and objects nested beyond the limit, long before the stack ends", () => {
		expect(problem("[".repeat(10_000)).rule).toBe("at most 64 levels deep");
		expect(problem("[".repeat(10_000) + "]".repeat(10_000)).rule).toBe("at most 64 levels deep");
		expect(problem(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`).rule).toBe("at most 64 levels deep");
		expect(problem("[".repeat(1_000_000)).rule).toBe("at most 64 levels deep");
	});
});

describe("what a strict reader accepts", () => {
	it("nesting up to the limit", () => {
		expect(value("[".repeat(DEPTH) + "]".repeat(DEPTH))).toBeDefined();
	});

	it("the largest integers that a double keeps", () => {
		expect(value("[9007199254740991,-9007199254740991,0,-0,1.5,1e3,0.1]")).toEqual([
			9007199254740991, -9007199254740991, 0, -0, 1.5, 1000, 0.1,
		]);
	});

	it("keys that only look dangerous", () => {
		expect(value('{"constructor":1,"toString":2,"__proto":3,"":4}')).toEqual({
			constructor: 1,
			toString: 2,
			__proto: 3,
			"": 4,
		});
	});

	it("whole surrogate pairs, escaped or raw", () => {
		expect(value('["\\ud83d\\ude00","😀"]')).toEqual(["😀", "😀"]);
	});

	it("exactly the four kinds of white space", () => {
		expect(value(' \t\r\n{ "a" : [ 1 , 2 ] } \n')).toEqual({ a: [1, 2] });
	});

	const text = fc.string({ unit: "binary" });
	const number = fc.oneof(
		fc.maxSafeInteger(),
		fc.double({ noNaN: true, noDefaultInfinity: true, min: -9007199254740991, max: 9007199254740991 }),
	);
	const key = text.filter((name) => name !== "__proto__");
	const { json } = fc.letrec<{ json: unknown }>((tie) => ({
		json: fc.oneof(
			{ depthSize: "small" },
			fc.constantFrom(null, true, false),
			number,
			text,
			fc.array(tie("json"), { maxLength: 6 }),
			fc.dictionary(key, tie("json"), { maxKeys: 6 }),
		),
	}));

	it("every value that JSON can write and a double can keep, read as the platform reads it", () => {
		fc.assert(
			fc.property(json, fc.constantFrom(undefined, 1, "\t"), (written, indent) => {
				const source = JSON.stringify(written, null, indent);
				expect(readStrictJson(source, 1_000)).toStrictEqual({ ok: true, value: JSON.parse(source) as unknown });
			}),
			{ numRuns: 500 },
		);
	});

	it("nothing that the platform's parser refuses, and nothing read differently, for any damage to a text", () => {
		const damaged = fc
			.tuple(json, fc.nat(), fc.nat(3), fc.oneof(text, fc.constantFrom(..."{}[],:\"\\-0e.'", "\\u", "null", "\ufeff")))
			.map(([written, at, drop, insert]) => {
				const source = JSON.stringify(written);
				const place = at % (source.length + 1);
				return source.slice(0, place) + insert + source.slice(place + drop);
			});
		fc.assert(
			fc.property(fc.oneof(damaged, text), (source) => {
				const result = readStrictJson(source, 1_000);
				if (result.ok) expect(result.value).toStrictEqual(JSON.parse(source));
			}),
			{ numRuns: 1_000 },
		);
	});

	it("a place that a JSON pointer names, with its two escapes", () => {
		expect(problem('{"a/b":{"c~d":[0,1e999]}}').pointer).toBe("/a~1b/c~0d/1");
	});
});
