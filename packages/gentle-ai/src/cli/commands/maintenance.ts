// The commands that look after the store: what it holds, what leaves it, and who wanted that.
import { abandon } from "../../provider/abandon.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { inspectAuthority } from "../../provider/inspect.ts";
import { listReviews } from "../../provider/overview.ts";
import { prune } from "../../provider/prune.ts";
import { overviewText, pruneText } from "../../report/index.ts";
import { all, type Flags, missing, required, requiredText } from "../flags.ts";
import { printDocument, printError, printText } from "../output.ts";
import { CWD, cwdOf } from "../selector.ts";
import type { Verb } from "../verb.ts";

/** The exact text with everything that is known already; what stands in <> is for the maintainer to fill in. */
function template(flags: Flags, incomplete: boolean): string {
	const line = (key: string, flag: string) => `${key}=${flags.text(flag) ?? `<${flag}>`}`;
	return [
		`gentle-ai.review-${incomplete ? "incomplete-" : ""}abandon-authorization/v1`,
		line("lineage", "lineage"),
		line("revision", "expected-revision"),
		"snapshot_identity=<the identity of the review's current candidate>",
		...(incomplete ? ["captured_lenses=<lenses that have answered, in their order, with commas>"] : []),
		line("actor", "actor"),
		line("reason", "reason"),
	].join("\n");
}

function printTemplates(flags: Flags): number {
	printError(
		[
			"--maintainer-authorization is missing. Its exact text, without a line feed at the end: [invalid_request]",
			template(flags, false),
			"With --incomplete-inspection, for a review in which a lens has not answered:",
			template(flags, true),
		].join("\n\n"),
	);
	return 1;
}

export const abandonVerb: Verb = {
	name: "abandon",
	summary: "give a review up with a maintainer's exact word",
	refusalExit: 1,
	flags: [
		CWD,
		{ name: "lineage", kind: "text", value: "ID", help: "the review" },
		{ name: "expected-revision", kind: "text", value: "SHA256", help: "the revision that STATUS printed" },
		{ name: "reason", kind: "text", value: "TEXT", help: "why; kept with the ended review" },
		{ name: "actor", kind: "text", value: "NAME", help: "the maintainer" },
		{ name: "maintainer-authorization", kind: "text", value: "TEXT", help: "the exact text; without it, its template" },
		{ name: "incomplete-inspection", kind: "boolean", help: "a lens has not answered; the text names those that have" },
	],
	run: async (flags) => {
		if (!flags.given("maintainer-authorization")) return printTemplates(flags);
		const request = {
			lineage: required(flags, "lineage", "lineage"),
			expected_revision: required(flags, "expected-revision", "sha256"),
			reason: requiredText(flags, "reason"),
			actor: requiredText(flags, "actor"),
			incomplete: flags.bool("incomplete-inspection") === true,
			authorization: requiredText(flags, "maintainer-authorization"),
		};
		const record = await withRepository(processCaller(), cwdOf(flags), async (place) => abandon(place, request));
		printDocument({ operation: "review/abandon", record });
		return record.complete ? 0 : 1;
	},
};

export const inspectAuthorityVerb: Verb = {
	name: "inspect-authority",
	summary: "say what the review store holds and what in it is in doubt",
	refusalExit: 1,
	flags: [CWD],
	run: async (flags) => {
		printDocument(await withRepository(processCaller(), cwdOf(flags), inspectAuthority));
		return 0;
	},
};

export const listVerb: Verb = {
	name: "list",
	summary: "every review that is kept here, and what to do next with it",
	refusalExit: 2,
	flags: [CWD, { name: "json", kind: "boolean", help: "print a document" }],
	run: async (flags) => {
		const overview = await withRepository(processCaller(), cwdOf(flags), listReviews);
		if (flags.bool("json") === true) printDocument(overview);
		else printText(overviewText(overview));
		return 0;
	},
};

export const pruneVerb: Verb = {
	name: "prune",
	summary: "move closed and ended reviews out of the store into quarantine",
	refusalExit: 2,
	flags: [
		CWD,
		{
			name: "lineage",
			kind: "text",
			value: "ID",
			help: "a review to move; may be repeated (default: say which could be moved)",
			many: true,
		},
		{ name: "apply", kind: "boolean", help: "really move what is named; without it nothing changes" },
		{ name: "json", kind: "boolean", help: "print a document" },
	],
	run: async (flags) => {
		const request = { lineages: all(flags, "lineage", "lineage"), apply: flags.bool("apply") === true };
		if (request.apply && request.lineages.length === 0) throw missing("lineage", "given with --apply");
		const outcome = await withRepository(processCaller(), cwdOf(flags), (place) => prune(place, request));
		if (flags.bool("json") === true) printDocument(outcome);
		else printText(pruneText(outcome, request.apply));
		const named = request.lineages.length > 0;
		const kept = named && outcome.reviews.some(({ decision }) => decision === "keep");
		return kept || outcome.applied !== request.apply ? 1 : 0;
	},
};
