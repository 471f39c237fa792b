// The candidate as one patch: byte for byte what plain Git prints in a repository without any setting, whatever the
// reviewed one says; and refused with its own code above the limit of the contract.
import { createHash } from "node:crypto";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blocker } from "../kit/answers.ts";
import type { Failure, PatchDiff, Start } from "../kit/documents.ts";
import {
	captureAll,
	expectSuccess,
	failureOf,
	finalize,
	startPrinted,
	startWords,
	status,
	V1,
	V2,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

const UNDER_V1 = ["--contract", V1];
const LIMIT = 4_194_304;

/** The published command, in an empty repository that only borrows the objects. */
function plainDiff(repo: TestRepo, base: string, candidate: string): Buffer {
	const bare = join(repo.folder, "plain.git");
	repo.git("init", "--quiet", "--bare", `--object-format=${repo.git("rev-parse", "--show-object-format")}`, bare);
	writeFileSync(join(bare, "objects", "info", "alternates"), `${repo.path(".git", "objects")}\n`);
	const options =
		"--binary --full-index --no-color --no-renames --no-ext-diff --no-textconv --diff-algorithm=myers --no-indent-heuristic --unified=3 --ignore-submodules=none --src-prefix=a/ --dst-prefix=b/";
	const env = { GIT_CONFIG_GLOBAL: "/dev/null" };
	return repo.gitWith({ env }, "--git-dir", bare, "diff", ...options.split(" "), base, candidate, "--");
}

function bytesOf(diff: PatchDiff | undefined): Buffer {
	if (diff === undefined) throw new Error("a document without the patch");
	const bytes = Buffer.from(diff.data, "base64");
	expect(diff.encoding).toBe("base64");
	expect(diff.byte_size).toBe(bytes.length);
	expect(diff.sha256).toBe(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
	return bytes;
}

async function expectPlain(repo: TestRepo): Promise<void> {
	const started = await startPrinted(repo, UNDER_V1);
	const { projection } = await status(repo, UNDER_V1);
	const plain = plainDiff(repo, projection.base_tree, projection.current_candidate_tree);
	expect(plain.length).toBeGreaterThan(0);
	expect(bytesOf(started.candidate_diff).equals(plain)).toBe(true);
	const resumed = await status(repo, UNDER_V1);
	const [slot] = resumed.next_transition?.collect?.inputs ?? [];
	expect(bytesOf(slot?.candidate_diff).equals(plain)).toBe(true);
}

function edited(): TestRepo {
	const lines = Array.from({ length: 40 }, (_, n) => `line ${n}\n`);
	const repo = new TestRepo({
		files: { "far.ts": lines.join(""), "gone.ts": "x\n", "mode.sh": "x\n", "link.ts": "x\n", "moved.ts": "same\n" },
	});
	repo.write("far.ts", lines.map((line, n) => (n === 3 || n === 14 ? `changed ${n}\r\n` : line)).join(""));
	repo.remove("gone.ts");
	chmodSync(repo.path("mode.sh"), 0o755);
	repo.remove("link.ts");
	symlinkSync("far.ts", repo.path("link.ts"));
	repo.remove("moved.ts");
	repo.write("elsewhere.ts", "same\n");
	repo.write("image.png", Buffer.from([0, 1, 2, 3, 255, 254]));
	repo.write("no newline.ts", "end");
	repo.write('t\u00e4b\t"<&>.ts', "odd\n");
	return repo;
}

describe("the candidate's patch", () => {
	it("is the published command's own for every kind of change", async () => {
		await expectPlain(edited());
	});

	it("is the same in a repository of SHA-256 names", async () => {
		const repo = new TestRepo({ format: "sha256" });
		repo.write("app.ts", "export const n = 2;\n");
		await expectPlain(repo);
	});

	it("bends to no setting, attribute or driver of the repository or its user (B1, B2)", async () => {
		const repo = edited();
		const settings = [
			"diff.noprefix=true",
			"diff.mnemonicPrefix=true",
			"diff.interHunkContext=100",
			"diff.context=0",
			"diff.algorithm=histogram",
			"diff.indentHeuristic=true",
			"diff.renames=copies",
			"diff.external=false",
			"diff.odd.textconv=false",
			"diff.odd.xfuncname=^line",
			"color.ui=always",
			"core.quotePath=false",
			"core.abbrev=4",
			"core.whitespace=cr-at-eol",
		];
		for (const setting of settings) {
			const [key = "", value = ""] = setting.split("=");
			repo.git("config", key, value);
		}
		repo.write(".gitattributes", "*.ts diff=odd\n*.sh -diff\n*.png text diff\n");
		repo.write("../home/.gitconfig", "[diff]\n\torderFile = /nowhere\n\trelative = true\n");
		await expectPlain(repo);
	});
});

describe("above the limit of the contract", () => {
	/** One added line of such a length that the whole patch has this many bytes. */
	function sized(bytes: number): TestRepo {
		const repo = new TestRepo();
		repo.write("big.ts", "x\n");
		repo.stage();
		const overhead = plainDiff(repo, repo.git("rev-parse", "HEAD^{tree}"), repo.git("write-tree")).length - 1;
		repo.git("rm", "--quiet", "--cached", "big.ts");
		repo.write("big.ts", `${"x".repeat(bytes - overhead)}\n`);
		return repo;
	}

	it("exactly the limit is transported", async () => {
		const started = await startPrinted(sized(LIMIT), UNDER_V1);
		expect(started.candidate_diff?.byte_size).toBe(LIMIT);
	});

	it("one byte more is refused before anything is kept, and contract v2 reviews it", async () => {
		const repo = sized(LIMIT + 1);
		const { target_identity } = await status(repo);
		const words = startWords(target_identity).map((word) => (word === V2 ? V1 : word));
		const columns: Partial<Failure> = {
			code: "candidate_context_unavailable",
			phase: "pre_native",
			mutation_outcome: "not_started",
			authority_applicability: "not_evaluated",
			retry_safe: false,
			replayability: "manual_action_required",
			next_action: "stop",
			required_inputs: [],
		};
		expect(failureOf(await repo.run(words))).toMatchObject(columns);
		expect((await status(repo)).applicability).toBe("unrelated");
		const started = await repo.run(startWords(target_identity));
		expectSuccess(started);
		expect(started.json<Start>().action).toBe("created");
		const asked = await repo.run(["review", "status", ...UNDER_V1, "--next-transition"]);
		expect(failureOf(asked)).toMatchObject(columns);
	});

	it("a correction that fits is told about a frozen candidate that did not: START sends to STATUS", async () => {
		const repo = new TestRepo();
		repo.write("app.ts", "export const n = 2;\nexport const m = 1;\nexport const k = 1;\n");
		repo.write("big.ts", `${"x".repeat(LIMIT)}\n`);
		const { lineage_id } = await startPrinted(repo);
		await captureAll(repo, () => [blocker("app.ts:1")]);
		expectSuccess(await finalize(repo, lineage_id, "--captured-results"));
		expectSuccess(await finalize(repo, lineage_id, "--correction-lines", "2"));
		repo.write("big.ts", "small\n");
		const { target_identity } = await status(repo);
		const words = startWords(target_identity).map((word) => (word === V2 ? V1 : word));
		expect(failureOf(await repo.run(words))).toMatchObject({
			code: "candidate_context_unavailable",
			phase: "native_committed",
			mutation_outcome: "unknown",
			authority_applicability: "current_target",
			retry_safe: false,
			replayability: "status_required",
			next_action: "review.status",
			required_inputs: ["lineage_id"],
			lineage_id,
		});
	});
});
