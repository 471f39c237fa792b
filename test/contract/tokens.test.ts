// Argument words: a shell gives back exactly the words that were printed for it.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	plainArgument,
	reviewCommand,
	shellCommand,
	shellWord,
	tokenArgument,
} from "../../packages/gentle-ai/src/contract/tokens.ts";

/** The words that a POSIX shell hands to a program for this line. */
function split(line: string): string[] {
	const run = spawnSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } });
	if (run.status !== 0) throw new Error(`sh exits ${run.status}: ${run.stderr}`);
	return run.stdout.split("\0").slice(0, -1);
}

describe("shell words", () => {
	it("are bare when they hold only the letters that the contract names", () => {
		const bare = "ABCXYZabcxyz0189-_=./:,+@";
		expect(shellWord(bare)).toBe(bare);
	});

	it.each([
		["", "''"],
		["a b", "'a b'"],
		["it's", "'it'\\''s'"],
		["'", "''\\'''"],
		["$(id)", "'$(id)'"],
		["`id`", "'`id`'"],
		["~", "'~'"],
		["a*", "'a*'"],
		["é", "'é'"],
		["a\nb", "'a\nb'"],
		["%", "'%'"],
	])("quote everything else: %j", (word, quoted) => {
		expect(shellWord(word)).toBe(quoted);
	});

	it("come back from a shell as they were, whatever they hold but NUL", () => {
		const hostile = fc.constantFrom(
			"'",
			'"',
			"\\",
			"$",
			"`",
			"!",
			"\n",
			"*",
			"~",
			"#",
			";",
			"&",
			"|",
			" ",
			"=",
			"-",
			"\t",
			"{a,b}",
			"$HOME",
		);
		const word = fc.oneof(
			fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "")),
			fc.array(hostile, { maxLength: 8 }).map((parts) => parts.join("")),
		);
		fc.assert(
			fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
				expect(split(shellCommand(words))).toEqual(words);
			}),
			{ numRuns: 150 },
		);
	});
});

describe("arguments of a transition", () => {
	it("are one word each, with dashes for underscores, also for booleans", () => {
		expect(tokenArgument("captured_results", "true")).toEqual({
			name: "captured_results",
			value: "true",
			token: "--captured-results=true",
		});
		expect(tokenArgument("base-ref", "a b").token).toBe("--base-ref=a b");
	});

	it("have no token where they belong to somebody else's command", () => {
		expect(plainArgument("target_identity", "sha256:00")).toEqual({ name: "target_identity", value: "sha256:00" });
	});

	it("make a command line that a shell splits into program, verb and tokens", () => {
		const args = [tokenArgument("lineage", "review-1"), tokenArgument("reason", "it's $HOME & more")];
		const line = reviewCommand("finalize", args);
		expect(line).toBe("gentle-ai review finalize --lineage=review-1 '--reason=it'\\''s $HOME & more'");
		expect(split(line)).toEqual([
			"gentle-ai",
			"review",
			"finalize",
			"--lineage=review-1",
			"--reason=it's $HOME & more",
		]);
	});
});
