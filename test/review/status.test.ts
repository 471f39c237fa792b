// Runs the published STATUS cases of the states that this version has.
import { describe, expect, it } from "vitest";
import type { State, VerificationOutcome } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { nextTransition, type RouteFacts, statusColumns } from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite } from "../contract/data.ts";
import { digest, fresh, SNAPSHOT, view } from "./states.ts";

type Input = {
	readonly applicability: "unrelated" | "ambiguous" | "corrupted" | "current_target";
	readonly target?: "staged-overlay";
	readonly candidates?: readonly string[];
	readonly state?: State;
	readonly selected_lenses?: number;
	readonly captured?: number | "unverifiable";
	readonly tier?: "low" | "high";
	readonly forecast?: number;
	readonly evidence?: VerificationOutcome | "invalid";
	readonly receipt?: "present" | "absent";
};
type Expect = {
	readonly action: string;
	readonly replayability: string;
	readonly receipt_status: string;
	readonly next_transition: { readonly kind: string; readonly reason_code: string };
};

const REPAIR = "classified repair is not in this version";
const CORRECTION = "a corrected candidate cannot be finalized in this version";
const RECOVERY = "recovery and retry are not in this version";

const SKIPPED: Readonly<Record<string, string>> = {
	"sta-corrupted-eligible": REPAIR,
	"sta-corrupted-authorized": REPAIR,
	"sta-journal-pending": "one database transaction replaces the journal, so no attempt stays incomplete",
	"sta-correction-evidence": CORRECTION,
	"sta-correction-evidence-failed": CORRECTION,
	"sta-correction-tooling": CORRECTION,
	"sta-correction-validate": CORRECTION,
	"sta-correction-consumed": CORRECTION,
	"sta-approved-pre-pr-sha": "pre-pr is not in this version",
	"sta-escalated-changed": RECOVERY,
	"sta-escalated-retry": RECOVERY,
	"sta-invalidated": RECOVERY,
	"sta-legacy-approved": "v1 histories are not in this version",
};

const RUN = [
	"sta-unrelated-staged-overlay",
	"sta-ambiguous",
	"sta-corrupted",
	"sta-reviewing-missing",
	"sta-reviewing-zero-lens",
	"sta-reviewing-tampered",
	"sta-correction-plan",
	"sta-correction-unchanged",
	"sta-validating-passed",
	"sta-validating-failed",
	"sta-validating-invalid",
	"sta-approved",
	"sta-approved-pending",
	"sta-escalated-unchanged",
];

function factsOf(input: Input): RouteFacts {
	switch (input.applicability) {
		case "unrelated": {
			const overlay = { ...SNAPSHOT, kind: "base-workspace-overlay", projection: "staged" } as const;
			const live = input.target === "staged-overlay" ? overlay : SNAPSHOT;
			return { applicability: "unrelated", live, reviews_on: true, lineage: "review-1" };
		}
		case "ambiguous":
			return { applicability: "ambiguous", live: SNAPSHOT, candidates: input.candidates ?? [] };
		case "corrupted":
			return { applicability: "corrupted", live: SNAPSHOT };
		case "current_target":
			return { applicability: "current_target", live: SNAPSHOT, authority: authorityOf(input) };
	}
}

function authorityOf(input: Input) {
	const lenses = input.selected_lenses ?? (input.tier === "high" ? 4 : 1);
	const state = {
		...fresh(lenses),
		state: input.state ?? "reviewing",
		...(input.forecast !== undefined && { correction_forecast: input.forecast }),
	} as const;
	const filled = typeof input.captured === "number" ? input.captured : 0;
	return view(state, filled, {
		...(input.captured === "unverifiable" && { slots: [{ status: "unverifiable" }] }),
		evidence: input.evidence,
		receipt: input.receipt === "present" ? { status: "published", identity: digest("7") } : { status: "absent" },
	});
}

const { cases } = readSuite<Input, Expect>("status");

describe("published behaviour: status", () => {
	for (const { id, input, expect: expected, why } of cases) {
		if (!RUN.includes(id)) continue;
		it(`${id}: ${why}`, () => {
			const facts = factsOf(input);
			const { action, replayability, receipt } = statusColumns(facts);
			const { kind, reason_code } = nextTransition(facts, {
				contract: "gentle-ai.review-integration/v2",
				gate: "pre-commit",
				selector: false,
			});
			expect({ action, replayability, receipt_status: receipt.status, next_transition: { kind, reason_code } }).toEqual(
				expected,
			);
		});
	}

	it("are all either run or listed with the reason why not", () => {
		expect(cases.map(({ id }) => id).sort()).toEqual([...RUN, ...Object.keys(SKIPPED)].sort());
	});
});
