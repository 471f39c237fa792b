// The live target: which two trees a selector means right now, and what lies between them.
import { intendedUntrackedProof, pathsDigest, targetIdentity } from "../contract/canonical.ts";
import { invalidInput } from "../contract/errors.ts";
import type { ManifestEntry, Snapshot } from "../contract/state.ts";
import { PATTERNS, type Projection, type TargetKind } from "../contract/vocabulary.ts";
import { freezeCandidate, readChanges, readHead, resolveTree, type TreeChange } from "../git/index.ts";
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

export type LiveTarget = {
	readonly snapshot: Snapshot;
	readonly changes: readonly TreeChange[];
	readonly manifest: readonly ManifestEntry[];
	readonly unborn_head: boolean;
	/** Where objects that only the candidate has are; undefined when the repository has them all. */
	readonly objects: string | undefined;
	readonly nested: readonly string[];
	/** Does the repository still hold exactly this target? */
	readonly stillHolds: () => Promise<boolean>;
};

function manifestOf(changes: readonly TreeChange[], intended: readonly string[]): ManifestEntry[] {
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

async function committedTarget(
	place: Workplace,
	selector: Extract<Selector, { kind: "base-diff" }>,
): Promise<LiveTarget> {
	const { session, repository } = place;
	const base = await baseTree(place, selector);
	const head = await readHead(session, repository);
	const changes = await readChanges(session, repository, base, head.tree);
	return {
		snapshot: snapshotOf({
			kind: "base-diff",
			projection: "workspace",
			base,
			candidate: head.tree,
			paths: changes.map(({ path }) => path),
			intended: [],
			proof: intendedUntrackedProof([]),
		}),
		changes,
		manifest: manifestOf(changes, []),
		unborn_head: head.unborn,
		objects: undefined,
		nested: [],
		stillHolds: async () => (await readHead(session, repository)).tree === head.tree,
	};
}

export async function buildTarget(place: Workplace, selector: Selector): Promise<LiveTarget> {
	if (selector.kind === "base-diff") return committedTarget(place, selector);
	const { session, repository } = place;
	const head = await readHead(session, repository);
	const base = selector.kind === "current-changes" ? head.tree : await baseTree(place, selector);
	const frozen = await freezeCandidate(session, repository, selector.projection);
	const changes = await readChanges(session, repository, base, frozen.tree, frozen.objects);
	return {
		snapshot: snapshotOf({
			kind: selector.kind,
			projection: selector.projection,
			base,
			candidate: frozen.tree,
			paths: changes.map(({ path }) => path),
			intended: frozen.intended_untracked,
			proof: frozen.intended_untracked_proof,
		}),
		changes,
		manifest: manifestOf(changes, frozen.intended_untracked),
		unborn_head: head.unborn,
		objects: frozen.objects,
		nested: frozen.nested,
		stillHolds: () => frozen.stillHolds(),
	};
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
