// What a gate answers: its result as a document, and for a denial the refusal that names what differs.
import type { Lineage } from "../authority/index.ts";
import { EMPTY_DIGEST, sortedByBytes } from "../contract/canonical.ts";
import { ReviewError, type ScopeChange } from "../contract/errors.ts";
import { ledgerHash, pathsDigest } from "../contract/identities.ts";
import type { GateContext, GateOutcome } from "../contract/model.ts";
import type { Gate } from "../contract/vocabulary.ts";
import type { TreeEntry } from "../git/index.ts";
import {
	type ClosedReview,
	type DiscoveryCode,
	type GateVerdict,
	undiscovered,
	unreviewedUntracked,
} from "../review/index.ts";
import type { LiveDelivery } from "./delivered.ts";
import { damagedLineage } from "./lookup.ts";

/** `refusal` is there exactly when ordinary policy may not go on: as a failure for who negotiates, as words for people. */
export type GateAnswer = { readonly outcome: GateOutcome; readonly refusal?: ReviewError };

export type Governed = { readonly lineage: Lineage; readonly review: ClosedReview; readonly live: LiveDelivery };

export function outcomeOf(verdict: GateVerdict, reason: string, context: GateContext): GateOutcome {
	const { result, allowed, action, delivery } = verdict;
	return { result, allowed, action, reason, ...(delivery !== undefined && { delivery }), context };
}

export function contextOf(gate: Gate, governed: Governed, verdict: GateVerdict): GateContext {
	const { lineage, live } = governed;
	const { state } = lineage;
	return {
		gate,
		lineage_id: state.lineage_id,
		generation: state.generation,
		store_revision: lineage.revision,
		base_tree: live.base_tree,
		candidate_tree: live.candidate_tree,
		paths_digest: pathsDigest(live.paths),
		fix_delta_hash: state.fix_delta_hash,
		policy_hash: state.policy_hash,
		ledger_hash: ledgerHash(state.findings),
		evidence_hash: state.evidence_hash ?? EMPTY_DIGEST,
		base_relationship_valid: live.base_tree === state.initial_snapshot.base_tree,
		...(verdict.denial !== undefined && { denial: verdict.denial }),
	};
}

/** The context of a gate that no review governs. */
export function emptyContext(gate: Gate, denial: GateContext["denial"]): GateContext {
	return {
		gate,
		lineage_id: "",
		generation: 0,
		base_tree: "",
		candidate_tree: "",
		paths_digest: "",
		fix_delta_hash: "",
		policy_hash: "",
		ledger_hash: "",
		evidence_hash: "",
		base_relationship_valid: false,
		...(denial !== undefined && { denial }),
	};
}

/** One difference between the approved bytes and these, as a path and what is the matter with it. */
type Difference = { readonly path: string; readonly text: string };

function describe({ path, status, old_mode, new_mode }: TreeEntry): Difference {
	const what = () => {
		if (status === "A") return "not in the approved candidate";
		if (status === "D") return "missing, the approved candidate has it";
		return old_mode === new_mode ? "other content" : `mode ${old_mode} was approved, now ${new_mode}`;
	};
	return { path, text: `${path} (${what()})` };
}

/**
 * What stands between the approved bytes and these; the approved tree is in the repository for as long as its review
 * lives. Equal trees can still be another change: on another base, other paths are delivered.
 */
async function differences({ lineage, live }: Governed): Promise<Difference[]> {
	const { candidate_tree } = lineage.state.current_snapshot;
	const paths = lineage.state.genesis_paths;
	const entries = await live.against(candidate_tree);
	if (entries === undefined) {
		const named = [...new Set([...live.paths, ...paths])];
		return named.map((path) => ({ path, text: `${path} (the approved tree is gone: it cannot be compared)` }));
	}
	if (entries.length > 0) return entries.map(describe);
	const more = live.paths.filter((path) => !paths.includes(path));
	const fewer = paths.filter((path) => !live.paths.includes(path));
	return [
		...more.map((path) => ({ path, text: `${path} (changed here, not in the approved change)` })),
		...fewer.map((path) => ({ path, text: `${path} (not changed here, on this base)` })),
	];
}

function scopeChangeOf({ lineage, live }: Governed, changes: readonly Difference[]): ScopeChange {
	const { current_snapshot, initial_snapshot } = lineage.state;
	return {
		expected: { candidate_tree: current_snapshot.candidate_tree, paths_digest: initial_snapshot.paths_digest },
		actual: { candidate_tree: live.candidate_tree, paths_digest: pathsDigest(live.paths) },
		differing_paths: changes.map(({ text }) => text),
		differing_paths_digest: pathsDigest(sortedByBytes(changes.map(({ path }) => path))),
		predecessor_lineage_id: lineage.lineage_id,
		predecessor_revision: lineage.revision,
	};
}

const SHOWN_PATHS = 3;

function summary(changes: readonly Difference[]): string {
	const shown = changes
		.slice(0, SHOWN_PATHS)
		.map(({ text }) => text)
		.join(", ");
	return changes.length > SHOWN_PATHS ? `${shown}, and ${changes.length - SHOWN_PATHS} more` : shown;
}

async function scopeChanged(
	code: "gate_scope_changed" | "receipt_scope_changed",
	governed: Governed,
): Promise<ReviewError> {
	const changes = await differences(governed);
	return new ReviewError(code, {
		message: `these are not the approved bytes: ${summary(changes)}`,
		lineage: governed.lineage.lineage_id,
		scopeChange: scopeChangeOf(governed, changes),
		next: "Restore the approved bytes, or review what is there now: `gentle-ai review`",
	});
}

function invalidated(gate: Gate, { lineage, review, live }: Governed): ReviewError {
	const extra = unreviewedUntracked(review, live);
	const message =
		extra.length > 0
			? `untracked files were not part of the review: ${extra.slice(0, SHOWN_PATHS).join(", ")}`
			: `the approved candidate was reviewed on another base than ${gate} delivers it on`;
	const next = "Review what is there now: `gentle-ai review`";
	return new ReviewError("gate_invalidated", { message, lineage: lineage.lineage_id, next });
}

function escalated({ lineage }: Governed): ReviewError {
	return new ReviewError("gate_escalated", {
		message: "the review of these bytes was closed without approval",
		lineage: lineage.lineage_id,
		next: "Run STATUS; it says what this review needs",
	});
}

async function refusalOf(gate: Gate, governed: Governed, verdict: GateVerdict): Promise<ReviewError> {
	switch (verdict.result) {
		case "scope-changed":
			return scopeChanged("gate_scope_changed", governed);
		case "escalated":
			return escalated(governed);
		default:
			return invalidated(gate, governed);
	}
}

/** The denial of a delivery that one review governs. */
export async function deniedBy(gate: Gate, governed: Governed, verdict: GateVerdict): Promise<GateAnswer> {
	const refusal = await refusalOf(gate, governed, verdict);
	return { outcome: outcomeOf(verdict, refusal.detail.message, contextOf(gate, governed, verdict)), refusal };
}

const UNDISCOVERED: Readonly<Record<DiscoveryCode, string>> = {
	receipt_missing: "no review of this repository has been closed yet",
	receipt_unrelated: "no receipt is about these bytes",
	receipt_scope_changed: "these are not the approved bytes",
	receipt_ambiguous: "several receipts are about these bytes",
};

async function undiscoveredRefusal(code: DiscoveryCode, candidates: readonly Governed[]): Promise<ReviewError> {
	const [stale] = candidates;
	if (code === "receipt_scope_changed" && stale !== undefined) return scopeChanged(code, stale);
	const ids = candidates.map(({ lineage }) => lineage.lineage_id).join(", ");
	const next =
		code === "receipt_ambiguous" ? `Pass --lineage with one of ${ids}` : "Review these bytes first: `gentle-ai review`";
	return new ReviewError(code, { message: UNDISCOVERED[code], next });
}

function undiscoveredAnswer(gate: Gate, code: DiscoveryCode | "authority_corrupted", refusal: ReviewError): GateAnswer {
	const verdict = undiscovered(code);
	return { outcome: outcomeOf(verdict, refusal.detail.message, emptyContext(gate, verdict.denial)), refusal };
}

/** The denial of a delivery that no receipt governs. */
export async function deniedUndiscovered(
	gate: Gate,
	code: DiscoveryCode,
	candidates: readonly Governed[],
): Promise<GateAnswer> {
	return undiscoveredAnswer(gate, code, await undiscoveredRefusal(code, candidates));
}

/** A record that cannot be read but whose keys name exactly these bytes may hold their verdict: nobody guesses it. */
export function deniedDamaged(gate: Gate, lineage: string): GateAnswer {
	return undiscoveredAnswer(gate, "authority_corrupted", damagedLineage(lineage));
}
