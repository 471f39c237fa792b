// One valid document or more for each shape that the program checks, with as many optional fields as it may have.
import type { Shape, ShapeName } from "../../packages/gentle-ai/src/contract/checked.ts";
import type { ArtifactSubject } from "../../packages/gentle-ai/src/contract/state.ts";

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
const BASE = "b".repeat(40);
const CANDIDATE = "c".repeat(40);

const snapshot: Shape<"Snapshot"> = {
	kind: "current-changes",
	projection: "staged",
	base_tree: BASE,
	candidate_tree: CANDIDATE,
	paths_digest: digest("1"),
	intended_untracked: ["new.ts"],
	intended_untracked_proof: digest("2"),
	paths: ["app.ts", "new.ts"],
	ledger_ids: ["R3-001"],
	identity: digest("3"),
};
const { projection: _, ledger_ids: __, ...plainSnapshot } = snapshot;

const finding: Shape<"ReviewState">["findings"][number] = {
	id: "R3-001",
	lens: "reliability",
	location: "app.ts:3",
	severity: "BLOCKER",
	claim: "it loses a write",
	proof_refs: ["app.ts:3"],
	evidence_class: "deterministic",
	causal_disposition: "introduced",
};

const state: Shape<"ReviewState"> = {
	schema: "gentle-ai.review-state/v2",
	lineage_id: "review-1",
	generation: 1,
	state: "validating",
	initial_snapshot: plainSnapshot,
	current_snapshot: snapshot,
	genesis_paths: ["app.ts"],
	policy_hash: digest("4"),
	risk_level: "high",
	selected_lenses: ["review-risk", "review-reliability"],
	original_changed_lines: 20,
	correction_budget: 10,
	lens_results: [{ lens: "review-risk", evidence: ["read it"], result_hash: digest("5") }],
	findings: [finding],
	classifications: {
		"R3-001": { evidence_class: "inferential", causal_disposition: "introduced", proof_refs: ["app.ts:3"] },
	},
	outcomes: { "R3-001": "corroborated" },
	fix_finding_ids: ["R3-001"],
	follow_ups: [{ observation: "later", proof_refs: ["app.ts:1"] }],
	correction_forecast: 3,
	fix_delta_hash: digest("6"),
	evidence_hash: digest("7"),
	evidence_record_digest: digest("8"),
	evidence_outcome: "passed",
	evidence_target_identity: digest("3"),
	evidence_authority_revision: digest("9"),
};

const subject: ArtifactSubject = {
	schema: "gentle-ai.review-artifact-subject/v2",
	subject_hash: digest("a"),
	lineage_id: "review-1",
	authority_revision: digest("b"),
	target_identity: digest("3"),
	base_tree: BASE,
	candidate_tree: CANDIDATE,
	changed_path_manifest_sha256: digest("c"),
	lens: "review-reliability",
	selected_order: 0,
	correction_target_identity: digest("d"),
};

const artifact = {
	schema: "gentle-ai.review-result-artifact/v2",
	capability: "review.native_result_artifact",
	sha256: digest("1"),
	lineage_id: "review-1",
	target_identity: digest("3"),
	lens: "review-reliability",
	selected_order: 0,
	subject_hash: digest("a"),
	admission_decision: "completed",
} as const;

/** A state with everything that a correction, a reopening and a recovery may have added. */
const corrected: Shape<"ReviewState"> = {
	...state,
	state: "approved",
	correction_attempt: {
		fix_snapshot: { ...snapshot, kind: "fix-diff" },
		validation_request_hash: digest("a"),
		actual_lines: 3,
		original_criteria: { passed: true, evidence_hash: digest("b") },
		correction_regression: { passed: true, evidence_hash: digest("c") },
	},
	correction_attempt_inherited: true,
	reopenings: [
		{
			previous_revision: digest("d"),
			quarantined: ["0:review-risk"],
			retained: ["1:review-reliability"],
			authorized_lenses: ["review-risk"],
			actor: "maintainer",
			reason: "wrong input",
		},
	],
	recovery: {
		predecessor_lineage_id: "review-0",
		predecessor_revision: digest("e"),
		disposition: "escalated",
		reason: "it was changed",
		actor: "maintainer",
		recovered_at: "2026-01-02T03:04:05.000Z",
		maintainer_authorization: "exact text",
		incident_digest: digest("f"),
		imported_evidence: true,
	},
	invalidation: "obsolete",
};

export const VALID: { readonly [Name in ShapeName]: readonly Shape<Name>[] } = {
	StoredEnvelope: [
		{
			schema: "gentle-ai.review-admitted-result/v2",
			subject,
			admission: {
				schema: "gentle-ai.review-artifact-admission/v1",
				decision: "completed",
				subject_hash: digest("a"),
				raw_sha256: digest("e"),
				canonical_sha256: digest("f"),
				result_hash: digest("0"),
				candidate_causal_finding_ids: ["R3-001"],
			},
			result: { lens: "review-reliability", findings: [finding], evidence: ["read it"] },
		},
	],
	ResultArtifact: [
		{ ...artifact, path: "/repo/.git/gentle-ai/results/review-1/0.json" },
		{ ...artifact, reference: `rart1_${"0".repeat(64)}` },
	],
	CloneMode: [
		{
			schema: "gentle-ai.rdd-mode-override/v1",
			generation: 2,
			previous_revision: digest("1"),
			mode: "off",
			recorded_at: "2026-01-02T03:04:05.000Z",
			revision: digest("2"),
		},
	],
	DecodedReviewerResult: [
		{},
		{ findings: null, evidence: null },
		{
			subject_hash: digest("a"),
			inspection: { status: "completed", paths: ["app.ts"] },
			lens: "review-risk",
			findings: [{ ...finding, lens: "risk" }],
			evidence: ["read it"],
		},
	],
	EngineAnswer: [
		{ ok: false, missing: "oxlint" },
		{
			ok: true,
			version: "1.0",
			rules: 3,
			hits: [{ file: 0, rule: "js.eval", lines: [1], key: [1, 2], certain: true }],
		},
	],
	FrozenFacts: [
		{
			manifest: [
				{
					path: "app.ts",
					status: "M",
					old_mode: "100644",
					new_mode: "100755",
					deleted: false,
					type_changed: false,
					mode_only: false,
					intended_untracked: false,
				},
			],
			risk_reasons: [{ code: "executable_change", path: "app.ts", old_mode: "100644", new_mode: "100755" }],
			unborn_head: false,
		},
	],
	Locator: [
		{
			schema: "gentle-ai.review-repository-context/v1",
			lineage_id: "review-1",
			target_identity: digest("3"),
			revision: digest("4"),
			repository_root: "/r",
			git_common_dir: "/r/.git",
			git_dir: "/r/.git",
		},
	],
	RefuterBatch: [{ results: [{ finding_id: "R3-001", outcome: "refuted", proof_refs: ["app.ts:3"] }] }],
	ReviewState: [state, corrected],
	Snapshot: [snapshot, plainSnapshot],
	ValidatorResult: [
		{
			targeted_validation_request_hash: digest("a"),
			correction_target_identity: digest("b"),
			original_criteria: { passed: true, evidence: ["ran it"] },
			correction_regression: { passed: false, evidence: ["ran it"] },
			follow_ups: [{ observation: "later", proof_refs: ["app.ts:1"] }],
		},
	],
	VerificationRecord: [
		{
			schema: "gentle-ai.review-verification-evidence/v2",
			version: 2,
			lineage_id: "review-1",
			authority_revision: digest("1"),
			target_identity: digest("3"),
			candidate_tree: CANDIDATE,
			paths_digest: digest("2"),
			paths: ["app.ts"],
			ledger_ids: ["R3-001"],
			raw_payload_sha256: digest("5"),
			raw_payload_bytes: 10,
			outcome: "passed",
			record_digest: digest("6"),
		},
	],
};
