// Field reports FR-23, FR-27, FR-29, FR-31 and FR-44: which bytes were approved, which paths they have, what must change.
import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import type { Start } from "../kit/documents.ts";
import {
	approve,
	captureAll,
	expectSuccess,
	failureOf,
	finalized,
	gate,
	startPrinted,
	startWords,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

describe("the work tree, then the index (FR-27)", () => {
	it("staged whole it is what was approved; a part of it is not, and the missing path is named", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\n");
		repo.write("guide.md", "# guide\n\nOne more sentence.\n");
		await approve(repo);
		repo.git("add", "app.ts");
		const part = await gate(repo);
		expect(failureOf(part).code).toMatch(/^receipt_|^gate_/);
		expect(part.stderr).toContain("guide.md");
		repo.git("add", "guide.md");
		expectSuccess(await gate(repo));
	});
});

describe("one path list (FR-29)", () => {
	const NAMES = ["a", "b", "c", "d", "e", "f"];
	const committed = Object.fromEntries(
		NAMES.map((name) => [`${name}.ts`, `export const ${name} = "${name.repeat(60)}";\n`]),
	);

	it("is the same for every setting of renames, staged and as a committed range beside dirty files", async () => {
		const repo = new TestRepo({ files: { ...committed, "other.ts": "export const o = 1;\n" } });
		for (const name of NAMES) repo.git("mv", `${name}.ts`, `moved-${name}.ts`);
		for (const name of ["x", "y", "z"]) repo.write(`${name}.ts`, `export const ${name} = 1;\n`);
		repo.git("add", "--all");
		const wanted = [...NAMES.flatMap((name) => [`${name}.ts`, `moved-${name}.ts`]), "x.ts", "y.ts", "z.ts"].sort();
		for (const setting of ["false", "true", "copies"]) {
			repo.git("config", "diff.renames", setting);
			const { projection } = await status(repo, ["--projection", "staged"]);
			expect([setting, projection.paths]).toEqual([setting, wanted]);
		}
		repo.git("commit", "--quiet", "--message", "moves");
		repo.write("other.ts", "export const o = 2;\n");
		const range = ["--base-ref", "HEAD~1", "--committed-only"];
		const told = await status(repo, range);
		expect(told.projection.paths).toEqual(wanted);
		const words = startWords(told.target_identity, ...range, "--consent", "granted");
		const start = (await repo.run(words)).json<Start>();
		expect(start.changed_path_manifest?.map(({ path }) => path)).toEqual(wanted);
	});
});

describe("pictures and moves (FR-23)", () => {
	it("a picture and a pure move are manifest entries, each with modes and without a line", async () => {
		const files = Object.fromEntries(
			Array.from({ length: 40 }, (_, at) => [`src/f${at}.ts`, `export const f = ${at};\n`]),
		);
		const repo = new TestRepo({ files });
		repo.git("mv", "src", "moved");
		repo.write("logo.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1, 0, 255]));
		const start = await startPrinted(repo);
		const entries = start.changed_path_manifest ?? [];
		expect(entries).toHaveLength(81);
		expect(entries.filter(({ status }) => status === "D")).toHaveLength(40);
		expect(entries.filter(({ status }) => status === "A")).toHaveLength(41);
		expect(entries.find(({ path }) => path === "logo.png")).toMatchObject({ old_mode: "000000", new_mode: "100644" });
	});
});

describe("a hook that rewrites (FR-31)", () => {
	it("what it made of the candidate is not what was approved, and its path is named; formatted first, one review passes", async () => {
		const repo = new TestRepo();
		repo.write(".git/hooks/pre-commit", "#!/bin/sh\nsed -i 's/ *;$/;/' app.ts\ngit add app.ts\n");
		chmodSync(repo.path(".git/hooks/pre-commit"), 0o755);
		repo.write("app.ts", "export const n = 2  ;\n");
		await approve(repo);
		repo.stage();
		expectSuccess(await gate(repo));
		repo.git("commit", "--quiet", "--message", "rewritten by the hook");
		expect(repo.git("show", "HEAD:app.ts")).toBe("export const n = 2;");
		const range = await status(repo, ["--base-ref", "HEAD~1", "--committed-only"]);
		expect(range.applicability).toBe("unrelated");
		expect(range.receipt.status).toBe("not_applicable");

		repo.write("app.ts", "export const n = 3;\n");
		await approve(repo);
		repo.stage();
		repo.git("commit", "--quiet", "--message", "formatted already");
		const same = await status(repo, ["--base-ref", "HEAD~1", "--committed-only"]);
		expect([same.applicability, same.authority?.state]).toEqual(["current_target", "approved"]);
	});
});

describe("know what to correct (FR-44)", () => {
	it("STATUS carries every id, severity, claim, location, proof, evidence, class and causality, and the budget", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\nexport const m = 2;\n");
		const { lineage_id, correction_budget } = await startPrinted(repo);
		const findings = [blocker("app.ts:1"), blocker("app.ts:2", { claim: "m is wrong as well" })];
		await captureAll(repo, () => findings);
		expect((await finalized(repo, lineage_id, "--captured-results")).state).toBe("correction_required");
		const request = transitionOf(await status(repo)).correction_request;
		expect(request).toMatchObject({ correction_budget, fix_finding_ids: ["R3-001", "R3-002"] });
		expect(request?.findings).toHaveLength(2);
		for (const [at, { claim, location, severity, proof_refs }] of findings.entries()) {
			expect(request?.findings[at]).toMatchObject({
				id: `R3-00${at + 1}`,
				severity,
				claim,
				location,
				proof_refs,
				evidence: proof_refs.join("; "),
				evidence_class: "deterministic",
				causal_disposition: "introduced",
			});
		}
	});
});
