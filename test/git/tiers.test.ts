// Nothing that a change does to its names, modes, formatting or configuration makes it look smaller (B5, B6, B8).
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { committed, judge, overlay, STAGED } from "../kit/look.ts";
import { TestRepo } from "../kit/repo.ts";

const FILES = { "app.ts": "export const n = 1;\n", "guide.md": "# guide\n", "run.sh": "#!/bin/sh\necho hi\n" };

describe.each(["sha1", "sha256"] as const)("in a %s repository", (format) => {
	const fresh = (files: Readonly<Record<string, string>> = FILES) => new TestRepo({ format, files });

	it.each([
		["a risky file renamed to a document", (repo: TestRepo) => void repo.git("mv", "run.sh", "guide2.md")],
		[
			"a risky file renamed into docs/",
			(repo: TestRepo) => {
				mkdirSync(repo.path("docs"));
				repo.git("mv", "run.sh", "docs/run.sh");
			},
		],
		["a document that may be executed", (repo: TestRepo) => repo.write("x.md", "text\n", 0o755)],
		["a document that is a link", (repo: TestRepo) => symlinkSync("/etc/passwd", repo.path("x.md"))],
		["a document whose mode alone changes", (repo: TestRepo) => chmodSync(repo.path("guide.md"), 0o755)],
		["a document with a NUL", (repo: TestRepo) => repo.write("x.md", "te\0xt\n")],
		["a document that starts a script", (repo: TestRepo) => repo.write("x.md", "#!/bin/sh\n")],
		["a document that is no UTF-8", (repo: TestRepo) => repo.write("x.md", Buffer.from([0x61, 0xff, 0x0a]))],
		["instructions for agents", (repo: TestRepo) => repo.write("docs/AGENTS.md", "text\n")],
	])("%s is never low (B5)", async (_, alter) => {
		const repo = fresh();
		alter(repo);
		expect((await judge(repo)).tier).not.toBe("low");
	});

	it("a document that is a gitlink is never low (B5)", async () => {
		const repo = fresh();
		repo.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(format === "sha1" ? 40 : 64)},x.md`);
		expect((await judge(repo, STAGED)).tier).not.toBe("low");
	});

	it("a plain document is low, so that the rows above mean something (B5)", async () => {
		const repo = fresh();
		repo.write("guide.md", "# guide\n\nMore.\n");
		expect(await judge(repo)).toMatchObject({ tier: "low", lines: 2, budget: 1 });
	});

	it("one line of 40 kB is one line of a source file, and stays medium (B6)", async () => {
		const repo = fresh();
		repo.write("app.ts", `${"x();".repeat(10_000)}\n`);
		expect(await judge(repo)).toMatchObject({ tier: "medium", lines: 2 });
	});

	it.each([
		["carriage returns alone", (text: string) => text.replaceAll("\n", "\r\n")],
		["white space alone", (text: string) => text.replaceAll("\n", " \n")],
		["blank lines alone", (text: string) => text.replaceAll("\n", "\n\n")],
	])("401 lines that differ in %s count as lines (B6)", async (_, alter) => {
		const text = "line();\n".repeat(401);
		const repo = fresh({ "app.ts": text });
		repo.write("app.ts", alter(text));
		const { tier, lines } = await judge(repo);
		expect(lines).toBeGreaterThan(400);
		expect(tier).toBe("high");
	});

	it.each([
		["testdata/golden/x.txt", 0],
		["deep/testdata/golden/a/x.txt", 0],
		["testdata/goldens/x.ts", 500],
		["testdata/Golden/x.ts", 500],
		["testdata-golden/x.ts", 500],
		["mytestdata/golden/x.ts", 500],
		["golden/testdata/x.ts", 500],
	])("%s counts %i of its 500 lines (B6)", async (path, counted) => {
		const repo = fresh();
		repo.write(path, "x\n".repeat(500));
		expect((await judge(repo)).lines).toBe(counted);
	});

	it("exactly 400 lines are not large and 401 are (B6)", async () => {
		for (const [count, tier] of [
			[400, "medium"],
			[401, "high"],
		] as const) {
			const repo = fresh();
			repo.write("new.ts", "x();\n".repeat(count));
			expect(await judge(repo)).toMatchObject({ lines: count, tier });
		}
	});

	it("rules that the candidate brings along lower nothing (B8)", async () => {
		const rules = JSON.stringify({ risk: "low", lenses: [], tier: "low", reviewers: [], ignore: ["**"], mode: "off" });
		const names = [".gentle-ai.json", ".gentle-ai/config.json", "gentle-ai.json", ".gentle-ai.yml", ".gentle-ai"];
		for (const name of names) {
			const repo = fresh();
			repo.write("src/auth/login.ts", "export const l = 1;\n");
			const before = await judge(repo);
			expect(before.tier).toBe("high");
			repo.write(name, rules);
			repo.write(".gitattributes", "* -diff linguist-generated\n");
			const after = await judge(repo);
			expect(after.tier).toBe("high");
			expect(after.lines).toBeGreaterThan(before.lines);
		}
	});

	it("a tier and a count depend on the trees alone, not on the selector (B.1)", async () => {
		const repo = fresh();
		repo.git("branch", "start");
		repo.write("app.ts", "export const n = 2;\nexport const m = 3;\n");
		const facts = ({ tier, lines, budget, changes }: Awaited<ReturnType<typeof judge>>) => [
			tier,
			lines,
			budget,
			changes,
		];
		const seen = [facts(await judge(repo)), facts(await judge(repo, overlay("start")))];
		repo.commit("second");
		seen.push(facts(await judge(repo, committed("start"))));
		expect(seen[1]).toEqual(seen[0]);
		expect(seen[2]).toEqual(seen[0]);
	});
});
