// The commands that people use beside the review itself: `end` and `mode`.
import { processCaller, withRepository } from "../../provider/caller.ts";
import { endReview, endStore } from "../../provider/end.ts";
import { type ModeReading, modeStatus, setCloneMode, setGlobalMode } from "../../provider/mode.ts";
import { type Flags, oneOf, optional, required, requiredText } from "../flags.ts";
import { printDocument, printError, printText } from "../output.ts";
import { CWD } from "../selector.ts";
import type { Verb } from "../verb.ts";

export const endVerb: Verb = {
	name: "end",
	summary: "retire one review by its id, with a reason",
	refusalExit: 2,
	flags: [
		CWD,
		{ name: "lineage", kind: "text", value: "ID", help: "the review" },
		{ name: "expected-revision", kind: "text", value: "SHA256", help: "the revision that STATUS printed" },
		{ name: "damaged", kind: "boolean", help: "instead of the revision: the record cannot be read" },
		{ name: "store", kind: "boolean", help: "instead of a review: a store that cannot be read at all" },
		{ name: "reason", kind: "text", value: "TEXT", help: "why; kept with the ended review" },
	],
	run: async (flags) => {
		if (flags.bool("store") === true) {
			requiredText(flags, "reason");
			const moved = await withRepository(processCaller(), flags.text("cwd") ?? ".", async (place) => endStore(place));
			printDocument({ operation: "review/end", ...moved });
			return 0;
		}
		const request = {
			lineage: required(flags, "lineage", "lineage"),
			expected_revision: optional(flags, "expected-revision", "sha256"),
			reason: requiredText(flags, "reason").trim(),
		};
		const outcome = await withRepository(processCaller(), flags.text("cwd") ?? ".", async (place) =>
			endReview(place, request),
		);
		printDocument({ operation: "review/end", ...outcome });
		return 0;
	},
};

const WORDS = ["enable", "disable", "status"] as const;

/** The clone's folder, when there is a repository; the global switch works without one. */
async function commonDirOf(flags: Flags): Promise<string | undefined> {
	try {
		return await withRepository(processCaller(), flags.text("cwd") ?? ".", async (place) => place.repository.commonDir);
	} catch {
		return undefined;
	}
}

function sentence(status: ModeReading): string {
	const where = { default: "by default", global: "by your global setting", clone_local: "by this clone's setting" }[
		status.source
	];
	return `Reviews are ${status.effective} here, ${where}.`;
}

const UNREADABLE_NEXT = {
	global:
		"Overwrite it with `gentle-ai review mode enable --scope global` or `gentle-ai review mode disable --scope global`",
	clone_local:
		"Overwrite it with `gentle-ai review mode enable --scope clone` or `gentle-ai review mode disable --scope clone`",
} as const;

/** An enable that does not switch reviews on says which scope decides and how to change it. */
function stillOff(operation: string, status: ModeReading): string | undefined {
	if (operation !== "enable" || status.effective === "on") return undefined;
	const scope = status.source === "clone_local" ? "clone" : "global";
	return `Reviews stay off: the ${scope} setting decides. Change it with \`gentle-ai review mode enable --scope ${scope}\`.`;
}

export const modeVerb: Verb = {
	name: "mode",
	summary: "switch reviews on or off, or say what is in force",
	refusalExit: 1,
	words: WORDS,
	flags: [
		CWD,
		{ name: "scope", kind: "text", value: "global|clone", help: "which switch (default: global)" },
		{ name: "expected-revision", kind: "text", value: "SHA256", help: "the clone's revision that you saw" },
		{ name: "json", kind: "boolean", help: "print a document" },
	],
	run: async (flags, { word }) => {
		const operation = WORDS.find((known) => known === word) ?? "status";
		const scope = oneOf(flags, "scope", ["global", "clone"] as const) ?? "global";
		const caller = processCaller();
		if (operation !== "status") {
			const mode = operation === "enable" ? "on" : "off";
			if (scope === "global") setGlobalMode(caller, mode);
			else {
				const expected = optional(flags, "expected-revision", "sha256");
				await withRepository(caller, flags.text("cwd") ?? ".", async (place) => setCloneMode(place, mode, expected));
			}
		}
		const { unreadable, ...status } = modeStatus(caller, await commonDirOf(flags));
		const told = { ...status, ...(unreadable !== undefined && { unreadable }) };
		const shownScope = operation === "status" ? "both" : scope;
		if (flags.bool("json") === true) {
			printDocument({ schema: "gentle-ai.review-mode/v1", operation, scope: shownScope, status });
		} else printText([sentence(told), stillOff(operation, told)].filter((line) => line !== undefined).join("\n"));
		if (unreadable === undefined) return 0;
		printError(`the ${unreadable} review mode cannot be read. ${UNREADABLE_NEXT[unreadable]}`);
		return 1;
	},
};
