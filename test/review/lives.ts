// Arbitrary lives of a review: events of any kind in any order, legal or not.
import fc from "fast-check";
import type { FollowUp, Reopening, ReviewState, Snapshot } from "../../packages/gentle-ai/src/contract/state.ts";
import { LENSES, type Lens, VERIFICATION_OUTCOMES } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { applyEvent, IllegalTransition, type LineageEvent } from "../../packages/gentle-ai/src/review/lineage/index.ts";
import type { Routed } from "../../packages/gentle-ai/src/review/routing.ts";
import { digest, fresh, SNAPSHOT } from "./states.ts";

const id = fc.constantFrom("R1-001", "R3-001", "R3-002");

const routed: fc.Arbitrary<Routed> = fc.record({
	routed: fc.constant(true),
	state: fc.constantFrom("validating", "correction_required", "escalated"),
	classifications: fc.constant({}),
	outcomes: fc.dictionary(id, fc.constantFrom("info", "corroborated", "refuted", "inconclusive"), { maxKeys: 3 }),
	fix_finding_ids: fc.uniqueArray(id, { maxLength: 2 }),
	follow_ups: fc.array(fc.record({ observation: fc.constant("seen"), proof_refs: fc.constant(["there"]) }), {
		maxLength: 2,
	}),
});

function results(lenses: readonly Lens[]) {
	return lenses.map((lens, order) => ({
		result: { lens, findings: [], evidence: [`looked as ${lens}`] },
		result_hash: digest(String(order)),
	}));
}

const verified = fc.record(
	{
		evidence_hash: fc.constantFrom(digest("a"), digest("b")),
		outcome: fc.constantFrom(...VERIFICATION_OUTCOMES),
		record: fc.constant({
			digest: digest("c"),
			target_identity: digest("3"),
			authority_revision: digest("d"),
		}),
	},
	{ requiredKeys: ["evidence_hash", "outcome"] },
);

const check = fc.record({ passed: fc.boolean(), evidence_hash: fc.constant(digest("e")) });

const attempt = fc.record({
	fix_snapshot: fc.constant<Snapshot>({
		...SNAPSHOT,
		kind: "fix-diff" as const,
		base_tree: SNAPSHOT.candidate_tree,
		candidate_tree: "c".repeat(40),
		ledger_ids: ["R3-001"],
	}),
	validation_request_hash: fc.constant(digest("f")),
	actual_lines: fc.integer({ min: 0, max: 200 }),
	original_criteria: check,
	correction_regression: check,
});

const followUps = fc.array(fc.constant<FollowUp>({ observation: "later", proof_refs: ["there"] }), { maxLength: 1 });

const corrections: fc.Arbitrary<LineageEvent> = fc.oneof(
	fc.record({
		type: fc.constant("review/complete-correction-verification"),
		attempt,
		fix_delta_hash: fc.constant(digest("1")),
		evidence: verified,
		follow_ups: followUps,
	}),
	fc.record(
		{
			type: fc.constant("review/escalate-correction-verification"),
			attempt,
			evidence: verified,
			follow_ups: followUps,
		},
		{ requiredKeys: ["type", "evidence", "follow_ups"] },
	),
);

const maintenance: fc.Arbitrary<LineageEvent> = fc.oneof(
	fc.record({
		type: fc.constant("review/reopen-results"),
		reopening: fc.constant<Reopening>({
			previous_revision: digest("2"),
			quarantined: ["0:review-reliability"],
			retained: [],
			actor: "maintainer",
			reason: "wrong input",
		}),
	}),
	fc.record({ type: fc.constant("review/invalidate"), reason: fc.constantFrom("obsolete", " ") }),
);

export function eventsFor(selected: readonly Lens[]): fc.Arbitrary<LineageEvent> {
	const complete = fc.oneof(fc.constant(selected), fc.subarray([...LENSES]), fc.constant([...selected].reverse()));
	return fc.oneof(
		fc.record({ type: fc.constant("review/complete-review"), results: complete.map(results), routed }),
		fc.record({
			type: fc.constant("review/begin-fix"),
			forecast: fc.integer({ min: 1, max: 400 }),
			state: fc.constantFrom("correction_required", "escalated"),
		}),
		fc.record({ type: fc.constant("review/complete-verification"), evidence: verified }),
		corrections,
		maintenance,
	);
}

export const life = fc
	.constantFrom(0, 1, 4)
	.map((lenses) => fresh(lenses))
	.chain((start) => fc.tuple(fc.constant(start), fc.array(eventsFor(start.selected_lenses), { maxLength: 12 })));

function deepFreeze<Value>(value: Value): Value {
	if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		for (const child of Object.values(value)) deepFreeze(child);
	}
	return value;
}

function apply(state: ReviewState, event: LineageEvent): ReviewState | undefined {
	try {
		return applyEvent(deepFreeze(state), deepFreeze(event));
	} catch (error) {
		if (error instanceof IllegalTransition) return undefined;
		throw error;
	}
}

/** Runs every event of a life; `look` sees each state, the event and what came of it. */
export function live(
	[start, events]: readonly [ReviewState, readonly LineageEvent[]],
	look: (before: ReviewState, event: LineageEvent, after: ReviewState | undefined) => void,
): void {
	let state = start;
	for (const event of events) {
		const after = apply(state, event);
		look(state, event, after);
		state = after ?? state;
	}
}
