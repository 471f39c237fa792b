// Benchmarks: each operation against a reference in the same run. Prints medians, paired minima and ratios; asserts
// nothing. The references are `node -e 0` and a fixed list of bare Git commands that computes the same trees.
//   script/bench [--files 100,10000,100000] [--rounds 11] [--lineages 0,1000,10000]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";

const { values } = parseArgs({
	options: {
		files: { type: "string", default: "100,10000" },
		rounds: { type: "string", default: "11" },
		lineages: { type: "string", default: "" },
	},
});
const rounds = Number(values.rounds);
const program = resolve(import.meta.dirname, "../packages/gentle-ai/dist/gentle-ai.cjs");
const CHANGED = 13;
const CONTRACT = ["--contract", "gentle-ai.review-integration/v2"];

type Place = { readonly root: string; readonly env: NodeJS.ProcessEnv };
type Argument = { readonly name: string; readonly value: string; readonly token: string };
type Input = {
	readonly arguments: readonly Argument[];
	readonly artifact_subject?: { readonly subject_hash: string };
	readonly changed_path_manifest?: readonly { readonly path: string }[];
};
type Transition = {
	readonly execute?: { readonly arguments: readonly Argument[] };
	readonly collect?: { readonly inputs: readonly Input[] };
};

function run(place: Place, command: string, args: readonly string[], input = ""): { ms: number; stdout: string } {
	const start = performance.now();
	const result = spawnSync(command, args, {
		cwd: place.root,
		env: place.env,
		encoding: "utf8",
		maxBuffer: 1 << 28,
		input,
	});
	const ms = performance.now() - start;
	if (result.status !== 0) throw new Error(`${command} ${args[0]} ended with ${result.status}: ${result.stderr}`);
	return { ms, stdout: result.stdout };
}

function git(place: Place, ...args: string[]): string {
	return run(place, "git", args).stdout.trim();
}

function fileOf(place: Place, index: number): string {
	return join(place.root, `d${Math.floor(index / 100)}`, `f${index}.ts`);
}

function makeRepository(files: number): Place {
	const folder = mkdtempSync(join(tmpdir(), "gentle-ai-bench-"));
	const place = {
		root: join(folder, "repository"),
		env: { PATH: process.env.PATH, HOME: join(folder, "home"), GIT_CONFIG_NOSYSTEM: "1" },
	};
	for (const path of [place.root, place.env.HOME]) mkdirSync(path);
	git(place, "init", "--quiet", "--initial-branch=main");
	git(place, "config", "user.name", "bench");
	git(place, "config", "user.email", "bench@gentle-ai.invalid");
	for (let index = 0; index < files; index += 1) {
		if (index % 100 === 0) mkdirSync(join(place.root, `d${index / 100}`));
		writeFileSync(fileOf(place, index), `export const value${index} = ${index};\n`);
	}
	git(place, "add", "--all");
	git(place, "commit", "--quiet", "--message=base");
	const step = Math.max(1, Math.floor(files / CHANGED));
	for (let index = 0; index < CHANGED; index += 1) change(place, index * step);
	return place;
}

let changes = 0;

function change(place: Place, index: number): void {
	changes += 1;
	const path = fileOf(place, index);
	writeFileSync(path, `${readFileSync(path, "utf8")}export const more${changes} = ${changes};\n`);
}

/** The bare commands that compute base tree, candidate tree and the differences, on a copied index. */
function referenceTrees(place: Place): number {
	const script =
		"set -e; t=$(mktemp -d); cp -p .git/index $t/index; export GIT_INDEX_FILE=$t/index; " +
		"git rev-parse HEAD^{tree} >/dev/null; git status --porcelain=v2 -z >/dev/null; git add -A; c=$(git write-tree); " +
		"git diff-tree -r -p -U0 --raw HEAD^{tree} $c >/dev/null; rm -rf $t";
	return run(place, "sh", ["-c", script]).ms;
}

function emptyNode(place: Place): number {
	return run(place, process.execPath, ["-e", "0"]).ms;
}

function gentle(place: Place, ...args: string[]): { ms: number; stdout: string } {
	return run(place, process.execPath, [program, "review", ...args]);
}

function next(place: Place): Transition {
	const { stdout } = gentle(place, "status", ...CONTRACT, "--next-transition");
	return (JSON.parse(stdout) as { next_transition: Transition }).next_transition;
}

const tokens = (args: readonly Argument[] = []) => args.map(({ token }) => token);

/** A whole review of a fresh candidate, one measured step at a time. */
function lifecycle(place: Place): Record<string, number> {
	change(place, 0);
	const ms: Record<string, number> = {};
	ms.start = gentle(place, "start", ...tokens(next(place).execute?.arguments)).ms;
	const slot = next(place).collect?.inputs[0];
	const answer = JSON.stringify({
		subject_hash: slot?.artifact_subject?.subject_hash,
		inspection: { status: "completed", paths: slot?.changed_path_manifest?.map(({ path }) => path) },
		findings: [],
		evidence: ["read every changed file on both sides"],
	});
	const capture = ["review", "capture-result", ...tokens(slot?.arguments), "--input", "-"];
	ms.capture = run(place, process.execPath, [program, ...capture], answer).ms;
	ms.finalize = gentle(place, "finalize", ...tokens(next(place).execute?.arguments)).ms;
	const evidence = tokens(next(place).collect?.inputs[0]?.arguments);
	const record = ["review", "capture-evidence", ...evidence, "--outcome", "passed", "--input", "-"];
	run(place, process.execPath, [program, ...record], "passed\n");
	gentle(place, "finalize", ...tokens(next(place).execute?.arguments));
	git(place, "add", "--all");
	ms.gate = gentle(place, "validate", "--gate", "pre-commit").ms;
	git(place, "reset", "--quiet");
	return ms;
}

type Row = { readonly name: string; readonly reference: "node" | "git + node"; readonly goal: string };

const ROWS: readonly Row[] = [
	{ name: "capabilities", reference: "node", goal: "1.6" },
	{ name: "status", reference: "git + node", goal: "1.3" },
	{ name: "start", reference: "git + node", goal: "1.5" },
	{ name: "capture", reference: "node", goal: "-" },
	{ name: "finalize", reference: "node", goal: "-" },
	{ name: "gate", reference: "node", goal: "2.5" },
];

function median(numbers: readonly number[]): number {
	return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0;
}

type Samples = Map<string, { readonly own: number[]; readonly reference: number[] }>;

function measure(place: Place, samples: Samples): void {
	const node = emptyNode(place);
	const trees = referenceTrees(place);
	const own: Record<string, number> = {
		capabilities: gentle(place, "capabilities").ms,
		status: gentle(place, "status", ...CONTRACT, "--next-transition").ms,
		...lifecycle(place),
	};
	for (const { name, reference } of ROWS) {
		samples.get(name)?.own.push(own[name] ?? 0);
		samples.get(name)?.reference.push(reference === "node" ? node : node + trees);
	}
}

/** Measures the places in turn, so that what disturbs one disturbs all. */
function sample(places: readonly Place[]): Samples[] {
	const all = places.map((): Samples => new Map(ROWS.map(({ name }) => [name, { own: [], reference: [] }])));
	for (const place of places) lifecycle(place);
	for (let round = 0; round < rounds; round += 1) {
		for (const [index, samples] of all.entries()) measure(places[index] as Place, samples);
	}
	return all;
}

function report(title: string, samples: Samples): void {
	console.log(`\n${title}, ${CHANGED} changed, ${rounds} rounds`);
	console.log("operation      median ms   reference ms   ratio of medians   ratio of minima   goal");
	for (const { name, goal } of ROWS) {
		const { own, reference } = samples.get(name) ?? { own: [], reference: [] };
		const cells = [
			median(own).toFixed(0).padStart(9),
			median(reference).toFixed(0).padStart(14),
			(median(own) / median(reference)).toFixed(2).padStart(18),
			(Math.min(...own) / Math.min(...reference)).toFixed(2).padStart(17),
			goal.padStart(6),
		];
		console.log(`${name.padEnd(13)} ${cells.join(" ")}`);
	}
}

/** Copies of one finished review under other ids and trees: what a long history looks like to an index. */
function seedLineages(place: Place, count: number): void {
	const database = new DatabaseSync(join(place.root, ".git", "gentle-ai", "authority.sqlite3"));
	database.exec(`
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
		INSERT INTO lineages (lineage_id, revision, state_json, state, lifecycle, base_tree, candidate_tree, frozen_json,
			pack_name, receipt_bytes, created_at, updated_at)
		SELECT 'old-' || i, revision, state_json, state, lifecycle, lower(hex(randomblob(20))), lower(hex(randomblob(20))),
			frozen_json, NULL, receipt_bytes, created_at, updated_at
		FROM n, (SELECT * FROM lineages WHERE state = 'approved' LIMIT 1)`);
	database.close();
}

/** How much each operation takes beside the first place, by the smallest times. */
function reportGrowth(counts: readonly number[], all: readonly Samples[]): void {
	const smallest = (samples: Samples | undefined, name: string) => Math.min(...(samples?.get(name)?.own ?? []));
	console.log(`\ngrowth beside ${counts[0]} finished reviews, smallest times`);
	for (const { name } of ROWS) {
		const cells = counts.map((count, index) => {
			const change = smallest(all[index], name) / smallest(all[0], name) - 1;
			return `${count}: ${(change * 100).toFixed(1).padStart(5)} %`;
		});
		console.log(`${name.padEnd(13)} ${cells.slice(1).join("   ")}`);
	}
}

function inRepositories(files: readonly number[], work: (places: readonly Place[]) => void): void {
	const places: Place[] = [];
	try {
		for (const count of files) places.push(makeRepository(count));
		work(places);
	} finally {
		for (const { root } of places) rmSync(resolve(root, ".."), { recursive: true, force: true });
	}
}

const numbers = (list: string) => list.split(",").filter(Boolean).map(Number);

for (const files of numbers(values.files)) {
	inRepositories([files], (places) => {
		for (const samples of sample(places)) report(`${files} tracked files`, samples);
	});
}
const counts = numbers(values.lineages);
if (counts.length > 0) {
	inRepositories(
		counts.map(() => 1_000),
		(places) => {
			for (const [index, place] of places.entries()) {
				lifecycle(place);
				if ((counts[index] ?? 0) > 0) seedLineages(place, counts[index] ?? 0);
			}
			const all = sample(places);
			for (const [index, samples] of all.entries())
				report(`1000 tracked files, ${counts[index]} finished reviews`, samples);
			reportGrowth(counts, all);
		},
	);
}
