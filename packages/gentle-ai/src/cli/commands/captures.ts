// Captures: a reviewer's answer into its slot, verification evidence into its record. Not negotiated; errors are text.

import { LIMITS } from "../../contract/limits.ts";
import { LENSES, VERIFICATION_OUTCOMES } from "../../contract/vocabulary.ts";
import { type Caller, processCaller, withRepository } from "../../provider/caller.ts";
import { captureEvidence } from "../../provider/capture-evidence.ts";
import { captureResult, dryRunResult, preflightResult, type SlotBinding } from "../../provider/capture-result.ts";
import { capturePlace } from "../../provider/context.ts";
import { readInput } from "../../provider/input.ts";
import { type Flags, missing, optional, required, requiredOneOf, requiredText, wholeNumber } from "../flags.ts";
import { printDocument } from "../output.ts";
import { CWD } from "../selector.ts";
import type { Verb } from "../verb.ts";

function placeOf(flags: Flags, caller: Caller): { cwd: string; opaque: boolean } {
	return capturePlace(caller, {
		cwd: flags.text("cwd"),
		handle: optional(flags, "repository-context", "handle"),
		lineage: flags.text("lineage"),
		target: flags.text("target"),
		expected_revision: flags.text("expected-revision"),
	});
}

const BINDING = [
	CWD,
	{ name: "repository-context", kind: "text", value: "HANDLE", help: "instead of --cwd: the printed handle" },
	{ name: "lineage", kind: "text", value: "ID", help: "the review" },
	{ name: "target", kind: "text", value: "SHA256", help: "its target identity" },
	{ name: "expected-revision", kind: "text", value: "SHA256", help: "the revision that STATUS printed" },
] as const;

export const captureResultVerb: Verb = {
	name: "capture-result",
	summary: "capture one reviewer's answer for its slot",
	refusalExit: 1,
	flags: [
		...BINDING,
		{ name: "lens", kind: "text", value: "LENS", help: "the lens of the slot" },
		{ name: "order", kind: "text", value: "N", help: "the position of the slot" },
		{ name: "subject-hash", kind: "text", value: "SHA256", help: "the subject of the slot" },
		{ name: "input", kind: "text", value: "FILE", help: "the answer; - is stdin" },
		{ name: "preflight", kind: "boolean", help: "check the binding, and the answer if one is given; keep nothing" },
	],
	run: async (flags) => {
		const caller = processCaller();
		const { cwd, opaque } = placeOf(flags, caller);
		const order = wholeNumber(flags, "order");
		if (order === undefined) throw missing("order", "the position of the slot");
		const binding: SlotBinding = {
			lineage: required(flags, "lineage", "lineage"),
			target: required(flags, "target", "sha256"),
			lens: requiredOneOf(flags, "lens", LENSES),
			order,
			expected_revision: optional(flags, "expected-revision", "sha256"),
			subject_hash: optional(flags, "subject-hash", "sha256"),
			opaque,
		};
		const isPreflight = flags.bool("preflight") === true;
		if (isPreflight && !flags.given("input")) return preflight(caller, cwd, binding);
		const raw = readInput("input", requiredText(flags, "input"), LIMITS.reviewerPayloadBytes);
		if (isPreflight) return dryRun(caller, cwd, binding, raw);
		printDocument(await withRepository(caller, cwd, (place) => captureResult(place, binding, raw)));
		return 0;
	},
};

/** The answer is judged like a captured one; nothing is kept, and the slot stays open. */
async function dryRun(caller: Caller, cwd: string, binding: SlotBinding, raw: Buffer): Promise<number> {
	const subject = await withRepository(caller, cwd, (place) => dryRunResult(place, binding, raw));
	printDocument({
		schema: "gentle-ai.review-capture-result-dry-run/v1",
		operation: "review/capture-result",
		validation: "accepted",
		lineage_id: binding.lineage,
		lens: binding.lens,
		selected_order: binding.order,
		subject_hash: subject.subject_hash,
		admission_decision: "completed",
	});
	return 0;
}

async function preflight(caller: Caller, cwd: string, binding: SlotBinding): Promise<number> {
	const { root, slot } = await withRepository(caller, cwd, async (place) => ({
		root: place.repository.root,
		slot: await preflightResult(place, binding),
	}));
	printDocument({
		schema: "gentle-ai.review-capture-preflight/v1",
		capability: "review.native_capture_preflight",
		...(!binding.opaque && { repository_root: root }),
		lineage_id: binding.lineage,
		target_identity: binding.target,
		lens: binding.lens,
		selected_order: binding.order,
		artifact_subject: slot.subject,
		base_tree: slot.base_tree,
		candidate_tree: slot.candidate_tree,
		changed_path_manifest: slot.manifest,
	});
	return 0;
}

export const captureEvidenceVerb: Verb = {
	name: "capture-evidence",
	summary: "record what verification said about the candidate",
	refusalExit: 1,
	flags: [
		...BINDING,
		{ name: "outcome", kind: "text", value: VERIFICATION_OUTCOMES.join("|"), help: "what the verification said" },
		{ name: "input", kind: "text", value: "FILE", help: "its output; - is stdin" },
	],
	run: async (flags) => {
		const caller = processCaller();
		const { cwd } = placeOf(flags, caller);
		const request = {
			lineage: required(flags, "lineage", "lineage"),
			target: required(flags, "target", "sha256"),
			expected_revision: required(flags, "expected-revision", "sha256"),
			outcome: requiredOneOf(flags, "outcome", VERIFICATION_OUTCOMES),
		};
		const payload = readInput("input", requiredText(flags, "input"), LIMITS.verificationPayloadBytes);
		printDocument(await withRepository(caller, cwd, async (place) => captureEvidence(place, request, payload)));
		return 0;
	},
};
