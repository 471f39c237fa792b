// REOPEN-RESULTS: prepared first, then applied with the text that the preparation printed.
import { invalidInput } from "../../contract/errors.ts";
import { LENSES } from "../../contract/vocabulary.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { type ReopenOutcome, reopenResults } from "../../provider/reopen.ts";
import { type Flags, manyOf, missing, required, requiredText } from "../flags.ts";
import { printDocument } from "../output.ts";
import { CWD, cwdOf } from "../selector.ts";
import type { Verb } from "../verb.ts";
import { ACTOR, AUTHORIZATION, REVISION } from "./recovery.ts";

/** Either only prepared, or authorized; both at once would say nothing clear. */
function reopeningAuthorization(flags: Flags): string | undefined {
	const prepare = flags.bool("prepare") === true;
	const given = flags.text("maintainer-authorization");
	if (prepare && given === undefined) return undefined;
	if (!prepare && given !== undefined) return given;
	const rule = "given, or --prepare instead of it";
	if (given === undefined) throw missing("maintainer-authorization", rule);
	throw invalidInput("--prepare", "true", "combined with --maintainer-authorization", "Pass one of the two");
}

function reopened(outcome: ReopenOutcome): object {
	const head = { schema: "gentle-ai.review-result-reopen-result/v1", operation: "review/reopen-results" };
	if (!outcome.prepared) return { ...head, prepared: false, record: outcome.record };
	const { lineage_id, revision, target_identity, quarantined, retained, ...rest } = outcome.plan;
	return { ...head, prepared: true, plan: { lineage_id, revision, target_identity, quarantined, retained, ...rest } };
}

export const reopenVerb: Verb = {
	name: "reopen-results",
	summary: "take unusable reviewer results back; the same lenses answer again",
	refusalExit: 1,
	flags: [
		CWD,
		{ name: "lineage", kind: "text", value: "ID", help: "the reviewed, uncorrected review" },
		REVISION,
		{ name: "target", kind: "text", value: "SHA256", help: "the target_identity of the review" },
		ACTOR,
		{ name: "reason", kind: "text", value: "TEXT", help: "what was wrong with the results" },
		{
			name: "quarantine-lens",
			kind: "text",
			value: "LENS",
			help: "override the admitted result of this lens; may be repeated",
			many: true,
		},
		{ name: "prepare", kind: "boolean", help: "only print the plan, and the text that authorizes it" },
		AUTHORIZATION,
	],
	run: async (flags) => {
		const request = {
			lineage: required(flags, "lineage", "lineage"),
			expected_revision: required(flags, "expected-revision", "sha256"),
			target: required(flags, "target", "sha256"),
			actor: requiredText(flags, "actor"),
			reason: requiredText(flags, "reason"),
			quarantine: manyOf(flags, "quarantine-lens", LENSES),
			authorization: reopeningAuthorization(flags),
		};
		printDocument(
			reopened(await withRepository(processCaller(), cwdOf(flags), (place) => reopenResults(place, request))),
		);
		return 0;
	},
};
