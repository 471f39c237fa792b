// The published input of a vector as the values that a derivation takes.
import type { targetIdentity } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { ReviewState, RiskReason, Snapshot } from "../../packages/gentle-ai/src/contract/state.ts";
import type { TargetKind } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { beginLineage } from "../../packages/gentle-ai/src/review/index.ts";
import type { Vector } from "./data.ts";

export type Check = { readonly passed: boolean; readonly evidence: readonly string[] };

export type Derive = (input: Vector["input"], vector: Vector) => string;

export function payload<Value>(input: Vector["input"]): Value {
	return input.value as Value;
}

export function valuesOf(input: Vector["input"]): string[] {
	return input.domain === undefined || input.values !== undefined ? (input.values as string[]) : [];
}

export function textOf(input: Vector["input"]): string {
	return input.utf8 as string;
}

export function word(values: readonly string[], index: number): string {
	const value = values[index];
	if (value === undefined) throw new Error(`the vector has no value ${index}`);
	return value;
}

/** The published values of an identity, taken apart into the fields of a snapshot. */
export function targetOf(input: Vector["input"]): Parameters<typeof targetIdentity>[0] {
	const [kind, ...rest] = valuesOf(input);
	const staged = rest[0] === "staged";
	const [base_tree, candidate_tree, paths_digest, ...ledger_ids] = staged ? rest.slice(1) : rest;
	return {
		kind: kind as TargetKind,
		...(staged && { projection: "staged" }),
		base_tree: base_tree ?? "",
		candidate_tree: candidate_tree ?? "",
		paths_digest: paths_digest ?? "",
		...(ledger_ids.length > 0 && { ledger_ids }),
	};
}

export type LowRisk = {
	lineage_id: string;
	generation: number;
	snapshot: Snapshot;
	policy_hash: string;
	risk: { level: "low"; changed_lines: number; reasons: RiskReason[] };
	correction_budget: number;
	original_changed_lines: number;
};

export function lowRiskState(low: Omit<LowRisk, "risk">): ReviewState {
	return beginLineage({
		lineage_id: low.lineage_id,
		snapshot: low.snapshot,
		policy_hash: low.policy_hash,
		tier: "low",
		lenses: [],
		changed_lines: low.original_changed_lines,
		correction_budget: low.correction_budget,
	});
}
