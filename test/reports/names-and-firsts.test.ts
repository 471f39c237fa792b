// Field reports FR-28 and FR-38: names that Git quotes, and reviews before the first commit.
import { describe, expect, it } from "vitest";
import { approve, expectSuccess, gate, startPrinted, status, V2 } from "../kit/drive.ts";
import { execute } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";

describe.concurrent("names that Git likes to quote (FR-28)", () => {
	const NAMES = ["guía señal.md", "tab\tname", 'quote".txt'];
	const MOVED = NAMES.map((name) => `moved ${name}`);

	it("have one path digest in START, STATUS and the gate, however Git is told to quote", async () => {
		const repo = new TestRepo({ files: Object.fromEntries(NAMES.map((name) => [name, `${name}\n`])) });
		for (const [at, name] of NAMES.entries()) repo.git("mv", name, MOVED[at] ?? "");
		const told = [];
		for (const quote of ["true", "false"]) {
			repo.git("config", "core.quotepath", quote);
			told.push(await status(repo), await status(repo, ["--projection", "staged"]));
		}
		expect(new Set(told.map(({ projection }) => projection.paths_digest)).size).toBe(1);
		const listed = repo.git("diff", "--cached", "--no-renames", "--name-only", "-z").split("\0").slice(0, -1);
		for (const { projection } of told) expect(projection.paths).toEqual(listed);
		const { changed_path_manifest } = await startPrinted(repo);
		expect(changed_path_manifest?.map(({ path }) => path) ?? []).toEqual(listed);
		await approve(repo);
		for (const quote of ["false", "true"]) {
			repo.git("config", "core.quotepath", quote);
			expectSuccess(await gate(repo));
		}
	});
});

describe.concurrent("before the first commit (FR-38)", () => {
	const HOOK = `#!/bin/sh\nexec gentle-ai review validate --contract ${V2} --gate pre-commit\n`;
	const SHAPES = (["sha1", "sha256"] as const).flatMap((format) => [
		[format, "staged", ["--projection", "staged"]] as const,
		[format, "untracked", []] as const,
	]);

	it.each(SHAPES)(
		"a whole review of a %s repository, its files all %s, lets exactly that commit through",
		async (format, _, flags) => {
			const repo = new TestRepo({ format, files: {} });
			repo.write(".git/hooks/pre-commit", HOOK, 0o755);
			repo.write("app.ts", "export const n = 1;\n");
			repo.write("deep/guide.md", "# guide\n");
			repo.stage();
			const whole = repo.git("write-tree");
			if (flags.length === 0) repo.git("rm", "-r", "--quiet", "--cached", ".");
			const commit = () =>
				execute(["git", "commit", "--quiet", "--message", "first"], { cwd: repo.root, env: repo.env });
			if (flags.length > 0) expect((await commit()).code).not.toBe(0);
			await approve(repo, flags);
			expect(repo.git("for-each-ref")).toBe("");
			repo.stage();
			expect(await commit()).toMatchObject({ code: 0 });
			expect(repo.git("rev-parse", "HEAD^{tree}")).toBe(whole);
		},
	);
});
