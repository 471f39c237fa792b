// Paths, their order, their digests and their lines, worked out a second time here (A.6, A.7, A.9, A.10).
import { createHash } from "node:crypto";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startPrinted } from "../kit/drive.ts";
import { applyEdit, EDITED, edits } from "../kit/edits.ts";
import { judge, overlay, STAGED } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";

const sha256 = (...parts: (string | Buffer)[]) => {
	const hash = createHash("sha256");
	for (const part of parts) hash.update(part);
	return `sha256:${hash.digest("hex")}`;
};
/** Decimal byte length, NUL, text, NUL. */
const lp = (text: string) => `${Buffer.byteLength(text)}\0${text}\0`;
const paths = (list: readonly string[]) => sha256("gentle-ai.paths/v1\0", ...list.map(lp));

function mixed(format: "sha1" | "sha256"): TestRepo {
	const repo = new TestRepo({ format, files: { "a.ts": "one();\ntwo();\n", "gone.md": "x\ny\n", "m.sh": "x\n" } });
	repo.git("branch", "start");
	repo.write("a.ts", "one();\nthree();\nfour();\n");
	repo.remove("gone.md");
	chmodSync(repo.path("m.sh"), 0o755);
	repo.write("empty.txt", "");
	symlinkSync("a.ts", repo.path("link"));
	repo.write("no-end.md", "no line feed");
	repo.write("ünïcode 1.md", "x\n");
	repo.write("\u{1f600}.md", "x\n");
	repo.write("\uffee.md", "x\n");
	repo.write("dir/x.md", "x\n");
	repo.write("dir.md", "x\n");
	repo.write("dir-x.md", "x\n");
	return repo;
}

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	it("paths are in the order of their bytes, not of their UTF-16 text (A.6 order)", async () => {
		const { snapshot, manifest } = await judge(mixed(format));
		const sorted = [...snapshot.paths].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
		expect(snapshot.paths).toEqual(sorted);
		expect(manifest.map(({ path }) => path)).toEqual(sorted);
		expect(sorted.indexOf("\uffee.md")).toBeLessThan(sorted.indexOf("\u{1f600}.md"));
		expect(new Set(sorted).size).toBe(12);
	});

	it("every entry says what plain git says of the two trees (A.7)", async () => {
		const repo = mixed(format);
		const { snapshot, manifest } = await judge(repo);
		repo.stage();
		expect(repo.git("write-tree")).toBe(snapshot.candidate_tree);
		const words = ["--raw", "-z", "--no-renames", snapshot.base_tree, snapshot.candidate_tree];
		const fields = repo
			.gitWith({}, "diff-tree", "-r", ...words)
			.toString()
			.split("\0")
			.slice(0, -1);
		for (let at = 0; at < fields.length; at += 2) {
			const [old_mode, new_mode, from, to, status] = (fields[at] ?? "").slice(1).split(" ");
			const entry = manifest.find(({ path }) => path === fields[at + 1]);
			expect(entry).toMatchObject({ old_mode, new_mode, status, deleted: status === "D" });
			expect(entry?.mode_only).toBe(status === "M" && from === to && old_mode !== new_mode);
		}
		expect(fields.length / 2).toBe(manifest.length);
		const intended = manifest.filter((entry) => entry.intended_untracked).map(({ path }) => path);
		expect(intended).toEqual(snapshot.intended_untracked);
		expect(intended).not.toContain("a.ts");
		expect(intended).toContain("link");
	});

	it("digests have the published preimages (A.9)", async () => {
		const repo = mixed(format);
		const { snapshot: live } = await judge(repo);
		const { base_tree, candidate_tree, intended_untracked } = live;
		expect(live.paths_digest).toBe(paths(live.paths));
		const body = lp(base_tree) + lp(candidate_tree) + lp(live.paths_digest);
		expect(live.identity).toBe(sha256("gentle-ai.review-snapshot/v3\0", lp("current-changes"), body));
		repo.stage();
		expect(repo.git("write-tree")).toBe(candidate_tree);
		const record = (path: string) =>
			repo.gitWith({ env: { GIT_LITERAL_PATHSPECS: "1" } }, "ls-tree", "-z", candidate_tree, path).toString();
		expect(live.intended_untracked_proof).toBe(
			sha256("gentle-ai.intended-untracked/v1\0", ...intended_untracked.map((path) => lp(path) + lp(record(path)))),
		);
		const { snapshot: staged } = await judge(repo, STAGED);
		const stagedWords = lp("current-changes") + lp("staged") + body;
		expect(staged.identity).toBe(sha256("gentle-ai.review-snapshot/v4\0", stagedWords));
		expect(staged.intended_untracked_proof).toBe(
			"sha256:b97229718d4c7fe50a8892eb474ae5aa6491697bccb400e3e31dbaca4894d2f3",
		);
		const { snapshot: over } = await judge(repo, overlay("start"));
		const domain = "gentle-ai.review-snapshot/base-workspace-overlay/v2\0";
		expect(over.identity).toBe(sha256(domain, lp("base-workspace-overlay"), body));
	});

	it("the printed manifest has the digest that its reviewers are bound to (A.7, A.9)", async () => {
		const repo = mixed(format);
		const { artifact_subjects, changed_path_manifest = [] } = await startPrinted(repo);
		expect(artifact_subjects.length).toBeGreaterThan(0);
		const fields = [
			"path",
			"status",
			"old_mode",
			"new_mode",
			"deleted",
			"type_changed",
			"mode_only",
			"intended_untracked",
		];
		const ordered = changed_path_manifest.map((entry) => {
			expect(Object.keys(entry)).toEqual(fields);
			return entry;
		});
		const digest = sha256("gentle-ai.review-changed-path-manifest/v1\0", JSON.stringify(ordered));
		for (const subject of artifact_subjects) expect(subject.changed_path_manifest_sha256).toBe(digest);
	});

	it("what is intended is what git lists as untracked, in the order of bytes (A.8 inventory)", async () => {
		const repo = mixed(format);
		writeFileSync(join(repo.home, ".gitconfig"), `[core]\n\texcludesFile = ${repo.outside("excludes", "*.own\n")}\n`);
		repo.write(".git/info/exclude", "*.tmp\n");
		repo.write("deep/.gitignore", "*.log\n!keep.log\n");
		for (const name of ["a.own", "b.tmp", "deep/c.log", "deep/keep.log", "deep/er/d.ts"]) repo.write(name, "x\n");
		const printed = repo.gitWith({}, "ls-files", "--others", "--exclude-standard", "-z").toString();
		const listed = printed.split("\0").slice(0, -1);
		listed.sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
		expect(listed).toEqual(expect.arrayContaining(["deep/.gitignore", "deep/er/d.ts", "deep/keep.log"]));
		expect((await judge(repo)).snapshot.intended_untracked).toEqual(listed);
		expect((await judge(repo, overlay("start"))).snapshot.intended_untracked).toEqual(listed);
		expect((await judge(repo, STAGED)).snapshot.intended_untracked).toEqual([]);
	});

	it("an empty file has no line, a link and a text without an end have one (A.10)", async () => {
		const { changes } = await judge(mixed(format));
		const lines = Object.fromEntries(changes.map(({ path, additions, deletions }) => [path, [additions, deletions]]));
		expect(lines).toMatchObject({
			"a.ts": [2, 1],
			"empty.txt": [0, 0],
			"gone.md": [0, 2],
			link: [1, 0],
			"m.sh": [0, 0],
			"no-end.md": [1, 0],
		});
	});

	it("a gitlink that moved has one line on each side (A.10 gitlink)", async () => {
		const repo = new TestRepo({ format });
		const ids = ["1", "2"].map((digit) => digit.repeat(format === "sha1" ? 40 : 64));
		repo.git("update-index", "--add", "--cacheinfo", `160000,${ids[0]},module`);
		repo.git("commit", "--quiet", "--message", "module");
		repo.git("update-index", "--cacheinfo", `160000,${ids[1]},module`);
		const { changes, manifest, tier } = await judge(repo, STAGED);
		expect(changes).toMatchObject([{ path: "module", additions: 1, deletions: 1 }]);
		expect(manifest).toMatchObject([{ status: "M", mode_only: false, old_mode: "160000", new_mode: "160000" }]);
		expect(tier).not.toBe("low");
	});
});

/** Lines that a reader of patches could take for something else. */
const LOOKALIKES = [
	"@@ -1 +1 @@",
	"diff --git a/x b/x",
	"--- a/x",
	"+++ b/x",
	"\\ No newline at end of file",
	"-",
	"+",
	"",
	":100644 100644 0000000 0000000 M\tx",
	"\r",
	"plain",
];
const text = fc
	.tuple(fc.array(fc.constantFrom(...LOOKALIKES), { maxLength: 12 }), fc.boolean())
	.map(([lines, ended]) => lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));

describe("the lines of any edits", () => {
	it("are counted alike when they look like a patch themselves (A.10, B1)", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 12 }), async (pairs) => {
				const files = Object.fromEntries(pairs.map(([before], at) => [`f${at}.ts`, before]));
				const repo = new TestRepo({ files });
				for (const [at, [, after]] of pairs.entries()) repo.write(`f${at}.ts`, after);
				const { changes } = await judge(repo);
				const printed = repo.gitWith({}, "diff", "--numstat", "-z", "--no-renames", "HEAD", "--").toString();
				const counted = changes.map(({ path, additions, deletions }) => `${additions}\t${deletions}\t${path}`);
				expect(counted.sort()).toEqual(printed.split("\0").slice(0, -1).sort());
			}),
			{ numRuns: 15, seed: 20261205, endOnFailure: true },
		);
	}, 60_000);

	it("are those that git counts when nothing blinds it (A.10)", async () => {
		await fc.assert(
			fc.asyncProperty(edits, async (steps) => {
				const repo = new TestRepo({ files: EDITED });
				for (const step of steps) applyEdit(repo, step);
				const { snapshot, changes } = await judge(repo);
				repo.stage();
				expect(repo.git("write-tree")).toBe(snapshot.candidate_tree);
				const trees = [snapshot.base_tree, snapshot.candidate_tree];
				const printed = repo.gitWith({}, "diff-tree", "-r", "--numstat", "-z", "--no-renames", ...trees).toString();
				const counted = changes.map(({ path, additions, deletions }) => `${additions}\t${deletions}\t${path}`);
				expect(counted.sort()).toEqual(printed.split("\0").slice(0, -1).sort());
			}),
			{ numRuns: 20, seed: 20261204, endOnFailure: true },
		);
	}, 120_000);
});
