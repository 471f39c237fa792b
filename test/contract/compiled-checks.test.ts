// The checks that the build compiles: one verdict with the interpreted ones, and the only ones that a clean run needs.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { Check } from "typebox/value";
import { describe, expect, it } from "vitest";
import { compiledModule, SHAPES } from "../../packages/gentle-ai/compile-checks.ts";
import { CHECKED, type ShapeName } from "../../packages/gentle-ai/src/contract/checked.ts";
import { answerTo } from "../kit/answers.ts";
import { captureResult, firstInput, startWords, status, statusWords } from "../kit/drive.ts";
import { PROGRAM } from "../kit/program.ts";
import { TestRepo, temporaryFolder } from "../kit/repo.ts";
import { VALID } from "./valid-shapes.ts";

const modules = temporaryFolder();

async function compiled(name: ShapeName): Promise<(value: unknown) => boolean> {
	const file = join(modules, `${name}.mjs`);
	writeFileSync(file, compiledModule(name));
	const { Check: check } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
		Check: (value: unknown) => boolean;
	};
	return check;
}

type Path = readonly (string | number)[];

/** Every place inside a document, its root included. */
function places(value: unknown, at: Path = []): Path[] {
	if (typeof value !== "object" || value === null) return [at];
	return [at, ...Object.entries(value).flatMap(([key, each]) => places(each, [...at, key]))];
}

const REPLACEMENTS: readonly unknown[] = [
	undefined,
	null,
	true,
	0,
	1,
	-1,
	4,
	1.5,
	1e10,
	"",
	"x",
	"\u{1f600}",
	"e\u0301",
	"staged",
	"approved",
	`sha256:${"a".repeat(64)}`,
	`sha256:${"a".repeat(64)}\n`,
	"a".repeat(300),
	[],
	[""],
	["R1", "R1"],
	["review-risk", "review-risk"],
	{},
	{ x: 1 },
];

const EXTRA = ["x", "constructor", "toString", "__proto__", ""] as const;

type Mutation = (document: unknown) => unknown;

function replaced(path: Path, value: unknown): Mutation {
	return (document) => {
		const [first, ...rest] = path;
		if (first === undefined) return value;
		if (typeof document !== "object" || document === null) return document;
		const copy = Array.isArray(document) ? [...document] : { ...document };
		const inner = replaced(rest, value)(Reflect.get(copy, first));
		if (inner === undefined) Reflect.deleteProperty(copy, first);
		else Reflect.set(copy, first, inner);
		return copy;
	};
}

function extended(path: Path, key: string): Mutation {
	return (document) => {
		const there = path.reduce<unknown>(
			(value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
			document,
		);
		if (typeof there !== "object" || there === null) return document;
		if (Array.isArray(there)) return replaced(path, [...there, ...there])(document);
		const copy = { ...there };
		Object.defineProperty(copy, key, { value: 1, enumerable: true, configurable: true, writable: true });
		return replaced(path, copy)(document);
	};
}

function mutations(document: unknown): Mutation[] {
	return places(document).flatMap((path) => [
		...REPLACEMENTS.map((value) => replaced(path, value)),
		...EXTRA.map((key) => extended(path, key)),
	]);
}

describe.each(SHAPES)("the compiled check of %s", (name) => {
	const verdict = (value: unknown) => Check(CHECKED[name], value);

	it("accepts what the schema accepts", async () => {
		const check = await compiled(name);
		for (const valid of VALID[name]) expect([verdict(valid), check(valid)]).toEqual([true, true]);
	});

	it("gives the verdict of the schema after every single mutation, and refuses some", async () => {
		const check = await compiled(name);
		const all = VALID[name].flatMap((valid) => mutations(valid).map((mutate) => mutate(valid)));
		for (const value of all) expect(check(value), JSON.stringify(value)).toBe(verdict(value));
		expect(all.some((value) => !verdict(value))).toBe(true);
	});

	it("gives the verdict of the schema after two mutations", async () => {
		const check = await compiled(name);
		const documents = VALID[name].flatMap((valid) => mutations(valid).map((mutate) => mutate(valid)));
		fc.assert(
			fc.property(fc.constantFrom(...documents), fc.nat(), (once, pick) => {
				const again = mutations(once);
				const twice = again[pick % again.length]?.(once);
				expect(check(twice), JSON.stringify(twice)).toBe(verdict(twice));
			}),
		);
	});
});

const body = resolve(PROGRAM.at(-1) ?? "", "..", "body.cjs");

/** Says on stderr when a schema is built: TypeBox marks each with a hidden `~kind`. */
const WATCH = `
const define = Object.defineProperty;
Object.defineProperty = (target, key, how) => {
	if (key === "~kind") process.stderr.write("a schema was built\\n");
	return define(target, key, how);
};`;
const watched = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WATCH)}` };

describe.runIf(existsSync(body))("the bundled program", () => {
	it("holds no schema library in its body", () => {
		expect(readFileSync(body, "utf8")).not.toContain("~kind");
	});

	it("builds no schema in STATUS, START, a capture and a gate; explaining a broken answer builds them", async () => {
		const repo = new TestRepo();
		repo.write("auth/login.ts", "export const n = 2;\n");
		const { target_identity } = await status(repo);
		const quiet = [
			statusWords(),
			startWords(target_identity),
			statusWords(),
			["review", "validate", "--gate", "pre-commit"],
		];
		for (const words of quiet)
			expect((await repo.run(words, { env: watched })).stderr).not.toContain("a schema was built");
		const slot = firstInput(await status(repo));
		const broken = await captureResult(repo, slot, '{"findings":[],"evidence":[],"extra":1}', { env: watched });
		expect(broken.stderr).toContain("a schema was built");
		expect(broken.stderr).toContain("unknown_field_or_type");
		expect((await captureResult(repo, slot, answerTo(slot), { env: watched })).stderr).toBe("");
	});
});
