// Names of bases: every accepted form is resolved once, and a name that could mean two things is refused (D1, D3, D4).
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { argument, drive, executionOf, failureOf, inputsOf, startPrinted, status, statusWords } from "../kit/drive.ts";
import { committed, look, overlay } from "../kit/look.ts";
import { cloneOf, TestRepo } from "../kit/repo.ts";

function history(format: "sha1" | "sha256" = "sha1"): TestRepo {
	const repo = new TestRepo({ format });
	repo.git("tag", "v1");
	repo.git("tag", "--annotate", "--message", "one", "annotated");
	repo.write("app.ts", "export const n = 2;\n");
	repo.commit("second");
	return repo;
}

const refused = { code: "invalid_request", progress: "not_started" };

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	it("a short id, a full id, tags, a tree, a full ref and HEAD~1 are one base (FR-35)", async () => {
		const repo = history(format);
		const full = repo.git("rev-parse", "HEAD~1");
		const tree = repo.git("rev-parse", "HEAD~1^{tree}");
		const { snapshot } = await look(repo, committed(full));
		expect(snapshot).toMatchObject({ base_tree: tree, paths: ["app.ts"] });
		for (const ref of [
			full.slice(0, 7),
			full.toUpperCase(),
			"v1",
			"annotated",
			"refs/tags/v1",
			tree,
			"HEAD~1",
			"main^",
		]) {
			expect((await look(repo, committed(ref))).snapshot, ref).toEqual(snapshot);
			expect((await look(repo, overlay(ref))).snapshot.base_tree, ref).toBe(tree);
		}
	});

	it("a branch whose name begins with a dash is named by its full ref alone (D3)", async () => {
		const repo = history(format);
		repo.git("update-ref", "refs/heads/-evil", "HEAD~1");
		expect((await look(repo, committed("refs/heads/-evil"))).snapshot.paths).toEqual(["app.ts"]);
		const mark = join(repo.folder, "mark");
		for (const ref of ["--all", `--output=${mark}`, "--upload-pack=touch mark", "-p", "--help"]) {
			await expect(look(repo, committed(ref)), ref).rejects.toMatchObject(refused);
		}
		expect(existsSync(mark)).toBe(false);
	});

	it("a name that is both a branch and a tag is refused, its full names are not (D3)", async () => {
		const repo = history(format);
		repo.git("branch", "v1", "HEAD");
		expect((await look(repo, committed("refs/tags/v1"))).snapshot.paths).toEqual(["app.ts"]);
		expect((await look(repo, committed("refs/heads/v1"))).snapshot.paths).toEqual([]);
		await expect(look(repo, committed("v1"))).rejects.toMatchObject(refused);
	});

	it("a branch that is named like an object id is refused as a name (D3)", async () => {
		const repo = history(format);
		const id = repo.git("rev-parse", "HEAD~1");
		repo.git("update-ref", `refs/heads/${id}`, "HEAD");
		await expect(look(repo, committed(id))).rejects.toMatchObject(refused);
	});

	it("a branch that is called HEAD is not HEAD (D3)", async () => {
		const repo = history(format);
		const tree = repo.git("rev-parse", "HEAD^{tree}");
		repo.git("update-ref", "refs/heads/HEAD", "HEAD~1");
		repo.write("guide.md", "# guide\n\nMore.\n");
		expect((await look(repo)).snapshot).toMatchObject({ base_tree: tree, paths: ["guide.md"] });
		await expect(look(repo, committed("HEAD"))).rejects.toMatchObject(refused);
		expect((await look(repo, committed("refs/heads/HEAD"))).snapshot.paths).toEqual(["app.ts"]);
	});

	it("a base is what its commits say, wherever grafts would move it (D4)", async () => {
		const repo = history(format);
		repo.write("guide.md", "# guide\n\nMore.\n");
		repo.commit("third");
		const honest = (await look(repo, committed("HEAD~1"))).snapshot;
		expect(honest.paths).toEqual(["guide.md"]);
		repo.write(".git/info/grafts", `${repo.git("rev-parse", "HEAD")} ${repo.git("rev-parse", "HEAD~2")}\n`);
		expect((await look(repo, committed("HEAD~1"))).snapshot).toEqual(honest);
	});

	it("a base is resolved by name once, and every other child of Git gets its id (D1)", async () => {
		const repo = history(format);
		const log = join(repo.folder, "words");
		const real = execFileSync("sh", ["-c", "command -v git"], { env: process.env }).toString().trim();
		writeFileSync(join(repo.bin, "git"), `#!/bin/sh\necho "$@" >> '${log}'\nexec ${real} "$@"\n`, { mode: 0o755 });
		for (const flags of [["--committed-only"], ["--workspace-overlay"]]) {
			rmSync(log, { force: true });
			await status(repo, ["--base-ref=refs/tags/annotated", ...flags]);
			const named = readFileSync(log, "utf8")
				.split("\n")
				.filter((line) => line.includes("annotated"));
			expect(named).toHaveLength(1);
			expect(named[0]).toMatch(/ rev-parse --verify .*--end-of-options refs\/tags\/annotated\^\{tree\}$/);
		}
	});

	it("an abbreviation that fits two objects is refused (FR-35)", async () => {
		const repo = history(format);
		const byPrefix = new Map<string, string>();
		let shared = "";
		for (let at = 0; shared === ""; at += 1) {
			const tree = repo.git("rev-parse", "HEAD^{tree}");
			const id = repo.git("commit-tree", tree, "-m", `${at}`);
			const prefix = id.slice(0, 4);
			if (byPrefix.has(prefix)) shared = prefix;
			byPrefix.set(prefix, id);
		}
		await expect(look(repo, committed(shared))).rejects.toMatchObject(refused);
	}, 30_000);
});

describe("a refused base", () => {
	it("states the accepted forms, and tells an unknown name from one that is no commit (FR-35)", async () => {
		const repo = history();
		const blob = repo.git("rev-parse", "HEAD:app.ts");
		const causes: string[] = [];
		for (const ref of ["nobody", blob]) {
			const failure = failureOf(await repo.run(statusWords(`--base-ref=${ref}`, "--committed-only")));
			expect(failure).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
			expect(failure.cause).toContain("field: --base-ref");
			expect(failure.cause).toMatch(/branch.*tag.*commit/);
			causes.push((failure.cause ?? "").replaceAll(ref, "REF").replace(/value: [^;]*/, ""));
		}
		expect(causes[0]).not.toBe(causes[1]);
	});
});

describe("an integration branch that is not the default one (FR-34)", () => {
	function fromDev(): TestRepo {
		const origin = new TestRepo();
		origin.git("checkout", "--quiet", "-b", "dev");
		for (let at = 0; at < 5; at += 1) {
			origin.write(`dev-${at}.ts`, `export const d = ${at};\n`);
			origin.commit(`dev ${at}`);
		}
		origin.git("checkout", "--quiet", "main");
		const repo = cloneOf(origin);
		repo.git("checkout", "--quiet", "-b", "work", "origin/dev");
		repo.write("mine.ts", "export const mine = 1;\n");
		repo.commit("mine");
		for (const name of ["note-1.txt", "note-2.txt"]) repo.write(name, "a note\n");
		return repo;
	}
	const FLAGS = ["--base-ref", "origin/dev", "--committed-only"];

	it("is the base of every token from STATUS to the receipt, and the candidate has its own paths alone", async () => {
		const repo = fromDev();
		const tree = repo.git("rev-parse", "origin/dev^{tree}");
		const fresh = await status(repo, FLAGS);
		expect(fresh.projection).toMatchObject({ base_tree: tree, paths: ["mine.ts"] });
		expect(argument(executionOf(fresh), "base-ref")).toBe(tree);
		const start = await startPrinted(repo, FLAGS);
		expect(start).toMatchObject({ base_tree: tree, changed_files: 1 });
		for (const input of inputsOf(await status(repo, FLAGS))) expect(input.base_tree).toBe(tree);
		const { last } = await drive(repo, { flags: FLAGS });
		expect(last).toMatchObject({ authority: { state: "approved" }, projection: { base_tree: tree } });
	});

	it("is asked for when the candidate would otherwise need an assumed base", async () => {
		const repo = fromDev();
		for (const name of ["note-1.txt", "note-2.txt"]) repo.remove(name);
		expect((await status(repo)).next_transition?.reason_code).toBe("empty_candidate_base_ref_required");
	});
});
