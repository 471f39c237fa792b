// Benchmarks: each operation against a reference in the same run. Prints medians, paired minima and ratios; asserts
// nothing. The references are `node -e 0` and a fixed list of bare Git commands that computes the same trees.
//   script/bench [--files 100,10000] [--rounds 9]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
	options: { files: { type: "string", default: "100,10000" }, rounds: { type: "string", default: "9" } },
});
const rounds = Number(values.rounds);
const program = resolve(import.meta.dirname, "../packages/gentle-ai/dist/gentle-ai.cjs");
const CHANGED = 13;

type Place = { readonly root: string; readonly env: NodeJS.ProcessEnv };

function run(place: Place, command: string, args: readonly string[]): { ms: number; stdout: string } {
	const start = performance.now();
	const result = spawnSync(command, args, { cwd: place.root, env: place.env, encoding: "utf8", maxBuffer: 1 << 28 });
	const ms = performance.now() - start;
	if (result.status !== 0) throw new Error(`${command} ${args[0]} ended with ${result.status}: ${result.stderr}`);
	return { ms, stdout: result.stdout };
}

function git(place: Place, ...args: string[]): string {
	return run(place, "git", args).stdout.trim();
}

function makeRepository(files: number): Place {
	const folder = mkdtempSync(join(tmpdir(), "gentle-ai-bench-"));
	const root = join(folder, "repository");
	const home = join(folder, "home");
	for (const path of [root, home]) mkdirSync(path);
	const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
	const place = { root, env };
	git(place, "init", "--quiet", "--initial-branch=main");
	git(place, "config", "user.name", "bench");
	git(place, "config", "user.email", "bench@gentle-ai.invalid");
	for (let index = 0; index < files; index += 1) {
		const directory = join(root, `d${Math.floor(index / 100)}`);
		if (index % 100 === 0) mkdirSync(directory);
		writeFileSync(join(directory, `f${index}.ts`), `export const value${index} = ${index};\n`);
	}
	git(place, "add", "--all");
	git(place, "commit", "--quiet", "--message=base");
	const step = Math.max(1, Math.floor(files / CHANGED));
	for (let index = 0; index < CHANGED; index += 1) change(place, index * step);
	return place;
}

function change(place: Place, index: number): void {
	const path = join(place.root, `d${Math.floor(index / 100)}`, `f${index}.ts`);
	writeFileSync(path, `${readFileSync(path, "utf8")}export const more${index} = ${Math.random()};\n`);
}

/** The bare commands that compute base tree, candidate tree and the differences, with a copied index. */
function referenceTrees(place: Place): number {
	const start = performance.now();
	const script =
		"set -e; t=$(mktemp -d); cp .git/index $t/index; export GIT_INDEX_FILE=$t/index; " +
		"git rev-parse HEAD^{tree} >/dev/null; git status --porcelain=v2 -z >/dev/null; git add -A; c=$(git write-tree); " +
		"git diff-tree -r -p -U0 --raw HEAD^{tree} $c >/dev/null; rm -rf $t";
	run(place, "sh", ["-c", script]);
	return performance.now() - start;
}

function emptyNode(place: Place): number {
	return run(place, process.execPath, ["-e", "0"]).ms;
}

function gentle(place: Place, ...args: string[]): { ms: number; stdout: string } {
	return run(place, process.execPath, [program, "review", ...args]);
}

const CONTRACT = ["--contract", "gentle-ai.review-integration/v2"];

type Measure = {
	readonly name: string;
	readonly reference: "node" | "git + node";
	readonly goal: number;
	readonly once: () => number;
};

function median(numbers: readonly number[]): number {
	return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

function measures(place: Place): Measure[] {
	const fresh = () => {
		change(place, 0);
		return gentle(place, "status", ...CONTRACT, "--next-transition").stdout;
	};
	const startOnce = () => {
		const status: { next_transition: { execute: { arguments: { token: string }[] } } } = JSON.parse(fresh());
		return gentle(place, "start", ...status.next_transition.execute.arguments.map(({ token }) => token)).ms;
	};
	return [
		{ name: "capabilities", reference: "node", goal: 1.6, once: () => gentle(place, "capabilities").ms },
		{
			name: "status",
			reference: "git + node",
			goal: 1.3,
			once: () => gentle(place, "status", ...CONTRACT, "--next-transition").ms,
		},
		{ name: "start", reference: "git + node", goal: 1.5, once: startOnce },
	];
}

function report(place: Place, files: number): void {
	console.log(`\n${files} tracked files, ${CHANGED} changed, ${rounds} rounds`);
	console.log("operation      median ms   reference ms   ratio of medians   ratio of paired minima   goal");
	for (const measure of measures(place)) {
		const own: number[] = [];
		const reference: number[] = [];
		for (let round = 0; round < rounds; round += 1) {
			const node = emptyNode(place);
			reference.push(measure.reference === "node" ? node : node + referenceTrees(place));
			own.push(measure.once());
		}
		const ratio = median(own) / median(reference);
		const paired = Math.min(...own) / Math.min(...reference);
		const cells = [
			median(own).toFixed(0).padStart(9),
			median(reference).toFixed(0).padStart(14),
			ratio.toFixed(2).padStart(18),
		];
		console.log(
			`${measure.name.padEnd(13)}${cells.join(" ")} ${paired.toFixed(2).padStart(24)} ${String(measure.goal).padStart(6)}`,
		);
	}
}

for (const files of values.files.split(",").map(Number)) {
	const place = makeRepository(files);
	try {
		report(place, files);
	} finally {
		rmSync(resolve(place.root, ".."), { recursive: true, force: true });
	}
}
