// What the tests of the static reviewer share: material, and what a review says in a few words.
import { expect } from "vitest";
import { ReviewError } from "../../packages/gentle-ai/src/contract/errors.ts";
import { describeFinding, staticReviewer } from "../../packages/gentle-ai/src/reviewers/static/index.ts";
import { admit, type Change, review } from "./view.ts";

const KEY_LINE = "MIIEowIBAAKCAQEAuJ7kq1Zs0pXy3tRwVb8nLm2cQe9hDf5gTi6oAaKx4jYvNzUW\n";

/** Credentials are put together here, so that no scanner takes this file for a leak. */
export const SECRETS = {
	github: ["ghp", "_", "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"].join(""),
	aws: ["hT9vQ2mXr8LkPz4NcWb1", "YdGf7JsEu3Ao5RiVt6Kq"].join(""),
	database: ["postgres", "://billing:", "Tr4verse-9Quill", "@db.internal.corp:5432/billing"].join(""),
	local: ["postgres", "://billing:", "Tr4verse-9Quill", "@localhost:5432/billing"].join(""),
	key: ["-----BEGIN RSA PRIVATE", " KEY-----\n", KEY_LINE.repeat(4), "-----END RSA PRIVATE", " KEY-----\n"].join(""),
};
export const EVAL = ["ev", "al(value)"].join("");

export type Short = {
	readonly family: string;
	readonly rule: string;
	readonly severity: string;
	readonly location: string;
};

export async function found(changes: Readonly<Record<string, Change>>): Promise<Short[]> {
	const { answer, text } = await review(staticReviewer, changes);
	expect(admit(text, changes)).toMatchObject({ admitted: true });
	return answer.findings.map(({ id = "", severity, location }) => {
		const facts = describeFinding(id);
		return { family: facts?.family ?? "", rule: facts?.rule ?? "", severity, location };
	});
}

/** One review for all texts: each is what a file has more than its base. */
export async function foundInEach(texts: readonly (readonly [path: string, line: string])[]): Promise<Short[][]> {
	const changes = Object.fromEntries(
		texts.map(([name, line], index): [string, Change] => [
			`c${index}/${name}`,
			{ base: "\n", candidate: `\n${line}\n` },
		]),
	);
	const findings = await found(changes);
	return texts.map(([name], index) => {
		const file = `c${index}/${name}:`;
		return findings
			.filter(({ location }) => location.startsWith(file))
			.map((finding) => ({ ...finding, location: finding.location.slice(file.length) }));
	});
}

export async function refusal(work: Promise<unknown>): Promise<ReviewError> {
	const error = await work.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	expect(error).toBeInstanceOf(ReviewError);
	if (!(error instanceof ReviewError)) throw new Error("nothing was refused");
	expect(error.code).toBe("candidate_context_unavailable");
	expect(error.detail.next).toBeTruthy();
	expect(error.message.length).toBeLessThanOrEqual(240);
	return error;
}
