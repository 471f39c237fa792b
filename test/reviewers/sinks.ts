// Sink cases: a line of code with a hole. A value in the hole must be reported, a literal in the hole must not.

import { beforeAll, describe, expect, it } from "vitest";
import { describeFinding, staticReviewer } from "../../packages/gentle-ai/src/reviewers/static/index.ts";
import { type Change, review } from "./view.ts";

/** The sink's rule name, and the code with `«»` where the argument goes. */
export type SinkCase = readonly [rule: string, code: string];

export type Language = {
	readonly extension: string;
	readonly value: string;
	readonly literal: string;
	/** Wraps a line of code into a file. */
	readonly file: (code: string) => string;
};

/** The rules reported for each text, in order; all texts are new files of one change. */
export async function rulesFor(extension: string, texts: readonly string[]): Promise<string[][]> {
	const changes: Record<string, Change> = {};
	for (const [index, text] of texts.entries()) changes[`src/case${index}${extension}`] = { candidate: text };
	const { answer } = await review(staticReviewer, changes);
	return texts.map((_, index) =>
		answer.findings
			.filter(({ location }) => location.startsWith(`src/case${index}${extension}:`))
			.map(({ id = "" }) => describeFinding(id))
			.filter((facts) => facts?.engine === "ast")
			.map((facts) => facts?.rule ?? ""),
	);
}

export function filled(language: Language, code: string, hole: string): string {
	return language.file(code.replaceAll("«»", hole));
}

const MINUTE = 60_000;

export type Suite = Language & {
	readonly name: string;
	/** Rule names of the table. */
	readonly sinks: readonly string[];
	readonly cases: readonly SinkCase[];
	/** Code that must stay silent; `«»` is filled with the value. */
	readonly silent: readonly string[];
};

/** The laws of one language's table. */
export function describeSinks(suite: Suite): void {
	describe(`${suite.name} sinks`, () => {
		const values: string[][] = [];
		const literals: string[][] = [];
		const silent: string[][] = [];
		beforeAll(async () => {
			const { extension, cases } = suite;
			values.push(
				...(await rulesFor(
					extension,
					cases.map(([, code]) => filled(suite, code, suite.value)),
				)),
			);
			literals.push(
				...(await rulesFor(
					extension,
					cases.map(([, code]) => filled(suite, code, suite.literal)),
				)),
			);
			silent.push(
				...(await rulesFor(
					extension,
					suite.silent.map((code) => filled(suite, code, suite.value)),
				)),
			);
		}, MINUTE);

		it("has a case for every sink of the table", () => {
			const named = new Set(suite.cases.map(([rule]) => rule));
			expect(suite.sinks.filter((sink) => !named.has(sink))).toEqual([]);
		});

		it.each(suite.cases.map(([rule, code], index) => ({ rule, code, index })))(
			"reports a value in $code",
			({ rule, index }) => {
				expect(values[index]).toEqual([rule]);
			},
		);

		it.each(suite.cases.map(([, code], index) => ({ code, index })))(
			"is silent about a literal in $code",
			({ index }) => {
				expect(literals[index]).toEqual([]);
			},
		);

		it.each(suite.silent.map((code, index) => ({ code, index })))("is silent about $code", ({ index }) => {
			expect(silent[index]).toEqual([]);
		});
	});
}
