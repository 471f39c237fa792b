// Feeds every published vector to the product's own derivation and compares it with the published value.
import { describe, expect, it } from "vitest";
import { EMPTY_DIGEST, sha256, sortedByBytes } from "../../packages/gentle-ai/src/contract/canonical.ts";
import { declineReference, modeOverrideRevision } from "../../packages/gentle-ai/src/contract/handles.ts";
import {
	intendedUntrackedProof,
	ledgerHash,
	manifestDigest,
	pathsDigest,
	receiptBytes,
	stateRevision,
	subjectHash,
	targetIdentity,
	verificationRecordDigest,
} from "../../packages/gentle-ai/src/contract/identities.ts";
import { type PatchSubject, patchSubject } from "../../packages/gentle-ai/src/contract/patch.ts";
import type {
	ArtifactSubject,
	ManifestEntry,
	ReviewState,
	VerificationRecord,
} from "../../packages/gentle-ai/src/contract/state.ts";
import type { TargetKind } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { artifactSubjects, beginLineage, deriveReceipt } from "../../packages/gentle-ai/src/review/index.ts";
import { readSuite, readVectors, type Vector } from "./data.ts";
import { DERIVED } from "./derivations.ts";
import { type LowRisk, lowRiskState, payload, valuesOf } from "./vector-input.ts";

const VECTORS = readVectors();
const RETIRED = "a retired identity is read in old records and never minted";
const AUTHORIZATION = "no operation of this version takes this maintainer authorization";

const GIT_OBJECT = "Git names its own objects";

const REPAIR = "classified repair of v1 histories is not in this version";

/** Vectors without a function in this version, each with its reason. */
const NOT_YET: Readonly<Record<string, string>> = {
	"gentle-ai.review-snapshot/v1": RETIRED,
	"gentle-ai.review-snapshot/v2": RETIRED,
	"gentle-ai.review-snapshot/base-workspace-overlay/v1": RETIRED,
	"gentle-ai.paths-modes/v1": "belongs to a later lineage kind",
	"gentle-ai.review-ledger-findings/v1": "the legacy ledger of v1 histories",
	"authority.json: review state record file bytes": "the store keeps the state in a column, not in the peer's file",
	"authorizations.json: repair authorization (nine lines)": AUTHORIZATION,
	"authorizations.json: abandon authorization (nine lines)": AUTHORIZATION,
	"git-objects.json: blob base\\n": GIT_OBJECT,
	"git-objects.json: blob candidate behavior\\n": GIT_OBJECT,
	"git-objects.json: blob echo deploy\\n": GIT_OBJECT,
	"git-objects.json: base tree {tracked.txt=base}": GIT_OBJECT,
	"git-objects.json: status candidate tree {tracked.txt=candidate behavior}": GIT_OBJECT,
	"git-objects.json: start candidate tree {scripts/deploy.sh, tracked.txt}": GIT_OBJECT,
	"git-objects.json: empty tree": GIT_OBJECT,
	"handles.json: rctx2 handle": "the atomic lifecycle's handle",
	"handles.json: rinc1 reference": "incidents are not in this version",
	"gentle-ai.facade-bind-sdd-request/v1": "the SDD binding is not in this version",
	"requests.json: SDD binding revision": "the SDD binding is not in this version",
	"gentle-ai.facade-provider-refuter-request/v1": "exists only in the atomic lifecycle",
	"gentle-ai.review-classified-request-digest/v1": REPAIR,
	"gentle-ai.review-classified-assessment-digest/v1": REPAIR,
	"requests.json: repository_binding": REPAIR,
	"gentle-ai.review-chain/v1": REPAIR,
};

function keyOf(vector: Vector): string {
	return typeof vector.input.domain === "string" ? vector.input.domain : `${vector.file}: ${vector.name}`;
}

function find(name: string): Vector {
	const vector = VECTORS.find((each) => each.name === name);
	if (vector === undefined) throw new Error(`no vector ${name}`);
	return vector;
}

type DigestInput = Readonly<Record<string, unknown>> & { readonly kind: string };

describe("published vectors", () => {
	for (const vector of VECTORS) {
		const derive = DERIVED[keyOf(vector)];
		if (derive === undefined) continue;
		it(`${vector.file}: ${vector.name} has its published value`, () => {
			expect(derive(vector.input, vector)).toBe(vector.expected);
		});
	}

	it("are all either derived here or listed with the reason why not", () => {
		const unknown = VECTORS.map(keyOf).filter((key) => !(key in DERIVED) && !(key in NOT_YET));
		expect(unknown).toEqual([]);
	});

	it("leave no row of either table without a vector, and none in both", () => {
		const keys = new Set(VECTORS.map(keyOf));
		expect(Object.keys({ ...DERIVED, ...NOT_YET }).filter((key) => !keys.has(key))).toEqual([]);
		expect(Object.keys(DERIVED).filter((key) => key in NOT_YET)).toEqual([]);
	});
});

describe("what the product builds itself", () => {
	const pristine = VECTORS.filter(
		({ input, name }) => input.domain === "gentle-ai.review-state/v2" && !name.includes("floor-two"),
	);
	it.each(pristine.map((vector) => [vector.name, vector] as const))(
		"a fresh state has the published revision: %s",
		(_, vector) => {
			const published = payload<ReviewState>(vector.input);
			const state = beginLineage({
				lineage_id: published.lineage_id,
				snapshot: published.initial_snapshot,
				policy_hash: published.policy_hash,
				tier: published.risk_level,
				lenses: published.selected_lenses,
				changed_lines: published.original_changed_lines,
				correction_budget: published.correction_budget,
			});
			expect(JSON.stringify(state)).toBe(JSON.stringify(published));
			expect(stateRevision(state)).toBe(vector.expected);
		},
	);

	it("the subjects of a frozen state carry the published v2 subject hashes, in lens order", () => {
		const state = payload<ReviewState>(find("authority revision of v2/start and v1/start (retired identity)").input);
		const manifest = payload<ManifestEntry[]>(find("changed_path_manifest_sha256 v2 start").input);
		const hashes = ["risk", "resilience", "readability", "reliability"].map(
			(lens) => find(`subject_hash v2 review-${lens}`).expected,
		);
		const subjects = artifactSubjects(state, manifest);
		expect(subjects.map(({ subject_hash }) => subject_hash)).toEqual(hashes);
		expect(subjects.map(({ selected_order }) => selected_order)).toEqual([0, 1, 2, 3]);
		expect(Object.keys(subjects[0] ?? {})).toEqual([
			"schema",
			"subject_hash",
			"lineage_id",
			"authority_revision",
			"target_identity",
			"base_tree",
			"candidate_tree",
			"changed_path_manifest_sha256",
			"lens",
			"selected_order",
		]);
	});

	it("a slot that is bound to a patch carries the published v1 subject hash", () => {
		const vector = VECTORS.find(({ input }) => input.domain === "gentle-ai.review-artifact-subject/v1");
		if (vector === undefined) throw new Error("no vector of a v1 subject");
		const { schema: _, candidate_diff_sha256, ...slot } = payload<PatchSubject>(vector.input);
		const trees = {
			schema: "gentle-ai.review-artifact-subject/v2",
			subject_hash: "",
			base_tree: "",
			candidate_tree: "",
		};
		const bound = patchSubject({ ...trees, ...slot } as ArtifactSubject, candidate_diff_sha256);
		expect(bound.subject_hash).toBe(vector.expected);
		expect(Object.keys(bound)).toEqual([
			"schema",
			"subject_hash",
			...Object.keys(payload<object>(vector.input)).slice(1),
		]);
	});

	it("the receipt of a low-risk approval has the published bytes", () => {
		const low = payload<LowRisk>(find("evidence_hash of native low-risk verification").input);
		const receipt = find("receipt identity (bytes on disk)");
		const derived = deriveReceipt({
			...lowRiskState(low),
			state: "approved",
			evidence_hash: find("evidence_hash of native low-risk verification").expected,
		});
		if (derived === undefined) throw new Error("an approved state has a receipt");
		expect(receiptBytes(derived)).toBe(`${JSON.stringify(receipt.input.value, null, 2)}\n`);
		expect(sha256(receiptBytes(derived))).toBe(receipt.expected);
	});

	it("the order of published paths is the order of their bytes, not of UTF-16 units", () => {
		const { input } = find("paths_digest byte order differs from UTF-16 order");
		const published = valuesOf(input);
		expect(sortedByBytes([...published].reverse())).toEqual(published);
		expect([...published].sort()).not.toEqual(published);
	});

	it("nothing at all has the digest of zero bytes", () => {
		expect(EMPTY_DIGEST).toBe(sha256(""));
		expect(ledgerHash([])).toBe(find("fix_delta_hash without correction").expected);
	});

	it("a digest that a record carries itself is taken over the record with that field empty", () => {
		const mode = find("review mode override revision");
		const decline = find("candidate decline authorization_ref");
		const stored = { ...payload<object>(mode.input), revision: mode.expected };
		expect(modeOverrideRevision(stored)).toBe(mode.expected);
		expect(declineReference({ ...payload<object>(decline.input), authorization_ref: decline.expected })).toBe(
			decline.expected,
		);
	});
});

describe("published behaviour: digests", () => {
	const SKIPPED: Readonly<Record<string, string>> = {
		"dig-identity-workspace-old": RETIRED,
	};
	const derive: Readonly<Record<string, (input: DigestInput) => string>> = {
		paths: (input) => pathsDigest(input.paths as string[]),
		intended_untracked_proof: () => intendedUntrackedProof([]),
		snapshot_identity: (input) =>
			targetIdentity({
				kind: input.snapshot_kind as TargetKind,
				base_tree: String(input.base_tree),
				candidate_tree: String(input.candidate_tree),
				paths_digest: String(input.paths_digest),
			}),
		changed_path_manifest: (input) => manifestDigest(input.manifest as ManifestEntry[]),
		artifact_subject: (input) => subjectHash(input.subject as ArtifactSubject | PatchSubject),
		bytes: (input) => sha256(String(input.text)),
		verification_record: (input) => verificationRecordDigest(input.record as VerificationRecord),
	};
	for (const { id, input, expect: expected, why } of readSuite<DigestInput, { sha256: string }>("digests").cases) {
		if (id in SKIPPED) continue;
		it(`${id}: ${why}`, () => {
			expect(derive[input.kind]?.(input)).toBe(expected.sha256);
		});
	}
});
