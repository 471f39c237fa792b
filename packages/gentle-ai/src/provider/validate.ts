// VALIDATE: may exactly these bytes be delivered? Reads receipts and the live target, decides, and looks a second time
// before it says yes. It changes nothing.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isDamaged, type Lineage, readMode, readStore, type StoreReader } from "../authority/index.ts";
import { EMPTY_DIGEST, ledgerHash, pathsDigest, sortedByBytes } from "../contract/canonical.ts";
import { type FailureCode, invalidInput, ReviewError, type ScopeChange } from "../contract/errors.ts";
import type { GateContext, GateOutcome } from "../contract/model.ts";
import type { Snapshot } from "../contract/state.ts";
import { EVALUATED_GATES, type Gate, isEvaluated, LIMITS } from "../contract/vocabulary.ts";
import { lookAtIndex, lookAtWorktree, readHead, type TreeEntry, treesInHistory } from "../git/index.ts";
import {
	assessReceipt,
	deriveReceipt,
	discoverReceipt,
	evaluateGate,
	type GateReceipt,
	type GateVerdict,
	unmanaged,
} from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import { requireLineage } from "./lookup.ts";
import { damagedLineage } from "./start.ts";

export type GateRequest = { readonly gate: Gate; readonly lineage: string | undefined };

/** What would be delivered, as this gate sees it. */
type Delivered = {
	readonly base: string;
	readonly candidate: string;
	readonly paths: readonly string[];
	readonly untracked: readonly string[];
	/** What differs from another tree. */
	readonly against: (tree: string) => Promise<TreeEntry[]>;
	readonly stillHolds: () => Promise<boolean>;
	/** Of the bases of ranged reviews near these bytes: the trees that HEAD's history holds. */
	readonly history: ReadonlySet<string>;
};

/** Pre-commit judges the index that Git hands to a hook, or the repository's own: never the work tree. */
async function delivered(place: Workplace, gate: Gate): Promise<Delivered> {
	const { session, repository, caller } = place;
	const head = await readHead(session, repository);
	const handed = caller.environment.GIT_INDEX_FILE;
	// Git hands a path that is relative to the root of the work tree. Whatever it hands is what it will commit.
	const index = handed === undefined ? repository.indexPath : resolve(repository.root, handed);
	if (handed !== undefined && !existsSync(index)) {
		throw invalidInput(
			"GIT_INDEX_FILE",
			handed,
			"an existing index file",
			"Unset GIT_INDEX_FILE, or run the gate from a hook",
		);
	}
	const looked =
		gate === "pre-commit"
			? await lookAtIndex(session, repository, head.tree, index)
			: await lookAtWorktree(session, repository, head.tree);
	return {
		base: head.tree,
		candidate: looked.tree,
		paths: looked.entries.map(({ path }) => path),
		untracked: looked.intended_untracked,
		against: looked.against,
		stillHolds: looked.stillHolds,
		history: new Set(),
	};
}

/** Walks the history only when a ranged review could apply. */
async function withHistory(place: Workplace, store: StoreReader, live: Delivered): Promise<Delivered> {
	const bases = store
		.closedNear(live.base, live.candidate)
		.flatMap((row) => (isDamaged(row) ? [] : [row.state.current_snapshot]))
		.filter(({ kind, candidate_tree }) => kind !== "current-changes" && candidate_tree === live.candidate)
		.map(({ base_tree }) => base_tree);
	if (bases.length === 0) return live;
	return { ...live, history: await treesInHistory(place.session, place.repository, bases) };
}

function receiptOf(lineage: Lineage): GateReceipt | undefined {
	const receipt = deriveReceipt(lineage.state);
	return (
		receipt && {
			terminal_state: receipt.terminal_state,
			base_tree: receipt.base_tree,
			final_candidate_tree: receipt.final_candidate_tree,
			genesis_paths: lineage.state.genesis_paths,
		}
	);
}

/**
 * A range is compared with its own base, but only with one that HEAD's history holds: a base that nobody ever committed
 * could hide anything.
 */
function comparable(lineage: Lineage, live: Delivered): Delivered {
	const { kind, base_tree, candidate_tree } = lineage.state.current_snapshot;
	const ranged = kind === "base-diff" || kind === "base-workspace-overlay";
	if (!ranged || live.candidate !== candidate_tree || !live.history.has(base_tree)) return live;
	return {
		...live,
		base: base_tree,
		paths: lineage.state.genesis_paths,
		untracked: lineage.state.initial_snapshot.intended_untracked,
	};
}

function extraUntracked(lineage: Lineage, live: Delivered): string[] {
	const frozen = new Set(lineage.state.genesis_paths);
	return live.untracked.filter((path) => !frozen.has(path));
}

function judge(lineage: Lineage, receipt: GateReceipt, live: Delivered): GateVerdict {
	const seen = comparable(lineage, live);
	return evaluateGate(receipt, {
		base_tree: seen.base,
		candidate_tree: seen.candidate,
		paths: seen.paths,
		extra_untracked: extraUntracked(lineage, seen),
	});
}

type Selection =
	| { readonly found: true; readonly lineage: Lineage }
	| {
			readonly found: false;
			readonly code: "receipt_missing" | "receipt_unrelated" | "receipt_scope_changed" | "receipt_ambiguous";
			readonly candidates: readonly Lineage[];
	  };

function select(store: StoreReader, live: Delivered): Selection {
	// A record that cannot be read but whose keys name exactly these bytes may hold their verdict: nobody guesses it.
	const damaged = store.lineagesOfTarget(live.base, live.candidate).find(isDamaged);
	if (damaged !== undefined) throw damagedLineage(damaged.lineage_id);
	const near = store.closedNear(live.base, live.candidate).filter((row): row is Lineage => !isDamaged(row));
	const leaves = near.flatMap((lineage) => {
		const receipt = receiptOf(lineage);
		if (receipt === undefined) return [];
		const seen = comparable(lineage, live);
		const assessment = assessReceipt(receipt, {
			base_tree: seen.base,
			candidate_tree: seen.candidate,
			paths: seen.paths,
		});
		return [{ lineage: lineage.lineage_id, assessment }];
	});
	const discovery = discoverReceipt(leaves);
	const named = (ids: readonly string[]) => near.filter(({ lineage_id }) => ids.includes(lineage_id));
	if (discovery.found) {
		const [lineage] = named([discovery.lineage]);
		if (lineage !== undefined) return { found: true, lineage };
	} else if (discovery.code !== "receipt_missing") {
		return { found: false, code: discovery.code, candidates: named(discovery.candidates) };
	}
	// Nothing near: say whether this repository holds receipts for other bytes.
	return { found: false, code: store.hasClosed() ? "receipt_unrelated" : "receipt_missing", candidates: [] };
}

function contextOf(gate: Gate, lineage: Lineage, live: Delivered, verdict: GateVerdict): GateContext {
	const { state } = lineage;
	return {
		gate,
		lineage_id: state.lineage_id,
		generation: state.generation,
		store_revision: lineage.revision,
		base_tree: live.base,
		candidate_tree: live.candidate,
		paths_digest: pathsDigest(live.paths),
		fix_delta_hash: state.fix_delta_hash,
		policy_hash: state.policy_hash,
		ledger_hash: ledgerHash(state.findings),
		evidence_hash: state.evidence_hash ?? EMPTY_DIGEST,
		base_relationship_valid: live.base === state.initial_snapshot.base_tree,
		...(verdict.denial !== undefined && { denial: verdict.denial }),
	};
}

function emptyContext(gate: Gate, denial: { stage: string; code: string } | undefined): GateContext {
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
async function differences(lineage: Lineage, live: Delivered): Promise<Difference[]> {
	const { candidate_tree, paths } = lineage.state.current_snapshot;
	const entries = await live.against(candidate_tree);
	if (entries.length > 0) return entries.map(describe);
	const more = live.paths.filter((path) => !paths.includes(path));
	const fewer = paths.filter((path) => !live.paths.includes(path));
	return [
		...more.map((path) => ({ path, text: `${path} (changed here, not in the approved change)` })),
		...fewer.map((path) => ({ path, text: `${path} (not changed here, on this base)` })),
	];
}

function scopeChange(lineage: Lineage, live: Delivered, changes: readonly Difference[]): ScopeChange {
	const { current_snapshot } = lineage.state;
	return {
		expected: { candidate_tree: current_snapshot.candidate_tree, paths_digest: current_snapshot.paths_digest },
		actual: { candidate_tree: live.candidate, paths_digest: pathsDigest(live.paths) },
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
	lineage: Lineage,
	live: Delivered,
): Promise<ReviewError> {
	const changes = await differences(lineage, live);
	return new ReviewError(code, {
		message: `these are not the approved bytes: ${summary(changes)}`,
		lineage: lineage.lineage_id,
		scopeChange: scopeChange(lineage, live, changes),
		next: "Restore the approved bytes, or review what is there now: `gentle-ai review`",
	});
}

async function denial(
	request: GateRequest,
	lineage: Lineage,
	live: Delivered,
	verdict: GateVerdict,
): Promise<ReviewError> {
	const id = lineage.lineage_id;
	if (verdict.result === "scope-changed") return scopeChanged("gate_scope_changed", lineage, live);
	if (verdict.result === "escalated") {
		return new ReviewError("gate_escalated", {
			message: "the review of these bytes was closed without approval",
			lineage: id,
			next: "Run STATUS; it says what this review needs",
		});
	}
	const extra = extraUntracked(lineage, live);
	const message =
		extra.length > 0
			? `untracked files were not part of the review: ${extra.slice(0, SHOWN_PATHS).join(", ")}`
			: `the approved candidate was reviewed on another base than ${request.gate} delivers it on`;
	return new ReviewError("gate_invalidated", {
		message,
		lineage: id,
		next: "Review what is there now: `gentle-ai review`",
	});
}

const DISCOVERY_MESSAGE: Readonly<Record<Exclude<Selection, { found: true }>["code"], string>> = {
	receipt_missing: "no review of this repository has been closed yet",
	receipt_unrelated: "no receipt is about these bytes",
	receipt_scope_changed: "these are not the approved bytes",
	receipt_ambiguous: "several receipts are about these bytes",
};

async function notFound(selection: Exclude<Selection, { found: true }>, live: Delivered): Promise<ReviewError> {
	const [stale] = selection.candidates;
	if (selection.code === "receipt_scope_changed" && stale !== undefined) {
		return scopeChanged("receipt_scope_changed", stale, live);
	}
	const code: FailureCode = selection.code;
	const next =
		code === "receipt_ambiguous"
			? `Pass --lineage with one of ${selection.candidates.map(({ lineage_id }) => lineage_id).join(", ")}`
			: "Review these bytes first: `gentle-ai review`";
	return new ReviewError(code, { message: DISCOVERY_MESSAGE[selection.code], next });
}

function sameDecline(declined: Snapshot, live: Delivered): boolean {
	return declined.base_tree === live.base && declined.candidate_tree === live.candidate;
}

/** Deliveries that review does not govern: a declined candidate, or a switched-off clone. Never over an exact receipt. */
function unmanagedDelivery(
	place: Workplace,
	store: StoreReader,
	request: GateRequest,
	live: Delivered,
	code: string,
): GateOutcome | undefined {
	if (
		request.gate === "pre-commit" &&
		store.declinesOf(live.base, live.candidate).some((each) => sameDecline(each, live))
	) {
		const verdict = unmanaged("candidate_declined/unmanaged", "candidate-decline", "exact_candidate");
		return outcome(
			verdict,
			"this exact candidate was declined; ordinary repository policy applies",
			emptyContext(request.gate, verdict.denial),
		);
	}
	const mode = readMode(place.caller.home, place.repository.commonDir);
	if (mode.effective === "off" && mode.unreadable === undefined) {
		const verdict = unmanaged("disabled/unmanaged", "receipt-discovery", code);
		return outcome(
			verdict,
			"reviews are switched off; ordinary repository policy applies",
			emptyContext(request.gate, verdict.denial),
		);
	}
	return undefined;
}

function outcome(verdict: GateVerdict, reason: string, context: GateContext): GateOutcome {
	return {
		result: verdict.result,
		allowed: verdict.allowed,
		action: verdict.action,
		reason,
		...(verdict.delivery !== undefined && { delivery: verdict.delivery }),
		context,
	};
}

/** The receipt file must be there and equal what the authority decided. */
function requirePublished(store: StoreReader, lineage: Lineage): void {
	const { status } = store.receiptStatus(lineage);
	if (status === "published") return;
	if (status === "conflict") {
		throw new ReviewError("authority_corrupted", {
			message: "the published receipt is not the one of this review",
			lineage: lineage.lineage_id,
		});
	}
	throw new ReviewError("receipt_missing", {
		message: "the review is closed, but its receipt is not published yet",
		lineage: lineage.lineage_id,
		next: `Run \`gentle-ai review finalize --lineage ${lineage.lineage_id}\``,
	});
}

/** Before yes: the same question again, of Git and of the store. A change in between is a denial. */
async function confirm(place: Workplace, lineage: Lineage, live: Delivered): Promise<void> {
	const { session, repository } = place;
	const [head, holds] = await Promise.all([readHead(session, repository), live.stillHolds()]);
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const now = store.lineage(lineage.lineage_id);
		const same = head.tree === live.base && holds;
		if (same && now !== undefined && !isDamaged(now) && now.revision === lineage.revision) return;
	} finally {
		store.close();
	}
	throw new ReviewError("gate_invalidated", {
		message: "the repository or the review changed while the gate looked",
		lineage: lineage.lineage_id,
		next: "Run the gate again",
	});
}

export async function validate(place: Workplace, request: GateRequest): Promise<GateOutcome> {
	if (!isEvaluated(request.gate)) {
		const rule = `a gate that this version evaluates (${EVALUATED_GATES.join(", ")})`;
		throw invalidInput("--gate", request.gate, rule, "The delivery gates beyond the commit come with a later version");
	}
	const seen = await delivered(place, request.gate);
	const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
	try {
		const live = await withHistory(place, store, seen);
		const selection: Selection =
			request.lineage === undefined
				? select(store, live)
				: { found: true, lineage: requireLineage(store, request.lineage) };
		if (!selection.found) {
			const free = unmanagedDelivery(place, store, request, live, selection.code);
			if (free !== undefined) return free;
			throw await notFound(selection, live);
		}
		const { lineage } = selection;
		const receipt = receiptOf(lineage);
		if (receipt === undefined) {
			throw new ReviewError("receipt_missing", {
				message: "this review is not closed yet",
				lineage: lineage.lineage_id,
				next: "Run STATUS; it prints how to go on",
			});
		}
		requirePublished(store, lineage);
		const verdict = judge(lineage, receipt, live);
		if (!verdict.allowed) throw await denial(request, lineage, live, verdict);
		await confirm(place, lineage, live);
		return outcome(verdict, "exactly these bytes were approved", contextOf(request.gate, lineage, live, verdict));
	} finally {
		store.close();
	}
}
