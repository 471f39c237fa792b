// Runs the published gate cases of the two gates that judge bytes not committed yet.
import { describe, expect, it } from "vitest";
import { FAILURE_CODES, failureColumns } from "../../packages/gentle-ai/src/contract/failures.ts";
import {
	assessReceipt,
	discoverReceipt,
	evaluateGate,
	type GateReceipt,
	type GateVerdict,
	unmanaged,
} from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite } from "../contract/data.ts";

type Evaluate = {
	readonly op: "evaluate";
	readonly receipt: GateReceipt;
	readonly live: { readonly base_tree: string; readonly candidate_tree: string; readonly paths: readonly string[] };
	readonly extra_untracked?: readonly string[];
};
type Discover = {
	readonly op: "discover";
	readonly mode: "on" | "off" | "unreadable";
	readonly leaves: readonly {
		readonly lineage: string;
		readonly assessment: "exact" | "scope-changed" | "unrelated";
	}[];
};
type Expect = {
	readonly result?: string;
	readonly allowed?: boolean;
	readonly action?: string;
	readonly denial?: object;
	readonly delivery?: string;
	readonly failure_code?: string;
	readonly applicability?: string;
	readonly next_action?: string;
	readonly required_inputs?: readonly string[];
	readonly candidates?: readonly string[];
	readonly predecessor?: string;
	readonly selected?: string;
};

const LATER_GATE = "pre-push, pre-pr and release are not in this version";
const STORE = "decided by the store under its lock, not by the pure comparison";

const SKIPPED: Readonly<Record<string, string>> = {
	"gate-pre-push-two-commits": LATER_GATE,
	"gate-pre-push-base-diff-three-commits": LATER_GATE,
	"gate-pre-push-empty-range-fork": LATER_GATE,
	"gate-pre-pr-subset": LATER_GATE,
	"gate-pre-pr-base-advanced": LATER_GATE,
	"gate-pre-pr-compatible": LATER_GATE,
	"gate-release-complete": LATER_GATE,
	"gate-release-missing-artifact": LATER_GATE,
	"gate-release-other-tree": LATER_GATE,
	"gate-disc-delivery-shape": LATER_GATE,
	"gate-disc-unresolvable": LATER_GATE,
	"gate-disc-declined-release": LATER_GATE,
	"gate-race": STORE,
	"gate-lock-contended": STORE,
};

const RUN = [
	"gate-post-apply-exact",
	"gate-post-apply-edited",
	"gate-pre-commit-exact",
	"gate-pre-commit-partial-stage",
	"gate-post-apply-extra-untracked",
	"gate-candidate-before-base",
	"gate-disc-zero",
	"gate-disc-exact-beats-stale",
	"gate-disc-one-scope-changed",
	"gate-disc-two-scope-changed",
	"gate-disc-all-unrelated",
	"gate-disc-disabled-missing",
	"gate-disc-disabled-exact",
	"gate-disc-disabled-ambiguous",
	"gate-disc-mode-unreadable",
	"gate-disc-declined-post-apply",
];

/** `review.start` is not in the published enum of next actions; the wire contract (W5) rules `review.status`. */
const NEXT_ACTION: Readonly<Record<string, string>> = { "gate-disc-zero": "review.status" };

const { cases } = readSuite<Evaluate | Discover, Expect>("gates");

function checkVerdict(verdict: GateVerdict, expected: Expect): void {
	const { result, allowed, action, denial, delivery } = expected;
	expect(verdict.result).toBe(result);
	expect(verdict.allowed).toBe(allowed);
	if (action !== undefined) expect(verdict.action).toBe(action);
	expect(verdict.denial).toEqual(denial);
	expect(verdict.delivery).toBe(delivery);
}

function checkEvaluation(input: Evaluate, expected: Expect): void {
	const verdict = evaluateGate(input.receipt, { ...input.live, extra_untracked: input.extra_untracked ?? [] });
	checkVerdict(verdict, expected);
	if (expected.failure_code === undefined) return;
	expect(`gate_${verdict.result.replace("-", "_")}`).toBe(expected.failure_code);
}

function checkDiscovery(id: string, input: Discover, expected: Expect): void {
	const discovery = discoverReceipt(input.leaves);
	if (expected.selected !== undefined) {
		expect(discovery).toEqual({ found: true, lineage: expected.selected });
		return;
	}
	if (discovery.found) throw new Error(`found ${discovery.lineage}`);
	if (expected.delivery !== undefined) {
		expect(input.mode).toBe("off");
		checkVerdict(unmanaged("disabled/unmanaged", "receipt-discovery", discovery.code), expected);
		return;
	}
	expect(discovery.code).toBe(expected.failure_code);
	if (expected.candidates !== undefined) expect(discovery.candidates).toEqual(expected.candidates);
	if (expected.predecessor !== undefined) expect(discovery.candidates).toEqual([expected.predecessor]);
	expect(FAILURE_CODES).toContain(discovery.code);
	const columns = failureColumns(discovery.code, "review.validate", "not_started");
	const { applicability, required_inputs } = expected;
	const next_action = NEXT_ACTION[id] ?? expected.next_action;
	if (applicability !== undefined) expect(columns.authority_applicability).toBe(applicability);
	if (next_action !== undefined) expect(columns.next_action).toBe(next_action);
	if (required_inputs !== undefined) expect(columns.required_inputs).toEqual(required_inputs);
}

describe("published behaviour: gates", () => {
	for (const { id, input, expect: expected, why } of cases) {
		if (!RUN.includes(id)) continue;
		it(`${id}: ${why}`, () => {
			if (input.op === "evaluate") checkEvaluation(input, expected);
			else checkDiscovery(id, input, expected);
		});
	}

	it("are all either run or listed with the reason why not", () => {
		expect(cases.map(({ id }) => id).sort()).toEqual([...RUN, ...Object.keys(SKIPPED)].sort());
	});
});

const RECEIPT: GateReceipt = {
	terminal_state: "approved",
	base_tree: "B",
	final_candidate_tree: "C",
	genesis_paths: ["a.ts", "b.ts"],
};
const LIVE = { base_tree: "B", candidate_tree: "C", paths: ["a.ts", "b.ts"], extra_untracked: [] };

describe("a gate", () => {
	it("says escalated of an escalated receipt, whatever the target is", () => {
		for (const live of [LIVE, { ...LIVE, candidate_tree: "D" }, { ...LIVE, extra_untracked: ["x"] }]) {
			expect(evaluateGate({ ...RECEIPT, terminal_state: "escalated" }, live)).toEqual({
				result: "escalated",
				allowed: false,
				action: "review.status",
			});
		}
	});

	it("names an advanced base when everything else is the reviewed candidate", () => {
		expect(evaluateGate(RECEIPT, { ...LIVE, base_tree: "B2" })).toEqual({
			result: "invalidated",
			allowed: false,
			action: "explicit-maintainer-action",
			denial: { stage: "receipt-binding", code: "base-mismatch" },
		});
	});

	it("names other paths before another base", () => {
		expect(evaluateGate(RECEIPT, { ...LIVE, base_tree: "B2", paths: ["a.ts"] })).toMatchObject({
			result: "scope-changed",
			denial: { stage: "receipt-binding", code: "candidate-or-paths-mismatch" },
		});
	});

	it.each([[["a.ts"]], [["a.ts", "b.ts", "c.ts"]], [["a.ts", "c.ts"]], [[]]])("denies the paths %j", (paths) => {
		expect(evaluateGate(RECEIPT, { ...LIVE, paths })).toMatchObject({ result: "scope-changed", allowed: false });
	});

	it("allows nothing but the exact target", () => {
		for (const base_tree of ["B", "C", "D"]) {
			for (const candidate_tree of ["B", "C", "D"]) {
				for (const paths of [["a.ts", "b.ts"], ["a.ts"], []]) {
					for (const extra_untracked of [[], ["x"]]) {
						const exact =
							base_tree === "B" && candidate_tree === "C" && paths.length === 2 && extra_untracked.length === 0;
						const { allowed, result } = evaluateGate(RECEIPT, { base_tree, candidate_tree, paths, extra_untracked });
						expect(allowed).toBe(exact);
						expect(result === "allow").toBe(exact);
					}
				}
			}
		}
	});

	it("never blocks and never approves what is not governed", () => {
		expect(unmanaged("candidate_declined/unmanaged", "candidate-decline", "exact_candidate")).toEqual({
			result: "invalidated",
			allowed: false,
			action: "repository-policy",
			delivery: "candidate_declined/unmanaged",
			denial: { stage: "candidate-decline", code: "exact_candidate" },
		});
	});
});

describe("a receipt", () => {
	it.each<[string, { base_tree: string; candidate_tree: string; paths: string[] }, string]>([
		["of this target is exact", LIVE, "exact"],
		[
			"that was committed exactly, with nothing left, is history",
			{ base_tree: "C", candidate_tree: "C", paths: [] },
			"unrelated",
		],
		[
			"that was committed exactly, before other work, is history",
			{ base_tree: "C", candidate_tree: "D", paths: ["z.ts"] },
			"unrelated",
		],
		[
			"that was committed exactly, before more work on it, has another scope",
			{ base_tree: "C", candidate_tree: "D", paths: ["a.ts"] },
			"scope-changed",
		],
		["of an edited candidate has another scope", { ...LIVE, candidate_tree: "D" }, "scope-changed"],
		["of other files is unrelated", { base_tree: "B", candidate_tree: "D", paths: ["z.ts"] }, "unrelated"],
	])("%s", (_, { base_tree, candidate_tree, paths }, assessment) => {
		expect(assessReceipt(RECEIPT, { base_tree, candidate_tree, paths })).toBe(assessment);
	});

	it("is never chosen between two that fit", () => {
		const exact = (lineage: string) => ({ lineage, assessment: "exact" }) as const;
		expect(discoverReceipt([exact("l1"), exact("l2")])).toMatchObject({ found: false, code: "receipt_ambiguous" });
	});
});
