// What START answers, as documents.
import { compareBytes } from "../../canonical.ts";
import { LIMITS } from "../../limits.ts";
import type { StartOutcome } from "../../model.ts";
import type { RiskReason } from "../../state.ts";
import type { Tier } from "../../vocabulary.ts";
import type { StartHead } from "./start-shapes.ts";

/** `trees`: does this transport name the two trees whenever lenses are selected? */
export function renderStartHead(outcome: StartOutcome, trees: boolean): StartHead {
	requireConsistent(outcome);
	const { target } = outcome;
	const overlay = target.kind === "base-workspace-overlay";
	const reviewed = outcome.selected_lenses.length > 0;
	return {
		operation: "review.start",
		action: outcome.action,
		lenses_required: reviewed,
		lineage_id: outcome.lineage_id,
		state: outcome.state,
		risk_level: outcome.risk_level,
		selected_lenses: [...outcome.selected_lenses],
		projection: target.projection ?? "workspace",
		...(overlay && { target_mode: "base-workspace-overlay", target_identity: target.identity }),
		...(((trees && reviewed) || overlay) && { base_tree: target.base_tree, candidate_tree: target.candidate_tree }),
		changed_files: target.paths.length,
		changed_lines: outcome.changed_lines,
		correction_budget: outcome.correction_budget,
		risk_reasons: [...outcome.risk_reasons],
	};
}

export function renderContext({ context }: StartOutcome) {
	return context === undefined
		? {}
		: { repository_context: { capability: "review.opaque_repository_context" as const, ...context } };
}

function reasonKey(reason: RiskReason): string {
	const { code, signal = "", path = "", old_mode = "", new_mode = "" } = reason;
	return [code, signal, path, old_mode, new_mode].join("\0");
}

function tierOf(reasons: readonly RiskReason[]): Tier {
	if (reasons.some(({ signal }) => signal !== undefined)) return "high";
	const others = reasons.filter(({ code }) => code !== "large_change");
	const passive = others.every(({ code }) => code === "non_executable_only");
	if (others.length < reasons.length) return passive && others.length > 0 ? "medium" : "high";
	return passive ? "low" : "medium";
}

/** A consumer checks the same: an answer that contradicts itself is a bug of ours and never leaves. */
function requireConsistent(outcome: StartOutcome): void {
	const { changed_lines, correction_budget, risk_reasons, risk_level } = outcome;
	if (correction_budget !== Math.min(LIMITS.correctionBudget, Math.ceil(changed_lines / 2))) {
		throw new Error("the correction budget does not follow from the changed lines");
	}
	const keys = risk_reasons.map(reasonKey);
	const ascending = keys.every((key, at) => at === 0 || compareBytes(keys[at - 1] ?? "", key) < 0);
	if (!ascending) throw new Error("the risk reasons are not in canonical order");
	if (tierOf(risk_reasons) !== risk_level) throw new Error("the tier does not follow from the risk reasons");
}
