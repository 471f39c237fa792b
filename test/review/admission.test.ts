// Runs the published admission cases, then the rules of the table that no published case covers.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Lens } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	ADMISSION_RULES,
	type AdmissionRefusal,
	type Admitted,
	admitResult,
} from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite } from "../contract/data.ts";
import { answer, blocker, CONTEXT, finding, type SlotContext, SUBJECT, slotOf } from "./slots.ts";

type Input = { readonly context: "default" | SlotContext; readonly raw: string };
type Expect = {
	readonly decision: string;
	readonly check?: number;
	readonly code?: string;
	readonly diagnostic?: object;
	readonly finding_ids?: readonly string[];
	readonly candidate_causal_finding_ids?: readonly string[];
};

const suite = readSuite<Input, Expect, { context: SlotContext }>("admission");

function admit(raw: string | Uint8Array, context: SlotContext = CONTEXT, lens?: Lens): Admitted | AdmissionRefusal {
	return admitResult(typeof raw === "string" ? Buffer.from(raw) : raw, slotOf(context, lens));
}

function admitted(value: object | string): Admitted {
	const outcome = admit(typeof value === "string" ? value : JSON.stringify(value));
	if (!outcome.admitted) throw new Error(`refused: ${JSON.stringify(outcome)}`);
	return outcome;
}

function refusal(value: object | string | Uint8Array): AdmissionRefusal {
	const raw = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
	const outcome = admit(raw);
	if (outcome.admitted) throw new Error(`admitted: ${JSON.stringify(outcome.result)}`);
	return outcome;
}

/** The case leaves the location out of its diagnostic; the sheet (D.5) echoes exactly such a location. The sheet rules. */
const ECHOED: Readonly<Record<string, string>> = { "adm-finding-location-malformed": "internal/a.go:7-9,10" };

function checkAdmitted(outcome: Admitted, expected: Expect): void {
	const { finding_ids, candidate_causal_finding_ids } = expected;
	if (finding_ids) expect(outcome.result.findings.map((each) => each.id)).toEqual(finding_ids);
	if (candidate_causal_finding_ids) {
		expect(outcome.candidate_causal_finding_ids).toEqual(candidate_causal_finding_ids);
	}
}

function checkRefused(id: string, outcome: AdmissionRefusal, expected: Expect): void {
	expect(outcome.check).toBe(expected.check);
	if (expected.code !== undefined) expect(outcome.code).toBe(expected.code);
	if (expected.diagnostic === undefined) return;
	const location = ECHOED[id];
	expect(outcome.diagnostic).toEqual({ ...expected.diagnostic, ...(location !== undefined && { location }) });
}

describe("published behaviour: admission", () => {
	for (const { id, input, expect: expected, why } of suite.cases) {
		it(`${id}: ${why}`, () => {
			const outcome = admit(input.raw, input.context === "default" ? suite.defaults.context : input.context);
			expect(outcome.admitted ? "completed" : outcome.decision).toBe(expected.decision);
			if (outcome.admitted) checkAdmitted(outcome, expected);
			else checkRefused(id, outcome, expected);
		});
	}
});

describe("published behaviour: finding ids", () => {
	type Ids = { readonly lens: Lens; readonly ids: readonly (string | null)[] };
	type Assigned = { readonly decision: string; readonly ids?: readonly string[] };
	const ids = readSuite<Ids, Assigned, { finding: object }>("finding-ids");
	for (const { id, input, expect: expected, why } of ids.cases) {
		it(`${id}: ${why}`, () => {
			const findings = input.ids.map((given) => ({ ...ids.defaults.finding, ...(given !== null && { id: given }) }));
			const outcome = admit(JSON.stringify(answer({ findings })), suite.defaults.context, input.lens);
			expect(outcome.admitted ? "completed" : outcome.decision).toBe(expected.decision);
			if (outcome.admitted) expect(outcome.result.findings.map((each) => each.id)).toEqual(expected.ids);
			else expect(outcome.check).toBe(15);
		});
	}
});

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

describe("the checks", () => {
	it.each<[string, object, number]>([
		[
			"the subject before the inspection",
			answer({ subject_hash: "sha256:0", inspection: { status: "no", paths: [] } }),
			8,
		],
		[
			"the inspection before the evidence",
			answer({ inspection: { status: "completed", paths: [] }, evidence: [] }),
			12,
		],
		["a foreign path before a missing one", answer({ inspection: { status: "completed", paths: ["x.go"] } }), 13],
		[
			"an impossible path before a foreign one",
			answer({ inspection: { status: "completed", paths: ["x.go", "/y"] } }),
			11,
		],
		["shape before lens", answer({ lens: "risk", evidence: [] }), 14],
		["lens before classification", answer({ lens: "risk", findings: [finding({ severity: "BLOCKER" })] }), 15],
		[
			"classification before words",
			answer({ findings: [finding({ severity: "BLOCKER" })], evidence: ["access denied"] }),
			16,
		],
		[
			"words before repeated ids",
			answer({ findings: [finding({ id: "R3-1" }), finding({ id: "R3-1" })], evidence: ["access denied"] }),
			17,
		],
		[
			"repeated ids before places",
			answer({ findings: [finding({ id: "R3-1", location: "x" }), finding({ id: "R3-1" })] }),
			19,
		],
		[
			"malformed places before foreign ones",
			answer({ findings: [finding({ location: "x.go:1" }), finding({ location: "x" })] }),
			20,
		],
		[
			"foreign places before causes",
			answer({ findings: [blocker({ location: "internal/a.go:7" }), finding({ location: "x.go:1" })] }),
			21,
		],
	])("judge %s", (_, value, check) => {
		expect(refusal(value).check).toBe(check);
	});

	it("carry the decision that the table gives their row", () => {
		const decisions = new Map<number, Set<string>>();
		for (const { check, decision } of Object.values(ADMISSION_RULES)) {
			decisions.set(check, (decisions.get(check) ?? new Set()).add(decision));
		}
		const table = Object.fromEntries([...decisions].map(([check, set]) => [check, [...set].sort()]));
		expect(table).toEqual({
			1: ["incomplete"],
			2: ["incomplete"],
			3: ["incomplete"],
			4: ["ambiguous", "incomplete"],
			5: ["incomplete"],
			6: ["incomplete"],
			7: ["incomplete"],
			8: ["binding_mismatch"],
			10: ["incomplete"],
			11: ["out_of_scope"],
			12: ["incomplete"],
			13: ["out_of_scope"],
			14: ["incomplete"],
			15: ["binding_mismatch"],
			16: ["incomplete"],
			17: ["incomplete"],
			19: ["ambiguous"],
			20: ["out_of_scope"],
			21: ["out_of_scope"],
			23: ["out_of_scope"],
		});
	});
});

describe("evidence that says that nothing could be inspected", () => {
	it.each([
		"Inspection blocked.",
		"the  inspection\nwas blocked",
		"ACCESS DENIED",
		"permission denied",
		"candidate unavailable",
		"the candidate was unavailable",
		"immutable candidate unavailable",
		"I could not inspect it",
		"unable to inspect the trees",
		"it was not inspected",
		"not inspected",
		"no candidate contents were available",
		"no candidate content was available",
	])("is no inspection: %j", (text) => {
		expect(refusal(answer({ evidence: [text] }))).toMatchObject({ check: 17, decision: "incomplete" });
		expect(refusal(answer({ evidence: [text, "access denied again"] }))).toMatchObject({ check: 17 });
	});

	it("does not spoil evidence that says more", () => {
		expect(
			admitted(answer({ evidence: ["access denied for the vendored part", "read internal/a.go whole"] })).admitted,
		).toBe(true);
	});

	it("counts only outside of quotes", () => {
		expect(admitted(answer({ evidence: ['returns "permission denied" to the caller'] })).admitted).toBe(true);
		expect(admitted(answer({ evidence: ["the message `access denied` is right"] })).admitted).toBe(true);
	});

	it("is not hidden by the apostrophes of ordinary English", () => {
		const text = "I couldn't open the candidate: access denied, so the files weren't read";
		expect(refusal(answer({ evidence: [text] }))).toMatchObject({ check: 17, decision: "incomplete" });
	});
});

describe("a severe claim against the candidate", () => {
	it.each([
		["internal/a.go:2", true],
		["internal/a.go:3", true],
		["internal/a.go:2-3", true],
		["internal/a.go:002-0003", true],
		["internal/a.go:10", true],
		["internal/b.go:1-5", true],
		["internal/a.go:1", false],
		["internal/a.go:4", false],
		["internal/a.go:3-4", false],
		["internal/a.go:1-2", false],
		["internal/a.go:9-10", false],
		["internal/a.go:11", false],
		["internal/b.go:1-6", false],
		["internal/b.go:2147483648", false],
		["internal/b.go:9223372036854775807", false],
	])("at %s holds: %s", (location, holds) => {
		for (const causal_disposition of ["introduced", "worsened"]) {
			const outcome = admit(JSON.stringify(answer({ findings: [blocker({ location, causal_disposition })] })));
			expect(outcome.admitted).toBe(holds);
			if (!outcome.admitted) expect(outcome).toMatchObject({ check: 23, decision: "out_of_scope" });
		}
	});

	it("is not judged for a finding that is not severe", () => {
		const outcome = admitted(
			answer({ findings: [finding({ location: "internal/a.go:7", causal_disposition: "introduced" })] }),
		);
		expect(outcome.candidate_causal_finding_ids).toEqual([]);
	});

	it("binds the answer to its own slot: another subject never fits (D.9)", () => {
		const other = admitResult(Buffer.from(JSON.stringify(answer())), {
			...slotOf(CONTEXT),
			subject_hash: `sha256:${"b".repeat(64)}`,
		});
		expect(other).toMatchObject({ admitted: false, check: 8 });
		expect(SUBJECT).not.toBe(`sha256:${"b".repeat(64)}`);
	});
});

describe("a diagnostic", () => {
	it.each(["a b.go:x", "internal/a.go:1,2", "internal/a.go:+1", "a.go:-5"])(
		"echoes the plain location %j",
		(location) => {
			expect(refusal(answer({ findings: [finding({ location })] })).diagnostic).toMatchObject({ location });
		},
	);

	it.each([
		["two colons", "a:b.go:x"],
		["a control character", "a\u0001.go:x"],
		["a C1 control character", "a\u009b31m.go:x"],
		["a path that leaves the repository", "../a.go:x"],
		["a suffix of other letters", "a.go:x y"],
		["more than 256 bytes", `${"é".repeat(127)}.go:x`],
	])("does not echo a location with %s", (_, location) => {
		expect(refusal(answer({ findings: [finding({ location })] })).diagnostic).not.toHaveProperty("location");
	});

	it("echoes 256 bytes", () => {
		const location = `${"x".repeat(251)}.go:x`;
		expect(Buffer.byteLength(location)).toBe(256);
		expect(refusal(answer({ findings: [finding({ location })] })).diagnostic).toMatchObject({ location });
	});

	it("echoes a finding id of at most 128 bytes", () => {
		const id = (length: number) => `R3-${"x".repeat(length - 3)}`;
		const echoed = refusal(answer({ findings: [finding({ id: id(128), location: "x" })] })).diagnostic;
		expect(echoed).toMatchObject({ finding_id: id(128) });
		const silent = refusal(answer({ findings: [finding({ id: id(129), location: "x" })] })).diagnostic;
		expect(silent).not.toHaveProperty("finding_id");
	});

	it("shows an offending value bounded and visible", () => {
		const { value, pointer } = refusal(answer({ findings: [finding({ severity: `\u001b[2J${"x".repeat(500)}` })] }));
		expect(pointer).toBe("/findings/0/severity");
		expect(value.length).toBeLessThanOrEqual(80);
		expect(value).toMatch(/^\\x1b\[2Jx+…$/);
	});
});
