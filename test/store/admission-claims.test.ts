// Field reports FR-15 to FR-18 and FR-20: citations, words, ranges, deletions, and refusals that teach.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { answerTo, blocker, type Finding, warning } from "../kit/answers.ts";
import type { Input } from "../kit/documents.ts";
import { captureResult, expectSuccess, firstInput, startPrinted, status, tokensOf } from "../kit/drive.ts";
import { refused } from "../kit/refusals.ts";
import { TestRepo } from "../kit/repo.ts";

type Files = Readonly<Record<string, string | undefined>>;

/** A review of `candidate` over `base`; undefined deletes. */
async function reviewing(base: Readonly<Record<string, string>>, candidate: Files) {
	const repo = new TestRepo({ files: base });
	for (const [path, text] of Object.entries(candidate)) {
		if (text === undefined) repo.remove(path);
		else repo.write(path, text);
	}
	await startPrinted(repo);
	return { repo, slot: firstInput(await status(repo)) };
}

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`);
const text = (change: (line: string, number: number) => string) =>
	LINES.map((line, at) => change(line, at + 1)).join("");
const whole = text((line) => line);

function edited(slot: Input, over: Record<string, unknown>): string {
	return JSON.stringify({ ...(JSON.parse(answerTo(slot)) as object), ...over });
}

async function refusal(repo: TestRepo, slot: Input, answer: string): Promise<string> {
	const before = await status(repo);
	const result = await refused(repo, ["review", "capture-result", ...tokensOf(slot), "--input=-"], answer);
	expect(await status(repo)).toEqual(before);
	return result.stderr;
}

describe.concurrent("what is a citation (FR-15)", () => {
	const SAID = [
		'"docs/change log (may).md":6',
		"`Makefile`:2",
		"127.0.0.1:9000",
		"/v1/items",
		"12:30:05",
		`sha256:${"ab".repeat(32)}`,
		"server.ts",
		"https://example.invalid:8080/x",
		"src/server.ts:4",
	];

	it("is decided by the paths of both trees alone: everything else is prose, in evidence and in proofs", async () => {
		const files = { "docs/change log (may).md": whole, "src/server.ts": whole, Makefile: whole };
		const { repo, slot } = await reviewing({ "guide.md": "# guide\n" }, files);
		const findings = [{ ...warning("src/server.ts:4"), proof_refs: SAID }];
		const evidence = [...SAID, ...SAID.map((each) => `It says ${each} there`)];
		expectSuccess(await captureResult(repo, slot, edited(slot, { evidence, findings })));
	});
});

describe.concurrent("words are not verdicts (FR-16)", () => {
	it("quotes of an unavailable inspection and modules outside of the manifest are admitted", async () => {
		const literal = "read access denied, could not be inspected";
		const { repo, slot } = await reviewing(
			{ "a.ts": "export const n = 1;\n" },
			{ "a.test.ts": `export const said = "${literal}";\n` },
		);
		const evidence = [
			`The test asserts the literal "${literal}"`,
			"The unchanged module a.ts was outside the manifest and was not inspected",
		];
		expectSuccess(await captureResult(repo, slot, edited(slot, { evidence })));
	});
});

describe.concurrent("ranges and order (FR-17)", () => {
	const changed = () =>
		reviewing(
			{ "app.ts": whole, "b.ts": "export {};\n" },
			{ "app.ts": text((line, at) => (at >= 3 && at <= 9 ? `changed ${line}` : line)), "b.ts": "export { };\n" },
		);

	it("a range of changed lines is a location, and inspected paths may come in any order", async () => {
		const { repo, slot } = await changed();
		const paths = (slot.changed_path_manifest ?? []).map(({ path }) => path).reverse();
		expect(paths).toEqual(["b.ts", "app.ts"]);
		const over = { findings: [blocker("app.ts:3-9")], inspection: { status: "completed", paths } };
		expectSuccess(await captureResult(repo, slot, edited(slot, over)));
	});

	it("a path that was not inspected is named", async () => {
		const { repo, slot } = await changed();
		const said = await refusal(repo, slot, edited(slot, { inspection: { status: "completed", paths: ["app.ts"] } }));
		expect(said).toContain(", inspection_paths_missing) at /inspection/paths: ");
		expect(said).toContain('; value: "b.ts". ');
	});
});

describe.concurrent("findings about what is gone (FR-18)", () => {
	const deletedLine = () =>
		reviewing({ "conf.ini": whole }, { "conf.ini": text((line, at) => (at === 3 ? "" : line)) });

	it.each([
		["a deleted line", deletedLine, "conf.ini:3"],
		[
			"a line of a deleted file",
			() => reviewing({ "conf.ini": whole, "a.ts": "\n" }, { "conf.ini": undefined }),
			"conf.ini:7",
		],
	] as const)("may sit on %s of the base", async (_, make, location) => {
		const { repo, slot } = await make();
		expectSuccess(await captureResult(repo, slot, answerTo(slot, [blocker(location)])));
	});

	it("do not sit on an unchanged line: the changed ones are told", async () => {
		const { repo, slot } = await deletedLine();
		const said = await refusal(repo, slot, answerTo(slot, [blocker("conf.ini:8")]));
		expect(said).toContain(", causality_unproven) at /findings/0/location: ");
		expect(said).toContain('; value: "conf.ini:8". Changed lines of that file: candidate none; base 3. ');
	});

	it("do not sit between two changed places either, and many ranges are told in short", async () => {
		const spread = Array.from({ length: 80 }, (_, at) => `line ${at + 1}\n`);
		const touched = spread.map((line, at) => (at % 4 === 0 ? `new ${line}` : line));
		const { repo, slot } = await reviewing({ "a.ts": spread.join("") }, { "a.ts": touched.join("") });
		const said = await refusal(repo, slot, answerTo(slot, [blocker("a.ts:1-5")]));
		const shown = "1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41, 45 and 8 more";
		expect(said).toContain(`candidate ${shown}; base ${shown}. `);
	});
});

/** The codes that this version publishes for hosts. */
const PUBLISHED = JSON.parse(
	readFileSync(resolve(import.meta.dirname, "../../contracts/review-integration/v2/admission-rules.json"), "utf8"),
) as Readonly<Record<string, { readonly rule: string }>>;

describe.concurrent("refusals that teach (FR-20)", () => {
	const small = () => reviewing({ "app.ts": "1\n", "guide.md": "# g\n" }, { "app.ts": "2\n" });
	const at = (over: Partial<Finding>) => ({ findings: [{ ...blocker("app.ts:1"), ...over }] });
	const { evidence_class: _, ...classless } = blocker("app.ts:1");
	const twice = [1, 2].map(() => ({ ...warning("app.ts:1"), id: "R3-7" }));
	const OTHER = `sha256:${"0".repeat(64)}`;
	type Broken = readonly [name: string, over: Record<string, unknown>, code: string, pointer: string, value?: string];
	const BROKEN: readonly Broken[] = [
		["wrong subject hash", { subject_hash: OTHER }, "subject_hash_mismatch", "/subject_hash", OTHER],
		["extra field", { schema: "x/v1" }, "unknown_field_or_type", "/schema", "x/v1"],
		["no class", { findings: [classless] }, "severe_without_class", "/findings/0/evidence_class"],
		["wrong prefix", at({ id: "R9-1" }), "finding_id_invalid", "/findings/0/id", "R9-1"],
		["prefix of another lens", at({ id: "R1-1" }), "finding_id_foreign", "/findings/0/id", "R1-1"],
		["repeated id", { findings: twice }, "finding_id_repeated", "/findings/1/id", "R3-7"],
		["foreign place", at({ location: "guide.md:1" }), "location_outside", "/findings/0/location", "guide.md:1"],
		["sentinel", { evidence: ["n/a"] }, "evidence_sentinel", "/evidence/0", "n/a"],
	];

	it("name code, pointer, value, rule and next step, and no two of them share a code or a rule", async () => {
		const { repo, slot } = await small();
		for (const [name, over, code, pointer, value] of BROKEN) {
			const said = await refusal(repo, slot, edited(slot, over));
			const told = value === undefined ? "" : `; value: ${JSON.stringify(value)}`;
			expect(said, name).toContain(`, ${code}) at ${pointer}: ${PUBLISHED[code]?.rule}${told}. `);
			expect(said, name).toContain("capture it again [invalid_request]");
		}
		expect(new Set(BROKEN.map(([, , code]) => code)).size).toBe(BROKEN.length);
		const rules = Object.values(PUBLISHED).map(({ rule }) => rule);
		expect(new Set(rules).size).toBe(rules.length);
	});

	it("tell of an unknown or mistyped field which one it is, and of broken JSON where and why", async () => {
		const { repo, slot } = await small();
		const { claim: __, ...unclaimed } = blocker("app.ts:1");
		const extra = await refusal(repo, slot, edited(slot, { findings: [{ ...blocker("app.ts:1"), "a/b": 7 }] }));
		expect(extra).toMatch(/ at \/findings\/0\/a~1b: .*; value: "7"\. .*no such field/);
		const typed = await refusal(repo, slot, edited(slot, { evidence: [true] }));
		expect(typed).toMatch(/ at \/evidence\/0: .*; value: "true"\. .*string/);
		expect(await refusal(repo, slot, edited(slot, { findings: [unclaimed] }))).toMatch(/ at \/findings\/0: .*claim/);
		const twice = answerTo(slot).replace("{", '{"evidence":["first"],');
		expect(await refusal(repo, slot, twice)).toMatch(/, invalid_json\) at \/evidence: .*every key once/);
	});

	it("are bounded, harmless on a terminal, and show neither places of this machine nor what was not at fault", async () => {
		const { repo, slot } = await small();
		const HOSTILE = "\u001b[2J\u202e\u009b\r\n";
		const evidence = ["The token is synthetic-credential-7f3a91"];
		const hostile = [
			{ subject_hash: HOSTILE + "x".repeat(50_000), evidence },
			{ [HOSTILE + "k".repeat(50_000)]: 1, evidence },
			{ ...at({ location: `${HOSTILE}.ts:1` }), evidence },
			{ subject_hash: `see ${repo.path(".git", "gentle-ai", "authority.sqlite3")}`, evidence },
		];
		for (const over of hostile) {
			const said = await refusal(repo, slot, edited(slot, over));
			expect(said.length).toBeLessThan(700);
			expect(said).toMatch(/^[\x20-\x7e\u2026]+\n$/);
			expect(said).not.toContain(repo.folder);
			expect(said).not.toContain("synthetic-credential");
		}
	});
});
