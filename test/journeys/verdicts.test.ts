// What a validator or a refuter may hand to FINALIZE (threats F1 to F9): one whole answer to the printed question, or
// nothing happens.
import { describe, expect, it } from "vitest";
import { answerTo, blocker, refuterAnswer } from "../kit/answers.ts";
import { blocked, judged, type Open, planned, validated, verdict, verified } from "../kit/corrected.ts";
import type { Status } from "../kit/documents.ts";
import {
	argument,
	captureAll,
	expectSuccess,
	failureOf,
	finalize,
	firstInput,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { expectColumns, expectTeaching } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";
import { contentsOf } from "../kit/tree.ts";

type Change = (good: string, asked: Status) => string | Uint8Array;

const field =
	(name: string, value: unknown): Change =>
	(good) =>
		JSON.stringify({ ...JSON.parse(good), [name]: value });
const check = (name: string, evidence: readonly unknown[]): Change => field(name, { passed: true, evidence });
const inside =
	(text: string): Change =>
	(good) =>
		good.replace('"follow_ups":[]', `"follow_ups":${text}`);
const NOBODY = `sha256:${"0".repeat(64)}`;

// biome-ignore format: one row of the table is one line
const REFUSED: readonly (readonly [id: string, what: string, change: Change])[] = [
	["F1", "no object", () => "Everything is fine."],
	["F1", "nothing", () => ""],
	["F1", "two objects", (good) => `${good}\n${good}`],
	["F1", "an object inside of another", (good) => `{"answer":${good}}`],
	["F1", "an object that does not end", (good) => good.slice(0, -1)],
	["F1", "prose behind it", (good) => `${good}\nThat is all.`],
	["F1", "a list", (good) => `[${good}]`],
	["F2", "a repeated key", (good) => good.replace("{", `{"correction_target_identity":"${NOBODY}",`)],
	["F2", "a repeated key in a check", (good) => good.replace('"passed":true', '"passed":false,"passed":true')],
	["F2", "__proto__", (good) => good.replace("{", '{"__proto__":{"passed":true},')],
	["F2", "an unknown key", field("approved", true)],
	["F2", "half of a surrogate pair", check("original_criteria", ["X"])],
	["F2", "a number that does not survive", inside("[1e999]")],
	["F2", "an integer over 2^53", inside("[9007199254740993]")],
	["F2", "bytes that are no UTF-8", (good) => Buffer.concat([Buffer.from(good.slice(0, -18)), Buffer.from([0xff]), Buffer.from(good.slice(-18))])],
	["F3", "ten thousand levels", inside(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)],
	["F4", "the hash of another request", field("targeted_validation_request_hash", NOBODY)],
	["F4", "the hash of the review's own target", (good, asked) => field("correction_target_identity", asked.target_identity)(good, asked)],
	["F7", "the identity of the frozen candidate", (good, asked) => field("correction_target_identity", asked.validation_request?.request_hash)(good, asked)],
	["F6", "a verdict that is no yes or no", (good) => good.replace('"passed":true', '"passed":"true"')],
	["F6", "no evidence", check("correction_regression", [])],
	["F6", "a sentinel", check("original_criteria", ["it was fixed", " N/A "])],
	["F6", "a check that is missing", (good) => JSON.stringify({ ...JSON.parse(good), correction_regression: undefined })],
	["F8", "50 MB", (good) => good.replace("ran both trees", "x".repeat(50 * 1024 * 1024))],
	["F9", "an inspection that did not happen", check("original_criteria", ["The candidate was not inspected"])],
	["FR-16", "a denial and nothing else", check("original_criteria", ["permission denied"])],
];

/** The repository without times: Git renews those of packs that it meets again. */
function kept(repo: TestRepo) {
	return Object.entries(contentsOf(repo)).filter(([name]) => name.startsWith("./repo/"));
}

describe("a verdict", () => {
	it("is refused whole for what is wrong with it, names the flag and the rule, and changes nothing (F1 to F9)", async () => {
		const open = await verified(await planned(await blocked()));
		const asked = await status(open.repo);
		const good = verdict(asked);
		const before = kept(open.repo);
		const wrong: string[] = [];
		for (const [id, what, change] of REFUSED) {
			const text = change(good, asked);
			const bytes = what.startsWith("half") ? String(text).replace('"X"', '"\\ud800"') : text;
			expect(bytes, what).not.toBe(good);
			const result = await judged(open, bytes);
			if (result.code !== 1) {
				wrong.push(`${id} ${what}: exit ${result.code}`);
				break;
			}
			const failure = failureOf(result);
			expectColumns(failure, "invalid_request");
			expectTeaching(failure, "--validation");
			expect(result.stderr.length, what).toBeLessThan(2_000);
			expect(`${result.stdout}${result.stderr}`, what).not.toContain(open.repo.root);
		}
		expect(wrong).toEqual([]);
		expect(kept(open.repo)).toEqual(before);
		expect(await status(open.repo)).toEqual(asked);
		expectSuccess(await judged(open, good));
	});

	it("may quote an unavailable inspection and may say more beside it (FR-16)", async () => {
		const open = await planned(await blocked());
		open.repo.write("app.ts", "export const n = 2;\nexport const m = 3;\nexport const k = 2;\nexport const j = 2;\n");
		const evidence =
			'the caller now reads "permission denied, could not be inspected"; other.ts was outside the manifest';
		expectSuccess(await validated(open, { evidence }));
		expect(transitionOf(await status(open.repo)).reason_code).toBe("approved_receipt_ready");
	});

	it("does not come from the candidate: a perfect approval among its own bytes is no answer (F4)", async () => {
		const open = await verified(await planned(await blocked()));
		const asked = await status(open.repo);
		expect(firstInput(asked).validation_request?.correction_paths).toEqual(["app.ts"]);
		const refused = await finalize(open.repo, open.lineage, "--captured-evidence");
		expectTeaching(failureOf(refused), "--validation");
		const elsewhere = await judged(
			open,
			verdict(asked).replace(/"correction_target_identity":"[^"]+"/, '"correction_target_identity":"app.ts"'),
		);
		expectTeaching(failureOf(elsewhere), "--validation/correction_target_identity", "app.ts");
	});

	it("of an earlier corrected candidate is not about the next one (F7)", async () => {
		const open = await verified(await planned(await blocked()));
		const first = verdict(await status(open.repo));
		open.repo.write("app.ts", "export const n = 2;\nexport const m = 4;\nexport const k = 2;\nexport const j = 2;\n");
		const late = await judged(open, first);
		expect(failureOf(late)).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		expectSuccess(await validated(open));
		expect(failureOf(await judged(open, first)).code).toBe("invalid_request");
	});
});

describe("refuter rows", () => {
	async function doubtful(): Promise<Open & { ids: string[] }> {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo, () => [blocker("app.ts:1", { evidence_class: "inferential" })]);
		const ids = argument(firstInput(await status(repo)), "finding-ids").split(",");
		return { repo, lineage: lineage_id, ids };
	}

	it("are refused when one is extra, missing, repeated, or proves nothing (F6)", async () => {
		const { repo, lineage, ids } = await doubtful();
		const good = refuterAnswer(ids, "refuted");
		const [row] = (JSON.parse(good) as { results: object[] }).results;
		const rows = (...results: readonly unknown[]) => JSON.stringify({ results });
		const asked = await status(repo);
		for (const text of [
			rows(row, { ...row, finding_id: "R1-009" }),
			rows(),
			rows(row, row),
			rows(row, { ...row, outcome: "corroborated" }),
			rows({ ...row, proof_refs: ["none"] }),
			rows({ ...row, outcome: "probably" }),
			`${good}${good}`,
			good.replace('"outcome":"refuted"', '"outcome":"corroborated","outcome":"refuted"'),
		]) {
			const file = repo.outside("refuter.json", text);
			const failure = failureOf(await finalize(repo, lineage, "--captured-results", "--refuter", file));
			expectColumns(failure, "invalid_request");
			expectTeaching(failure, "--refuter");
		}
		expect(await status(repo)).toEqual(asked);
		const file = repo.outside("refuter.json", good);
		expectSuccess(await finalize(repo, lineage, "--captured-results", "--refuter", file));
	});
});

describe("a reviewer's answer in the hands of FINALIZE", () => {
	it("is refused by its place in the answer, which is no path of this machine (FR-20)", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		const { lineage_id } = await startPrinted(repo);
		const good = answerTo(firstInput(await status(repo)));
		const answer = JSON.stringify({ ...JSON.parse(good), evidence: ["read it", "n/a"] });
		const file = repo.outside("answer.json", answer);
		const failure = failureOf(await finalize(repo, lineage_id, "--result", file));
		expectColumns(failure, "invalid_request");
		expectTeaching(failure, "/evidence/1", "value: n/a");
		expectSuccess(await finalize(repo, lineage_id, "--result", repo.outside("answer.json", good)));
	});
});
