// The live target: which two trees a selector means right now, and what lies between them.
import { intendedUntrackedProof, pathsDigest, targetIdentity } from "../contract/canonical.ts";
import { invalidInput } from "../contract/errors.ts";
import type { ManifestEntry, Snapshot } from "../contract/state.ts";
import { PATTERNS, type Projection, type TargetKind } from "../contract/vocabulary.ts";
import {
	freezeCandidate,
	type Purpose,
	readChanges,
	readEntries,
	readHead,
	resolveTree,
	type TreeChange,
	type TreeEntry,
} from "../git/index.ts";
import type { Workplace } from "./caller.ts";

/** Which bytes are meant. `base` is a revision of the caller's, or a tree that an earlier answer printed. */
export type Selector =
	| { readonly kind: "current-changes"; readonly projection: Projection }
	| { readonly kind: "base-diff"; readonly base: string; readonly flag: "--base-ref" }
	| {
			readonly kind: "base-workspace-overlay";
			readonly base: string;
			readonly flag: "--base-ref" | "--base-tree";
			readonly projection: Projection;
	  };

/** A target that was only looked at: which paths differ, but not their lines. */
export type LiveTarget = {
	readonly snapshot: Snapshot;
	readonly manifest: readonly ManifestEntry[];
	readonly unborn_head: boolean;
	/** Where trees (and, of a frozen target, blobs) that only the candidate has are. */
	readonly objects: string | undefined;
	readonly nested: readonly string[];
	/** Does the repository still hold exactly this target? */
	readonly stillHolds: () => Promise<boolean>;
};

/** A target that may be reviewed: every byte of it can be read. */
export type FrozenTarget = LiveTarget & { readonly changes: readonly TreeChange[] };

function manifestOf(changes: readonly TreeEntry[], intended: readonly string[]): ManifestEntry[] {
	const untracked = new Set(intended);
	return changes.map(({ path, status, old_mode, new_mode, old_id, new_id }) => ({
		path,
		status,
		old_mode,
		new_mode,
		deleted: status === "D",
		type_changed: status === "T",
		mode_only: status === "M" && old_id === new_id && old_mode !== new_mode,
		intended_untracked: untracked.has(path),
	}));
}

function snapshotOf(facts: {
	kind: TargetKind;
	projection: Projection;
	base: string;
	candidate: string;
	paths: string[];
	intended: readonly string[];
	proof: string;
}): Snapshot {
	const body = {
		kind: facts.kind,
		...(facts.projection === "staged" && { projection: facts.projection }),
		base_tree: facts.base,
		candidate_tree: facts.candidate,
		paths_digest: pathsDigest(facts.paths),
		intended_untracked: [...facts.intended],
		intended_untracked_proof: facts.proof,
		paths: facts.paths,
	};
	return { ...body, identity: targetIdentity(body) };
}

const TREE = new RegExp(PATTERNS.tree);

async function baseTree(place: Workplace, selector: Exclude<Selector, { kind: "current-changes" }>): Promise<string> {
	if (selector.flag === "--base-tree" && !TREE.test(selector.base)) {
		throw invalidInput("--base-tree", selector.base, "a full tree id", "Pass the base_tree that START printed");
	}
	return resolveTree(place.session, place.repository, selector.flag, selector.base);
}

/** The two trees of a selector, before anybody asks what lies between them. */
type Trees = {
	readonly base: string;
	readonly candidate: string;
	readonly projection: Projection;
	readonly unborn_head: boolean;
	readonly objects: string | undefined;
	readonly intended: readonly string[];
	readonly proof: string;
	readonly nested: readonly string[];
	readonly stillHolds: () => Promise<boolean>;
};

async function committedTrees(place: Workplace, selector: Extract<Selector, { kind: "base-diff" }>): Promise<Trees> {
	const { session, repository } = place;
	const base = await baseTree(place, selector);
	const head = await readHead(session, repository);
	return {
		base,
		candidate: head.tree,
		projection: "workspace",
		unborn_head: head.unborn,
		objects: undefined,
		intended: [],
		proof: intendedUntrackedProof([]),
		nested: [],
		stillHolds: async () => (await readHead(session, repository)).tree === head.tree,
	};
}

async function treesOf(place: Workplace, selector: Selector, purpose: Purpose): Promise<Trees> {
	if (selector.kind === "base-diff") return committedTrees(place, selector);
	const { session, repository } = place;
	const head = await readHead(session, repository);
	const base = selector.kind === "current-changes" ? head.tree : await baseTree(place, selector);
	const frozen = await freezeCandidate(session, repository, selector.projection, purpose);
	return {
		base,
		candidate: frozen.tree,
		projection: selector.projection,
		unborn_head: head.unborn,
		objects: frozen.objects,
		intended: frozen.intended_untracked,
		proof: frozen.intended_untracked_proof,
		nested: frozen.nested,
		stillHolds: () => frozen.stillHolds(),
	};
}

function targetOf(kind: TargetKind, trees: Trees, entries: readonly TreeEntry[]): LiveTarget {
	return {
		snapshot: snapshotOf({ kind, ...trees, paths: entries.map(({ path }) => path) }),
		manifest: manifestOf(entries, trees.intended),
		unborn_head: trees.unborn_head,
		objects: trees.objects,
		nested: trees.nested,
		stillHolds: trees.stillHolds,
	};
}

/** Looks at a target without touching anything: for whoever only reads. */
export async function lookAtTarget(place: Workplace, selector: Selector): Promise<LiveTarget> {
	const trees = await treesOf(place, selector, "look");
	const entries = await readEntries(place.session, place.repository, trees.base, trees.candidate, trees.objects);
	return targetOf(selector.kind, trees, entries);
}

/** Freezes a target with every byte that only the candidate has. */
export async function freezeTarget(place: Workplace, selector: Selector): Promise<FrozenTarget> {
	const trees = await treesOf(place, selector, "keep");
	const changes = await readChanges(place.session, place.repository, trees.base, trees.candidate, trees.objects);
	return { ...targetOf(selector.kind, trees, changes), changes };
}

/** The selector that rebuilds a frozen target from the live repository. */
export function selectorOf(snapshot: Snapshot): Selector {
	const projection = snapshot.projection ?? "workspace";
	switch (snapshot.kind) {
		case "base-diff":
			return { kind: "base-diff", base: snapshot.base_tree, flag: "--base-ref" };
		case "base-workspace-overlay":
			return { kind: "base-workspace-overlay", base: snapshot.base_tree, flag: "--base-tree", projection };
		default:
			return { kind: "current-changes", projection };
	}
}
