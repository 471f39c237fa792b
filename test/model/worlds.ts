// The repositories that walks start from, made once and copied, and what may happen to one between two steps.
import { chmodSync, existsSync, renameSync } from "node:fs";
import { TestRepo } from "../kit/repo.ts";
import { contest } from "./contested.ts";
import type { Dice } from "./dice.ts";

const lines = (...numbers: readonly number[]) => numbers.map((n, at) => `export const v${at} = ${n};\n`).join("");

/** A low, a medium and a high tier can be had by which of these an edit touches. */
export const PATHS = ["app.ts", "guide.md", "auth/session.ts", "a b/né.ts"] as const;
const FILES = {
	"app.ts": lines(1, 1, 1, 1),
	"guide.md": "# guide\n\nOne sentence.\n",
	"auth/session.ts": lines(1, 1),
	"a b/né.ts": lines(1, 1, 1),
};

function grown(): TestRepo {
	const repo = new TestRepo({ files: FILES });
	repo.write("app.ts", lines(2, 1, 1, 1));
	repo.commit("second");
	repo.git("branch", "side", "HEAD~1");
	repo.git("checkout", "--quiet", "side");
	repo.write("guide.md", "# guide\n\nAnother sentence.\n");
	repo.commit("aside");
	repo.git("checkout", "--quiet", "main");
	return repo;
}

type Make = () => TestRepo | Promise<TestRepo>;
const made = new Map<Make, TestRepo>();

async function copyOf(make: Make): Promise<TestRepo> {
	const template = made.get(make) ?? (await make());
	made.set(make, template);
	return new TestRepo({ like: template });
}

const single = () => new TestRepo({ files: FILES });
const unborn = () => new TestRepo({ files: {} });
const contested = () => contest(single(), "app.ts", "a b/né.ts");

/** One repository, the choices that are left, and how many edits were made. */
export class World {
	readonly repo: TestRepo;
	readonly dice: Dice;
	/** A review whose receipt somebody replaced. */
	spoiled = "";
	private edits = 0;

	constructor(repo: TestRepo, dice: Dice) {
		this.repo = repo;
		this.dice = dice;
	}

	/** A number that no edit of this repository had. */
	next(): number {
		this.edits += 1;
		return 10 + this.edits;
	}
}

/** Some edit of one path. Every edit writes bytes that no edit wrote before. */
export function edit(world: World, path: string = world.dice.pick(PATHS)): string {
	const { repo, dice } = world;
	const n = world.next();
	const file = repo.path(path);
	switch (dice.roll(7)) {
		case 1:
			repo.write(path, `${lines(n)}${existsSync(file) ? lines(n, n) : ""}`);
			return `rewrite ${path}`;
		case 2:
			repo.remove(path);
			return `remove ${path}`;
		case 3:
			repo.write(`new ${n % 3}.ts`, lines(n, n));
			return `write new ${n % 3}.ts`;
		case 4:
			if (existsSync(file)) chmodSync(file, 0o755);
			return `chmod ${path}`;
		case 5:
			if (existsSync(file)) renameSync(file, repo.path(`moved-${n}.ts`));
			return `rename ${path}`;
		case 6:
			repo.write("blob.bin", Buffer.from([0, n % 256, 255]));
			return "write blob.bin";
		default:
			repo.write(path, lines(n, n, n, n));
			return `write ${path}`;
	}
}

/** A change that is one, brought to where this selector looks. */
export function rewrite(world: World, selector: readonly string[], path: string = PATHS[0]): string {
	const n = world.next();
	world.repo.write(path, lines(n, n, n, n));
	bring(world, selector);
	return `rewrite ${path} as ${n}`;
}

/** The work tree, brought to where this selector looks. */
export function bring({ repo }: World, selector: readonly string[]): void {
	if (selector.includes("staged")) repo.stage();
	else if (selector.includes("--base-ref") && !selector.includes("--workspace-overlay")) repo.commit("brought");
}

/** Git as a person uses it: some of it may be refused, which is nothing that happened. */
function attempt(repo: TestRepo, ...words: string[]): string {
	try {
		repo.git(...words);
		return `git ${words.join(" ")}`;
	} catch {
		return `git refused ${words.join(" ")}`;
	}
}

/** What somebody else does to the repository. */
export function disturb(world: World): string {
	const { repo, dice } = world;
	switch (dice.roll(9)) {
		case 1:
			return attempt(repo, "add", "--all");
		case 2:
			return attempt(repo, "add", "--all", "--", dice.pick(PATHS));
		case 3:
			return attempt(repo, "reset", "--quiet");
		case 4:
			repo.git("add", "--all");
			return attempt(repo, "commit", "--quiet", "--no-verify", "--message", "all");
		case 5:
			return attempt(repo, "commit", "--quiet", "--no-verify", "--message", "staged");
		case 6:
			return attempt(repo, "checkout", "--quiet", dice.pick(["main", "side", "-"]));
		case 7:
			return attempt(repo, "checkout", "--quiet", "HEAD", "--", ".");
		case 8:
			return attempt(repo, "checkout", "--quiet", "-b", `branch-${dice.left}`);
		default:
			return edit(world);
	}
}

/** Where walks start: a repository, and perhaps edits and staging. */
const STARTS: readonly [Make, ...Make[]] = [grown, grown, grown, single, single, unborn, contested];

export async function worldFrom(dice: Dice): Promise<World> {
	const make = dice.pick(STARTS);
	const world = new World(await copyOf(make), dice);
	if (make === contested) return world;
	for (let edits = dice.roll(3); edits >= 0; edits -= 1) edit(world);
	if (dice.roll(3) === 1) world.repo.stage();
	return world;
}
