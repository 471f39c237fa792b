// The live target: which two trees a selector means right now, and what lies between them.

import { invalidInput } from "../contract/errors.ts";
import { intendedUntrackedProof, pathsDigest, targetIdentity } from "../contract/identities.ts";
import { PATTERNS } from "../contract/limits.ts";
import type { ManifestEntry, Snapshot } from "../contract/state.ts";
import type { Projection, TargetKind } from "../contract/vocabulary.ts";
import {
	type BuiltPack,
	buildPack,
	freezeCandidate,
	lookAtIndex,
	lookAtWorktree,
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
	readonly nested: readonly string[];
	/** Does the repository still hold exactly this target? */
	readonly stillHolds: () => Promise<boolean>;
};

/** A target that may be reviewed: every byte of it can be read. */
export type FrozenTarget = LiveTarget & {
	readonly changes: readonly TreeChange[];
	/** Where objects that only the candidate has are; undefined when the repository has them all. */
	readonly objects: string | undefined;
	/** What only the candidate has, as a pack outside the repository; built while the target is looked at. */
	readonly pack: Promise<BuiltPack>;
};

export function manifestOf(changes: readonly TreeEntry[], intended: readonly string[]): ManifestEntry[] {
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

/** What a selector means right now, before anybody asks for lines. */
type Seen = Omit<Parameters<typeof snapshotOf>[0], "kind" | "paths"> &
	Pick<LiveTarget, "unborn_head" | "nested" | "stillHolds">;

async function committed(place: Workplace, selector: Extract<Selector, { kind: "base-diff" }>): Promise<Seen> {
	const { session, repository } = place;
	const base = await baseTree(place, selector);
	const head = await readHead(session, repository);
	return {
		base,
		candidate: head.tree,
		projection: "workspace",
		unborn_head: head.unborn,
		intended: [],
		proof: intendedUntrackedProof([]),
		nested: [],
		stillHolds: async () => (await readHead(session, repository)).tree === head.tree,
	};
}

function targetOf(kind: TargetKind, seen: Seen, entries: readonly TreeEntry[]): LiveTarget {
	return {
		snapshot: snapshotOf({ kind, ...seen, paths: entries.map(({ path }) => path) }),
		manifest: manifestOf(entries, seen.intended),
		unborn_head: seen.unborn_head,
		nested: seen.nested,
		stillHolds: seen.stillHolds,
	};
}

type Live = Exclude<Selector, { kind: "base-diff" }>;

async function baseOf(place: Workplace, selector: Live): Promise<{ base: string; unborn_head: boolean }> {
	const head = await readHead(place.session, place.repository);
	const base = selector.kind === "current-changes" ? head.tree : await baseTree(place, selector);
	return { base, unborn_head: head.unborn };
}

/** The work tree's second look sees HEAD too; the index says nothing about it, so a base that is HEAD is asked again. */
async function baseHolds(place: Workplace, selector: Live, base: string): Promise<boolean> {
	if (selector.kind !== "current-changes" || selector.projection === "workspace") return true;
	return (await readHead(place.session, place.repository)).tree === base;
}

/** Looks at a target without touching anything: for whoever only reads. */
export async function lookAtTarget(place: Workplace, selector: Selector): Promise<LiveTarget> {
	const { session, repository } = place;
	if (selector.kind === "base-diff") {
		const seen = await committed(place, selector);
		return targetOf(selector.kind, seen, await readEntries(session, repository, seen.base, seen.candidate));
	}
	const { base, unborn_head } = await baseOf(place, selector);
	const { projection } = selector;
	const looked = await (projection === "staged" ? lookAtIndex : lookAtWorktree)(session, repository, base);
	const { tree: candidate, intended_untracked: intended, intended_untracked_proof: proof, nested } = looked;
	const stillHolds = async () => (await looked.stillHolds()) && (await baseHolds(place, selector, base));
	return targetOf(
		selector.kind,
		{ base, candidate, projection, unborn_head, intended, proof, nested, stillHolds },
		looked.entries,
	);
}

/** Starts the pack of a candidate. Whether somebody needs it shows later, and so does its failure. */
function packing(
	{ session, repository }: Workplace,
	base: string,
	candidate: string,
	objects: string | undefined,
): Promise<BuiltPack> {
	const pack = buildPack(session, repository, { base, candidate }, objects);
	pack.catch(() => {});
	return pack;
}

/** Freezes a target with every byte that only the candidate has. */
export async function freezeTarget(place: Workplace, selector: Selector): Promise<FrozenTarget> {
	const { session, repository } = place;
	if (selector.kind === "base-diff") {
		const seen = await committed(place, selector);
		const pack = packing(place, seen.base, seen.candidate, undefined);
		const changes = await readChanges(session, repository, seen.base, seen.candidate);
		return { ...targetOf(selector.kind, seen, changes), changes, objects: undefined, pack };
	}
	const { base, unborn_head } = await baseOf(place, selector);
	const { projection } = selector;
	const frozen = await freezeCandidate(session, repository, projection, base);
	const {
		tree: candidate,
		objects,
		changes,
		intended_untracked: intended,
		intended_untracked_proof: proof,
		nested,
	} = frozen;
	const pack = packing(place, base, candidate, objects);
	const stillHolds = async () => (await frozen.stillHolds()) && (await baseHolds(place, selector, base));
	const seen = { base, candidate, projection, unborn_head, intended, proof, nested, stillHolds };
	return { ...targetOf(selector.kind, seen, changes), changes, objects, pack };
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
