// Settings of the repository or its user: the frozen trees stay those of plain Git, and no setting bends a manifest.
import { chmodSync, renameSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectLikeGit, look } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";

function edited(): TestRepo {
	const files = { "a.ts": "one\ntwo\n", "b.ts": "b\n", "dir/c.ts": "c\n", "big.bin": "x".repeat(5_000) };
	const repo = new TestRepo({ files });
	repo.write("a.ts", "one\nthree\n");
	renameSync(repo.path("b.ts"), repo.path("B.ts"));
	chmodSync(repo.path("dir/c.ts"), 0o755);
	repo.write("new.sh", "x\n", 0o755);
	symlinkSync("a.ts", repo.path("link"));
	repo.write("big.bin", "y".repeat(9_000));
	repo.write("e\u0301.ts", "x\n");
	repo.write("crlf.ts", "x\r\n");
	return repo;
}

/** What may change the candidate itself, as it changes a commit. */
const CONTENT = [
	"core.autocrlf=input",
	"core.eol=crlf",
	"core.fileMode=false",
	"core.ignoreCase=true",
	"core.precomposeUnicode=true",
	"core.bigFileThreshold=1",
	"feature.manyFiles=true",
	"core.untrackedCache=true",
	"core.splitIndex=true",
	"core.sparseCheckout=true",
	"core.sharedRepository=group",
	"submodule.recurse=true",
];

/** What changes how Git prints, and must change nothing here. */
const PRINTING = [
	"diff.orderFile=/nowhere",
	"diff.relative=true",
	"diff.submodule=log",
	"diff.suppressBlankEmpty=true",
	"diff.ignoreSubmodules=all",
	"diff.algorithm=histogram",
	"diff.autoRefreshIndex=false",
	"status.showUntrackedFiles=no",
	"status.branch=true",
	"status.short=true",
	"status.relativePaths=true",
	"status.renames=copies",
	"color.ui=always",
	"column.ui=always",
	"core.quotePath=false",
	"core.abbrev=4",
	"core.pager=false",
	"core.whitespace=cr-at-eol",
	"log.showSignature=true",
];

describe("a setting", () => {
	it.each(CONTENT)("%s gives the tree that plain Git writes with it (A11)", async (setting) => {
		const repo = edited();
		const [key = "", value = ""] = setting.split("=");
		repo.git("config", key, value);
		await expectLikeGit(repo);
	});

	it("of how Git prints changes no fact of a candidate, one at a time or all at once (B4)", async () => {
		const repo = edited();
		const facts = async (cwd?: string) => {
			const { snapshot, manifest } = await look(repo, undefined, cwd);
			return { snapshot, manifest };
		};
		const plain = await facts();
		for (const setting of PRINTING) {
			const [key = "", value = ""] = setting.split("=");
			repo.git("config", key, value);
			expect(await facts(repo.path("dir")), setting).toEqual(plain);
		}
	});
});
