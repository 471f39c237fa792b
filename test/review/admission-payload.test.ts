// What an answer may be as bytes and as JSON: the rules of the table that no published case covers.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { admitted, refusal } from "./admitting.ts";
import { answer, finding } from "./slots.ts";

describe("the payload", () => {
	it("wrapped in a task envelope is refused as such", () => {
		const wrapped = `<task_result>${JSON.stringify(answer())}</task_result>`;
		expect(refusal(wrapped)).toMatchObject({ check: 2, code: "nested_envelope", decision: "incomplete" });
		expect(refusal(`${JSON.stringify(answer())}</task_result>`)).toMatchObject({ check: 2, code: "nested_envelope" });
	});

	it("may be 4 MiB long and not one byte longer", () => {
		const json = JSON.stringify(answer());
		const room = 4 * 1024 * 1024 - Buffer.byteLength(json);
		expect(admitted(json + " ".repeat(room)).result.findings).toEqual([]);
		expect(refusal(json + " ".repeat(room + 1))).toMatchObject({ check: 3, decision: "incomplete" });
	});

	it("of no bytes at all is empty", () => {
		expect(refusal(new Uint8Array()).decision).toBe("incomplete");
	});

	it("that is not UTF-8 is refused", () => {
		expect(refusal(Buffer.from([0x7b, 0xff, 0x7d])).decision).toBe("incomplete");
	});

	it("may stand in a code fence", () => {
		expect(admitted(`Here:\n\`\`\`json\n${JSON.stringify(answer(), null, 2)}\n\`\`\`\n`).result.findings).toEqual([]);
	});

	it("may have braces around it that are no JSON", () => {
		expect(admitted(`{not json} ${JSON.stringify(answer())} {neither}`).result.findings).toEqual([]);
	});

	it("is swallowed by an open brace before it", () => {
		expect(refusal(`note: { ${JSON.stringify(answer())}`)).toMatchObject({ check: 4, decision: "incomplete" });
	});

	it.each([
		["a repeated key", '{"subject_hash":"x",', "{"],
		["a key named __proto__", '{"__proto__":{},', "{"],
		["a number past every double", '{"findings":1e999,', '{"findings":[],'],
	])("with %s is refused", (_, start, original) => {
		const json = JSON.stringify({ findings: [], ...answer() });
		expect(json.startsWith(original)).toBe(true);
		expect(refusal(start + json.slice(original.length))).toMatchObject({ check: 5, decision: "incomplete" });
	});

	it("with half of a surrogate pair is refused", () => {
		expect(refusal(JSON.stringify(answer()).replace("inspected", "\\ud800"))).toMatchObject({ check: 5 });
	});

	it("nested ten thousand deep is refused without harm", () => {
		const deep = `{"findings":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
		expect(refusal(deep)).toMatchObject({ check: 5, decision: "incomplete" });
	});

	it("is hashed as it came, prose and all", () => {
		const raw = `Prose.\n${JSON.stringify(answer())}\n`;
		const outcome = admitted(raw);
		expect(outcome.raw_sha256).toBe(`sha256:${createHash("sha256").update(raw).digest("hex")}`);
		expect(outcome.result_hash).toBe(admitted(answer()).result_hash);
	});
});

describe("the shape of an answer", () => {
	it.each([
		["an unknown field of a finding", answer({ findings: [finding({ note: "x" })] })],
		["an unknown field of the inspection", answer({ inspection: { status: "completed", paths: [], by: "me" } })],
		["a number where text belongs", answer({ findings: [finding({ claim: 1 })] })],
		["a finding that is text", answer({ findings: ["x"] })],
		[
			"a finding without severity",
			answer({ findings: [{ location: "internal/a.go:2", claim: "x", proof_refs: ["y"] }] }),
		],
		["evidence that is one text", answer({ evidence: "inspected" })],
		["a key in another case", answer({ Lens: "reliability" })],
	])("is refused for %s", (_, value) => {
		expect(refusal(value)).toMatchObject({ check: 5, decision: "incomplete" });
	});

	it("needs both lists", () => {
		const { findings: _, ...withoutFindings } = answer();
		expect(refusal(withoutFindings)).toMatchObject({ check: 6 });
		expect(refusal(answer({ findings: null }))).toMatchObject({ check: 6 });
	});

	it("needs a subject hash that says something", () => {
		expect(refusal(answer({ subject_hash: "" }))).toMatchObject({ check: 7 });
	});

	it.each(["n/a", "NA", "None", "todo", "TBD", " pass", "Passed", "success ", "placeholder", "", "  "])(
		"takes %j neither for evidence nor for proof",
		(word) => {
			expect(refusal(answer({ evidence: ["looked at all lines", word] }))).toMatchObject({ check: 14 });
			expect(refusal(answer({ findings: [finding({ proof_refs: [word] })] }))).toMatchObject({ check: 14 });
		},
	);

	it("takes a sentence that begins with such a word", () => {
		expect(admitted(answer({ evidence: ["passed every test I could think of"] })).result.evidence).toHaveLength(1);
	});

	it("needs one of the four severities", () => {
		expect(refusal(answer({ findings: [finding({ severity: "MAJOR" })] }))).toMatchObject({ check: 14 });
	});

	it("trims what it keeps and upper-cases the severity", () => {
		const { result } = admitted(
			answer({
				findings: [
					finding({
						id: " R3-x ",
						location: " internal/a.go:2 ",
						severity: "critical",
						claim: " it breaks ",
						proof_refs: [" changed-hunk:internal/a.go:2 "],
						evidence_class: " inferential ",
						causal_disposition: " introduced ",
						lens: "review-reliability",
					}),
				],
				evidence: [" looked at it "],
			}),
		);
		expect(result).toEqual({
			lens: "review-reliability",
			findings: [
				{
					id: "R3-x",
					lens: "reliability",
					location: "internal/a.go:2",
					severity: "CRITICAL",
					claim: "it breaks",
					proof_refs: ["changed-hunk:internal/a.go:2"],
					evidence_class: "inferential",
					causal_disposition: "introduced",
				},
			],
			evidence: ["looked at it"],
		});
	});

	it("takes the selected lens in both spellings and no other", () => {
		expect(admitted(answer({ lens: "review-reliability" })).admitted).toBe(true);
		for (const lens of ["review-", "Reliability", "risk", "review-review-reliability"]) {
			expect(refusal(answer({ lens })), lens).toMatchObject({ check: 15, decision: "binding_mismatch" });
		}
	});

	it("refuses a native id that another finding gave itself", () => {
		expect(refusal(answer({ findings: [finding({ id: "R3-002" }), finding()] }))).toMatchObject({
			check: 19,
			decision: "ambiguous",
		});
	});
});
