// The cases of a shared list: what the first families must find, and what nothing may touch.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { staticReviewer } from "../../packages/gentle-ai/src/reviewers/static/index.ts";
import { admit, type Change, review } from "./view.ts";

/** Cases of the first families; the others belong to families that are not here yet. */
const EXPECTED =
	"js-aws-key js-eval-input js-exec-concat ts-exec-template js-empty-catch js-test-skip js-test-only js-const-condition js-unreachable js-db-url py-eval py-shell-true go-exec-sh pem-key merge-marker ts-suppress".split(
		" ",
	);
const CASES = path.resolve(import.meta.dirname, "../../../shared/cases/static-defects.json");

type Case = {
	readonly id: string;
	readonly path: string;
	readonly base: string | null;
	readonly candidate: string | null;
	readonly expected?: { readonly line: number; readonly severity: string };
	readonly clean?: boolean;
};

describe("the shared cases", () => {
	it("are hit where they should be, and no clean one is touched", async (context) => {
		if (!existsSync(CASES)) {
			console.log(`skipped: there is no ${path.basename(CASES)} beside this repository`);
			context.skip();
			return;
		}
		const cases: Case[] = JSON.parse(readFileSync(CASES, "utf8").replaceAll("{{+}}", ""));
		const changes = Object.fromEntries(
			cases.map(({ id, path: name, base, candidate }): [string, Change] => [
				`${id}/${name}`,
				{ ...(base !== null && { base }), ...(candidate !== null && { candidate }) },
			]),
		);
		const { answer, text } = await review(staticReviewer, changes);
		expect(admit(text, changes)).toMatchObject({ admitted: true });
		const { findings } = answer;
		const of = (id: string) => findings.filter(({ location }) => location.startsWith(`${id}/`));
		expect(cases.filter(({ clean, id }) => clean && of(id).length > 0).map(({ id }) => id)).toEqual([]);
		const hit = cases.filter(({ id, expected }) =>
			of(id).some(
				({ location, severity }) =>
					Math.abs(Number(location.split(":").at(-1)) - (expected?.line ?? -9)) <= 1 && severity === expected?.severity,
			),
		);
		expect(hit.map(({ id }) => id)).toEqual(EXPECTED);
	}, 60_000);
});
