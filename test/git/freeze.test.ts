// The frozen tree is what plain git would commit, whatever was edited, and the same for everybody: properties.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit, EDITED, type Edit, edits } from "../kit/edits.ts";
import { expectPlainTrees } from "../kit/freeze.ts";
import { committedTree, expectLikeGit, judge, secondClone } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";

/** A soak tries ten times as many edits. */
const MORE = process.env.GENTLE_AI_SOAK === "1" ? 10 : 1;
const FORMATS = ["sha1", "sha256"] as const;
type Format = (typeof FORMATS)[number];

function editedBy(steps: readonly Edit[], format: Format, files: Readonly<Record<string, string>> = EDITED): TestRepo {
	const repo = new TestRepo({ files, format });
	mkdirSync(join(repo.folder, "outside"));
	for (const step of steps) applyEdit(repo, step);
	return repo;
}

const OTHER_USER = `
[diff]
	renames = copies
	noprefix = true
	context = 9
	algorithm = patience
	ignoreSubmodules = all
	external = false
[color]
	ui = always
[core]
	quotepath = false
	abbrev = 5
	pager = false
	bigFileThreshold = 1
	preloadIndex = false
[status]
	showUntrackedFiles = no
	relativePaths = true
	renames = copies
	short = true
[add]
	ignoreErrors = true
[commit]
	gpgsign = true
[index]
	version = 4
`;

describe("a candidate", () => {
	it(
		"of any edits has the trees that `git add -A` and `git write-tree` write, looked at and frozen",
		async () => {
			await fc.assert(
				fc.asyncProperty(edits, fc.constantFrom(...FORMATS), async (steps, format) => {
					await expectLikeGit(editedBy(steps, format));
				}),
				{ numRuns: 40 * MORE, seed: 20261201, endOnFailure: true },
			);
		},
		240_000 * MORE,
	);

	it(
		"of any edits has the tree of `git commit -a` with the untracked files intended",
		async () => {
			await fc.assert(
				fc.asyncProperty(edits, fc.constantFrom(...FORMATS), fc.boolean(), async (steps, format, born) => {
					const repo = editedBy(steps, format, born ? EDITED : {});
					const { snapshot } = await judge(repo);
					expect(snapshot.candidate_tree).toBe(committedTree(repo));
				}),
				{ numRuns: 25 * MORE, seed: 20261202, endOnFailure: true },
			);
		},
		240_000 * MORE,
	);

	it(
		"has one identity, tier, line count and budget in a second clone, another folder, for another user",
		async () => {
			await fc.assert(
				fc.asyncProperty(edits, fc.constantFrom(...FORMATS), async (steps, format) => {
					const repo = editedBy(steps, format);
					const other = secondClone(repo, new TestRepo({ files: {}, format }));
					writeFileSync(join(other.home, ".gitconfig"), OTHER_USER);
					const [here, there] = [await judge(repo), await judge(other)];
					expect(there.snapshot.identity).toBe(here.snapshot.identity);
					const facts = ({ tier, lines, budget, changes }: typeof here) => ({ tier, lines, budget, changes });
					expect(facts(there)).toEqual(facts(here));
				}),
				{ numRuns: 20 * MORE, seed: 20261203, endOnFailure: true },
			);
		},
		240_000 * MORE,
	);

	it("holds the second of two edits of one second and one size, however often it is tried (A1)", async () => {
		const repos = Array.from(
			{ length: 6 },
			(_, at) => new TestRepo({ format: FORMATS[at % 2] ?? "sha1", files: { "a.ts": "zzzz\n" } }),
		);
		for (const repo of repos) {
			repo.write("a.ts", "aaaa\n");
			repo.stage();
			repo.write("a.ts", "bbbb\n");
		}
		// From the next second on, an index that is as new as it was copied would call the second edit clean.
		await new Promise((done) => setTimeout(done, 1_100));
		for (const repo of repos) {
			const { workspace, staged } = await expectLikeGit(repo);
			expect(workspace).not.toBe(staged);
			const second = repo.gitWith({ input: "bbbb\n" }, "hash-object", "--stdin").toString().trim();
			repo.stage();
			expect(repo.git("write-tree")).toBe(workspace);
			expect(repo.git("ls-tree", workspace)).toContain(second);
		}
	});

	it.each(FORMATS)("of %s ids holds a link, and nothing behind it, where a folder was (A4)", async (format) => {
		const repo = new TestRepo({ format, files: { "dir/x.ts": "inside\n" } });
		mkdirSync(join(repo.folder, "outside"));
		writeFileSync(join(repo.folder, "outside", "x.ts"), "a secret of the machine\n");
		repo.remove("dir");
		symlinkSync("../outside", repo.path("dir"));
		const { workspace } = await expectPlainTrees(repo);
		repo.stage();
		expect(repo.git("write-tree")).toBe(workspace);
		expect(repo.git("ls-tree", "-r", workspace)).toMatch(/^120000 blob [0-9a-f]+\tdir$/);
	});
});
