// The run document: everything that a human run learned, as one value that grows phase by phase.

import { sha256 } from "../../contract/canonical.ts";
import type { ReviewError } from "../../contract/errors.ts";
import { receiptBytes } from "../../contract/identities.ts";
import { parseLocation } from "../../contract/location.ts";
import { bounded } from "../../contract/paths.ts";
import type { AdmittedFinding, ReviewReceipt, ReviewState } from "../../contract/state.ts";
import { isSevere, type Lens } from "../../contract/vocabulary.ts";
import { RUN_SCHEMA } from "../../contract/wire/names.ts";
import type { ReviewRun, RunFinding, RunState } from "../../contract/wire/run.ts";
import type { CandidateView } from "../../reviewers/reviewer.ts";
import { describeFinding } from "../../reviewers/static/index.ts";

export type RunDraft = { -readonly [Field in keyof ReviewRun]: ReviewRun[Field] };

export function emptyRun(): RunDraft {
	return {
		schema: RUN_SCHEMA,
		state: "incomplete",
		already_approved: false,
		lineage_id: null,
		target_identity: null,
		base_tree: null,
		candidate_tree: null,
		changed_files: 0,
		changed_lines: 0,
		tier: null,
		reasons: [],
		lenses: [],
		reviewer: null,
		findings: [],
		evidence: null,
		receipt: null,
		next: null,
		exits: [],
		notes: [],
		timings: {},
	};
}

const EXCERPT_CHARS = 160;
const EXCERPT_FILE_BYTES = 4 * 1024 * 1024;

const HIDDEN = "*".repeat(10);

/** A line with everything hidden that could be the secret: only the name that it is given stays readable. */
function masked(line: string): string {
	const name = /^[^=:"'`]*[=:]/.exec(line)?.[0] ?? "";
	const kept = /[A-Za-z]*[0-9][A-Za-z0-9+/_-]{11,}/.test(name) ? "" : name;
	return kept + line.slice(kept.length).replace(/[^\s"'`;,]{4,}/g, (word) => word.slice(0, 2) + HIDDEN);
}

async function linesOf(view: CandidateView, side: "base" | "candidate", path: string): Promise<readonly string[]> {
	const blob = (await view.blobs(side, [path], EXCERPT_FILE_BYTES)).get(path);
	return blob?.bytes === undefined ? [] : Buffer.from(blob.bytes).toString("utf8").split("\n");
}

async function excerptOf(view: CandidateView, finding: AdmittedFinding, secret: boolean): Promise<string | null> {
	const parsed = parseLocation(finding.location);
	if (!parsed.ok) return null;
	const { path, start } = parsed.location;
	const deleted = view.manifest.some((entry) => entry.path === path && entry.deleted);
	const line = (await linesOf(view, deleted ? "base" : "candidate", path))[Number(start) - 1];
	if (line === undefined) return null;
	const text = line.trim().replaceAll("\t", "  ");
	return bounded(secret ? masked(text) : text, EXCERPT_CHARS);
}

const ORDER = ["BLOCKER", "CRITICAL", "WARNING", "SUGGESTION"];

/** Blocking findings first, then by place. Lines are shown only where they help: for what blocks and what warns. */
export async function runFindings(
	view: CandidateView,
	results: readonly { readonly lens: Lens; readonly findings: readonly AdmittedFinding[] }[],
): Promise<RunFinding[]> {
	const rows = results.flatMap(({ lens, findings }) => findings.map((finding) => ({ lens, finding })));
	const told = rows.map(async ({ lens, finding }): Promise<RunFinding> => {
		const known = describeFinding(finding.id);
		return {
			id: finding.id,
			lens,
			family: known?.family ?? null,
			severity: finding.severity,
			location: finding.location,
			claim: finding.claim,
			evidence_class: finding.evidence_class ?? null,
			causal_disposition: finding.causal_disposition ?? null,
			proof_refs: finding.proof_refs,
			engine: known?.engine ?? null,
			// An unknown reviewer may have found a secret too; a severe line of its is masked like one.
			excerpt: await excerptOf(view, finding, known?.secret ?? isSevere(finding.severity)),
		};
	});
	return (await Promise.all(told)).sort(
		(left, right) =>
			ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity) || (left.location < right.location ? -1 : 1),
	);
}

export function withState(draft: RunDraft, state: ReviewState): void {
	draft.lineage_id = state.lineage_id;
	draft.target_identity = state.initial_snapshot.identity;
	draft.base_tree = state.initial_snapshot.base_tree;
	draft.candidate_tree = state.initial_snapshot.candidate_tree;
	draft.changed_files = state.initial_snapshot.paths.length;
	draft.changed_lines = state.original_changed_lines;
	draft.tier = state.risk_level;
	draft.lenses = state.selected_lenses;
}

export function withReceipt(draft: RunDraft, receipt: ReviewReceipt | undefined): void {
	if (receipt !== undefined) draft.receipt = { identity: sha256(receiptBytes(receipt)), document: receipt };
}

export function failedRun(draft: RunDraft, error: ReviewError): ReviewRun {
	const { message, field, value, rule, next } = error.detail;
	return {
		...draft,
		state: "failed",
		next: draft.next ?? null,
		error: {
			code: error.code,
			message,
			...(field !== undefined && { field }),
			...(value !== undefined && { value }),
			...(rule !== undefined && { rule }),
			...(next !== undefined && { next }),
		},
	};
}

export function finished(draft: RunDraft, state: RunState, next: string | null): ReviewRun {
	return { ...draft, state, next };
}
