// `gentle-ai review`: draws the human run. It decides nothing; it asks, prints, and returns the exit code.
import { writeFileSync } from "node:fs";
import { indentedJson } from "../../contract/canonical.ts";
import { invalidInput } from "../../contract/errors.ts";
import { LOCALES, shortLens } from "../../contract/vocabulary.ts";
import type { ReviewRun } from "../../contract/wire/run.ts";
import { processCaller } from "../../provider/caller.ts";
import { REVIEWER_NAMES, reviewerNamed } from "../../provider/reviewers.ts";
import { type ConsentRequest, type RunEvent, type RunOptions, runReview } from "../../provider/run/index.ts";
import { eventLines, lensProgress, type Painter, Progress, painter, resultText } from "../../report/index.ts";
import { type Flags, focusOf, oneOf } from "../flags.ts";
import { printNotice, printText } from "../output.ts";
import { BASE_TREE, CWD, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import { ask, canAsk } from "../terminal.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { interrupted } from "./interrupted.ts";

const FORMATS = ["pretty", "json"] as const;

const APPROVED_STATES: ReadonlySet<ReviewRun["state"]> = new Set(["approved", "nothing_to_review"]);

/** 0 approved or nothing to do, 1 not approved, 2 could not run. */
function exitCode(run: ReviewRun): number {
	if (run.state === "failed") return 2;
	return APPROVED_STATES.has(run.state) ? 0 : 1;
}

async function consent(request: ConsentRequest, yes: boolean): Promise<"granted" | "declined" | "unavailable"> {
	if (yes) return "granted";
	if (!canAsk()) return "unavailable";
	const lenses = request.lenses.map(shortLens).join(", ");
	return (await ask(`Review this ${request.tier}-risk candidate now (${lenses})?`)) ? "granted" : "declined";
}

function verifyOf(flags: Flags): RunOptions["verify"] {
	const verify = flags.text("verify");
	if (verify === undefined) return undefined;
	if (verify.trim() === "")
		throw invalidInput("--verify", verify, "a command, or auto", "Pass the command that runs your tests");
	return verify === "auto" ? "auto" : { command: verify };
}

/** The person's own words, without what the last line will add. */
function invocationOf(argv: readonly string[]): string[] {
	const words: string[] = ["gentle-ai", "review"];
	for (let at = 0; at < argv.length; at += 1) {
		const word = argv[at] ?? "";
		if (/^--?verify$/.test(word)) at += 1;
		else if (!/^--?verify=/.test(word)) words.push(word);
	}
	return words;
}

function drawing(paint: Painter): (event: RunEvent) => void {
	const progress = new Progress({ isTTY: process.stderr.isTTY === true, write: printNotice });
	return (event) => {
		for (const text of eventLines(event, paint)) printNotice(`${text}\n`);
		const lens = lensProgress(event);
		if (lens !== undefined) progress.lens(lens.lens, lens.text);
	};
}

function deliver(flags: Flags, run: ReviewRun): void {
	const json = oneOf(flags, "format", FORMATS) === "json";
	const output = flags.text("output");
	const text = json ? indentedJson(run) : resultText(run, painter(output === undefined ? process.stdout : undefined));
	if (output === undefined) {
		printText(text);
		return;
	}
	try {
		writeFileSync(output, text);
	} catch {
		throw invalidInput("--output", output, "a file that can be written", "Pass another path");
	}
}

async function review(flags: Flags, { argv }: VerbContext): Promise<number> {
	const format = oneOf(flags, "format", FORMATS) ?? "pretty";
	if (flags.bool("demo") === true) {
		const { runDemo } = await import("./demo.ts");
		return runDemo();
	}
	const yes = flags.bool("yes") === true;
	const cwd = flags.text("cwd") ?? ".";
	const run = await runReview(processCaller(), {
		cwd,
		selector: selectorFrom(flags, false),
		focus: focusOf(flags),
		reviewer: reviewerNamed(oneOf(flags, "reviewer", REVIEWER_NAMES) ?? "static"),
		verify: verifyOf(flags),
		locale: oneOf(flags, "locale", LOCALES) ?? "en",
		consent: (request) => consent(request, yes),
		confirmCommand: async (command) => yes || (canAsk() && (await ask(`Verify with \`${command}\`?`))),
		onEvent: format === "json" ? () => {} : drawing(painter(process.stderr)),
		signal: interrupted(),
		invocation: invocationOf(argv),
	});
	deliver(flags, run);
	return exitCode(run);
}

export const reviewVerb: Verb = {
	name: "",
	summary: "review the changes of a repository from candidate to receipt",
	refusalExit: 2,
	flags: [
		CWD,
		...SELECTOR_FLAGS,
		BASE_TREE,
		{ name: "reviewer", kind: "text", value: "NAME", help: "who reviews (default: static, which needs no model)" },
		{ name: "focus", kind: "text", value: "LENS", help: "the lens of a medium-risk candidate" },
		{ name: "verify", kind: "text", value: "CMD|auto", help: "the command that verifies the candidate" },
		{ name: "yes", kind: "boolean", help: "consent to the review, and to a suggested verification" },
		{ name: "format", kind: "text", value: FORMATS.join("|"), help: "what is printed (default: pretty)" },
		{ name: "output", kind: "text", value: "FILE", help: "print into a file" },
		{ name: "locale", kind: "text", value: LOCALES.join("|"), help: "language of the risk phrases" },
		{ name: "demo", kind: "boolean", help: "play the whole story on a throw-away repository" },
	],
	run: review,
};
