// The fixed inputs of the published fixtures: a repository whose only commit holds tracked.txt, with one of two changes.
// Everything that Git would say about it is derived here, so that publishing needs no Git.
import { createHash } from "node:crypto";
import { sha256 } from "../../packages/gentle-ai/src/contract/canonical.ts";
import {
	intendedUntrackedProof,
	pathsDigest,
	targetIdentity,
} from "../../packages/gentle-ai/src/contract/identities.ts";
import type { StartOutcome } from "../../packages/gentle-ai/src/contract/model.ts";
import { type CandidateDiff, candidateDiffOf } from "../../packages/gentle-ai/src/contract/patch.ts";
import type { ManifestEntry, ReviewState, RiskReason, Snapshot } from "../../packages/gentle-ai/src/contract/state.ts";
import { LENSES, type Lens, type Tier } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { BUILT_IN_POLICY } from "../../packages/gentle-ai/src/provider/policy.ts";
import { artifactSubjects, beginLineage, correctionBudget } from "../../packages/gentle-ai/src/review/index.ts";

/** Stands for every digest whose content does not matter; the same word gives the same digest. */
export function digestOf(word: string): string {
	return sha256(`fixture: ${word}`);
}

/** No handle of any machine. */
export const HANDLE = `rctx1_${"0".repeat(64)}`;

function gitObject(type: "blob" | "tree", body: Buffer): string {
	return createHash("sha1").update(`${type} ${body.length}\0`).update(body).digest("hex");
}

const blob = (text: string) => gitObject("blob", Buffer.from(text));

function tree(entries: readonly (readonly [mode: string, name: string, id: string])[]): string {
	const rows = entries.map(([mode, name, id]) =>
		Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]),
	);
	return gitObject("tree", Buffer.concat(rows));
}

const TRACKED = ["100644", "tracked.txt", blob("base\n")] as const;
const BASE = tree([TRACKED]);

export type Scene = {
	readonly snapshot: Snapshot;
	readonly manifest: readonly ManifestEntry[];
	readonly reasons: readonly RiskReason[];
	readonly tier: Tier;
	readonly lenses: readonly Lens[];
	readonly changed_lines: number;
	readonly diff: CandidateDiff;
};

function snapshotOf(candidate_tree: string, path: string): Snapshot {
	const body = {
		kind: "current-changes" as const,
		base_tree: BASE,
		candidate_tree,
		paths_digest: pathsDigest([path]),
		intended_untracked: [],
		intended_untracked_proof: intendedUntrackedProof([]),
		paths: [path],
	};
	return { ...body, identity: targetIdentity(body) };
}

function entry(path: string, status: "A" | "M", old_mode: string): ManifestEntry {
	const facts = { deleted: false, type_changed: false, mode_only: false, intended_untracked: false };
	return { path, status, old_mode, new_mode: "100644", ...facts };
}

function patch(lines: readonly string[]): CandidateDiff {
	return candidateDiffOf(Buffer.from(lines.map((line) => `${line}\n`).join("")));
}

const CHANGED = "candidate behavior\n";

/** tracked.txt says something else: one lens. */
export const CHANGE: Scene = {
	snapshot: snapshotOf(tree([["100644", "tracked.txt", blob(CHANGED)]]), "tracked.txt"),
	manifest: [entry("tracked.txt", "M", "100644")],
	reasons: [{ code: "executable_change", path: "tracked.txt" }],
	tier: "medium",
	lenses: ["review-reliability"],
	changed_lines: 2,
	diff: patch([
		"diff --git a/tracked.txt b/tracked.txt",
		`index ${blob("base\n")}..${blob(CHANGED)} 100644`,
		"--- a/tracked.txt",
		"+++ b/tracked.txt",
		"@@ -1 +1 @@",
		"-base",
		"+candidate behavior",
	]),
};

const SCRIPT = "scripts/deploy.sh";
const DEPLOY = blob("echo deploy\n");

/** A staged shell script: all four lenses. */
export const NEW_SCRIPT: Scene = {
	snapshot: snapshotOf(tree([["40000", "scripts", tree([["100644", "deploy.sh", DEPLOY]])], TRACKED]), SCRIPT),
	manifest: [entry(SCRIPT, "A", "000000")],
	reasons: [{ code: "shell_source", signal: "shell_process", path: SCRIPT }],
	tier: "high",
	lenses: LENSES,
	changed_lines: 1,
	diff: patch([
		`diff --git a/${SCRIPT} b/${SCRIPT}`,
		"new file mode 100644",
		`index ${"0".repeat(40)}..${DEPLOY}`,
		"--- /dev/null",
		`+++ b/${SCRIPT}`,
		"@@ -0,0 +1 @@",
		"+echo deploy",
	]),
};

export function lineageOf(scene: Scene, lineage_id: string): ReviewState {
	return beginLineage({
		lineage_id,
		snapshot: scene.snapshot,
		policy_hash: sha256(BUILT_IN_POLICY),
		tier: scene.tier,
		lenses: scene.lenses,
		changed_lines: scene.changed_lines,
		correction_budget: correctionBudget(scene.changed_lines),
	});
}

export function startedOf(scene: Scene, state: ReviewState, revision: string): StartOutcome {
	return {
		action: "created",
		lineage_id: state.lineage_id,
		state: state.state,
		risk_level: state.risk_level,
		selected_lenses: state.selected_lenses,
		target: scene.snapshot,
		changed_lines: state.original_changed_lines,
		correction_budget: state.correction_budget,
		risk_reasons: scene.reasons,
		manifest: scene.manifest,
		subjects: artifactSubjects(state, scene.manifest),
		candidate_diff: scene.diff,
		context: { handle: HANDLE, revision, target_identity: scene.snapshot.identity },
	};
}
