// The gate of an approved review, compared with what plain git says about index and HEAD.
import { expect } from "vitest";
import type { Status } from "../kit/documents.ts";
import { executionOf } from "../kit/drive.ts";
import type { TestRepo } from "../kit/repo.ts";
import type { Program } from "./programs.ts";

type Approved = { readonly base: string; readonly tree: string; readonly ranged: boolean };

/** Must the gate allow what is staged now? */
function isApproved(repo: TestRepo, { base, tree, ranged }: Approved): boolean {
	if (repo.git("write-tree") !== tree) return false;
	const unborn = repo.git("for-each-ref", "--count=1") === "" && repo.git("rev-list", "--all", "--count") === "0";
	const history = unborn ? [] : repo.git("log", "--format=%T", "HEAD").split("\n");
	const head = history[0] ?? repo.git("hash-object", "-t", "tree", "/dev/null");
	return head === base || (ranged && history.includes(base));
}

async function expectVerdict(repo: TestRepo, program: Program, document: Status, approved: Approved): Promise<boolean> {
	const result = await program.printed(executionOf(document).command);
	const wanted = isApproved(repo, approved);
	expect(result.code === 0, `the gate over ${repo.git("write-tree")}: ${result.stdout}${result.stderr}`).toBe(wanted);
	if (wanted) expect(result.json()).toMatchObject({ result: "allow", allowed: true });
	return wanted;
}

/** As it is, with exactly the approved tree staged, and with one byte more. The index is left with the approved tree. */
export async function expectExactGate(
	repo: TestRepo,
	program: Program,
	document: Status,
	/** The review was started for a range, not for what differs from HEAD. */
	ranged: boolean,
): Promise<string> {
	const { base_tree, current_candidate_tree } = document.projection;
	const approved = { base: base_tree, tree: current_candidate_tree, ranged };
	const before = await expectVerdict(repo, program, document, approved);
	repo.git("read-tree", approved.tree);
	const staged = await expectVerdict(repo, program, document, approved);
	const blob = repo.gitWith({ input: "one more byte\n" }, "hash-object", "-w", "--stdin").toString().trim();
	repo.git("update-index", "--add", "--cacheinfo", `100644,${blob},one-more.txt`);
	expect(await expectVerdict(repo, program, document, approved)).toBe(false);
	// Nor by any other receipt. Reviews may be switched off: then nothing is approved, and nothing is held up.
	const any = (await program.run(["review", "validate", "--gate", "pre-commit"])).json<{ allowed: boolean }>();
	expect(any.allowed).toBe(false);
	repo.git("read-tree", approved.tree);
	return `gate ${before} ${staged}`;
}
