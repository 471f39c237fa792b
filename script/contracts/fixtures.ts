// The published fixtures: what our own renderers make of the fixed inputs.
import { indentedJson, sha256 } from "../../packages/gentle-ai/src/contract/canonical.ts";
import { ReviewError } from "../../packages/gentle-ai/src/contract/errors.ts";
import { stateRevision, verificationRecordDigest } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { ConsentQuestion, FinalizeOutcome } from "../../packages/gentle-ai/src/contract/model.ts";
import type { FinalVerificationIncident, VerificationRecord } from "../../packages/gentle-ai/src/contract/state.ts";
import type { ContractName } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { MINORS } from "../../packages/gentle-ai/src/contract/wire/capabilities/features.ts";
import { type BuildFacts, renderCapabilities } from "../../packages/gentle-ai/src/contract/wire/capabilities/render.ts";
import { renderFailure } from "../../packages/gentle-ai/src/contract/wire/failure.ts";
import { codecOf } from "../../packages/gentle-ai/src/contract/wire/index.ts";
import { renderRepairPreflight } from "../../packages/gentle-ai/src/contract/wire/shared/repair.ts";
import { renderFirstStart, renderFirstStatus } from "../../packages/gentle-ai/src/contract/wire/v1/render.ts";
import { FINALIZE_ELIGIBILITY, reasonPhrase } from "../../packages/gentle-ai/src/review/index.ts";
import { CHANGE, digestOf, lineageOf, NEW_SCRIPT, startedOf } from "./scene.ts";
import * as statuses from "./statuses.ts";

const V1: ContractName = "gentle-ai.review-integration/v1";
const V2: ContractName = "gentle-ai.review-integration/v2";

const BUILD: BuildFacts = {
	version: "0.1.0",
	runtime: "node24.0.0",
	vcs_revision: "0123456789abcdef0123456789abcdef01234567",
	vcs_time: "2026-01-02T03:04:05Z",
	vcs_modified: "false",
};

function started() {
	const state = lineageOf(NEW_SCRIPT, "review-start-fixture");
	return startedOf(NEW_SCRIPT, state, stateRevision(state));
}

function question(contract: ContractName): ConsentQuestion {
	const { identity } = NEW_SCRIPT.snapshot;
	const words = ["gentle-ai", "review", "start", "--contract", contract, "--cwd", "/repo", "--target", identity];
	return {
		target_identity: identity,
		projection: "workspace",
		risk_level: "high",
		changed_files: NEW_SCRIPT.manifest.length,
		changed_lines: NEW_SCRIPT.changed_lines,
		phrases: NEW_SCRIPT.reasons.flatMap((reason) => reasonPhrase(reason, "en") ?? []),
		locale: "en",
		invocation: [...words, "--projection", "workspace", "--lineage", "review-consent-fixture"],
	};
}

const FINALIZED: FinalizeOutcome = {
	lineage_id: "review-operation-fixture",
	state: "approved",
	revision: digestOf("approved revision"),
	eligibility: FINALIZE_ELIGIBILITY,
};

function scopeChanged(): ReviewError {
	return new ReviewError("gate_scope_changed", {
		message: "the candidate of this delivery is not the one that was approved",
		lineage: "review-failure-fixture",
		scopeChange: {
			expected: { candidate_tree: CHANGE.snapshot.candidate_tree, paths_digest: CHANGE.snapshot.paths_digest },
			actual: { candidate_tree: NEW_SCRIPT.snapshot.candidate_tree, paths_digest: NEW_SCRIPT.snapshot.paths_digest },
			differing_paths: [...NEW_SCRIPT.snapshot.paths, ...CHANGE.snapshot.paths],
			differing_paths_digest: digestOf("differing paths"),
			predecessor_lineage_id: "review-failure-fixture",
			predecessor_revision: digestOf("approved revision"),
		},
	});
}

function bindingConflict(): ReviewError {
	return new ReviewError("binding_revision_conflict", {
		message: "the expected binding is not the one that is in force",
		lineage: "review-binding-conflict-fixture",
		bindingRevision: { expected: digestOf("binding"), current: "" },
	});
}

const INCIDENT: FinalVerificationIncident = {
	schema: "gentle-ai.review-final-verification-incident/v1",
	class: "procedural_tooling_failure",
	lineage_id: "review-final-verification-retry-fixture",
	terminal_revision: digestOf("terminal revision"),
	validating_revision: digestOf("validating revision"),
	target_identity: CHANGE.snapshot.identity,
	failed_evidence_hash: digestOf("failed evidence"),
	finalize_request_digest: digestOf("finalize request"),
};

function evidence(): VerificationRecord {
	const payload = "42 tests passed\n";
	const { identity, candidate_tree, paths_digest, paths } = CHANGE.snapshot;
	const record = {
		schema: "gentle-ai.review-verification-evidence/v2",
		version: 2,
		lineage_id: "review-evidence-fixture",
		authority_revision: digestOf("validating revision"),
		target_identity: identity,
		candidate_tree,
		paths_digest,
		paths,
		ledger_ids: [],
		raw_payload_sha256: sha256(payload),
		raw_payload_bytes: payload.length,
		outcome: "passed",
	} as const;
	return {
		...record,
		paths: [...paths],
		ledger_ids: [],
		record_digest: verificationRecordDigest({ ...record, paths: [...paths], ledger_ids: [] }),
	};
}

const SITUATIONS = {
	"": statuses.reviewing,
	"-ambiguous": statuses.ambiguous,
	"-corrupted": statuses.corrupted,
	"-recover": statuses.recovering,
	"-unrelated": statuses.unrelated,
};
const LATER_SITUATIONS = { "-final-verification-retry": statuses.retrying, "-repair": statuses.repairable };

type Fixtures = Readonly<Record<string, unknown>>;

function statusFixtures(
	name: string,
	situations: typeof SITUATIONS | typeof LATER_SITUATIONS,
	contract: ContractName,
): Fixtures {
	const render = name === "status" && contract === V1 ? renderFirstStatus : codecOf(contract).renderStatus;
	return Object.fromEntries(
		Object.entries(situations).map(([situation, make]) => [`${name}${situation}`, render(make(contract))]),
	);
}

function capabilityFixtures(contract: ContractName): Fixtures {
	const minors = MINORS.filter((minor) => minor.startsWith(contract.slice(-2)));
	return Object.fromEntries(
		minors.map((minor) => [
			minor.endsWith(".0") ? "capabilities" : `capabilities-${minor}`,
			renderCapabilities(contract, BUILD, digestOf("executable"), minor),
		]),
	);
}

function shared(contract: ContractName): Fixtures {
	const codec = codecOf(contract);
	const repair = `gentle-ai.review-integration.repair/${contract.slice(-2)}`;
	return {
		...capabilityFixtures(contract),
		consent: codec.renderConsent(question(contract)),
		failure: renderFailure(contract, "review.validate", scopeChanged()),
		operation: codec.renderFinalize(FINALIZED),
		"repair-preflight": { schema: repair, contract, ...renderRepairPreflight(statuses.REPAIR) },
	};
}

function first(): Fixtures {
	return {
		...shared(V1),
		"binding-revision-conflict": renderFailure(V1, "review.bind_sdd", bindingConflict()),
		"final-verification-incident": INCIDENT,
		start: renderFirstStart(started()),
		"start-v2": codecOf(V1).renderStart(started()),
		...statusFixtures("status", SITUATIONS, V1),
		...statusFixtures("status-v2", SITUATIONS, V1),
		...statusFixtures("status-v2", LATER_SITUATIONS, V1),
		"verification-evidence": evidence(),
	};
}

function second(): Fixtures {
	const [subject] = started().subjects;
	return {
		...shared(V2),
		"capture-result-dry-run": {
			schema: "gentle-ai.review-capture-result-dry-run/v1",
			operation: "review/capture-result",
			validation: "accepted",
			lineage_id: "review-start-fixture",
			lens: subject?.lens,
			selected_order: subject?.selected_order,
			subject_hash: subject?.subject_hash,
			admission_decision: "completed",
		},
		start: codecOf(V2).renderStart(started()),
		...statusFixtures("status", SITUATIONS, V2),
		...statusFixtures("status", LATER_SITUATIONS, V2),
	};
}

/** Every fixture file: its path below contracts/, and its text, byte for byte as the program would print it. */
export function fixtureFiles(): [path: string, text: string][] {
	const files = (folder: string, fixtures: Fixtures) =>
		Object.entries(fixtures).map(([name, document]): [string, string] => [
			`review-integration/${folder}/fixtures/${name}.fixture.json`,
			indentedJson(document),
		]);
	return [...files("v1", first()), ...files("v2", second())];
}
