// Runs the published admission cases, and pins the order and the decisions of the checks.
import { describe, expect, it } from "vitest";
import type { Lens } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { ADMISSION_RULES, type AdmissionRefusal, type Admitted } from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite } from "../contract/data.ts";
import { admit, refusal } from "./admitting.ts";
import { answer, blocker, finding, type SlotContext } from "./slots.ts";

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
