// Builds dist/: one launcher, one bundled body that is the authority, what explains a refused shape, the library, and the
// analysers' own process. The launcher carries the digest of the body and the body that of the explanation, so that the
// launcher's digest vouches for all three.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";
import { compiledChecks } from "./compile-checks.ts";

const root = import.meta.dirname;
const dist = join(root, "dist");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Facts of the source that this build was made from; empty where there is no Git to ask. */
function sourceFacts(): { revision: string; time: string; modified: string } {
	const git = (...args: string[]) => {
		const answer = spawnSync("git", args, { cwd: root, encoding: "utf8" });
		return answer.status === 0 ? answer.stdout.trim() : "";
	};
	const revision = git("rev-parse", "--verify", "--quiet", "HEAD");
	if (revision === "") return { revision: "", time: "", modified: "" };
	return {
		revision,
		time: git("log", "-1", "--format=%cI"),
		modified: git("status", "--porcelain", "--untracked-files=no") === "" ? "false" : "true",
	};
}

/** Makes a file of the program ASCII, which Node reads and keeps at half the cost, and answers its digest. */
function finished(name: string): string {
	const path = join(dist, name);
	const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
	const code = readFileSync(path, "utf8").replace(/[\u0080-\uffff]/g, escaped);
	writeFileSync(path, code);
	return createHash("sha256").update(code).digest("hex");
}

const facts = sourceFacts();
const shared = {
	cwd: root,
	outDir: dist,
	format: "esm" as const,
	platform: "node" as const,
	target: "node22.19",
	dts: false,
	clean: false,
	report: false,
	logLevel: "error" as const,
	outExtensions: () => ({ js: ".mjs" }),
	outputOptions: { codeSplitting: false as const },
	define: {
		__PACKAGE_VERSION__: JSON.stringify(manifest.version),
		__VCS_REVISION__: JSON.stringify(facts.revision),
		__VCS_TIME__: JSON.stringify(facts.time),
		__VCS_MODIFIED__: JSON.stringify(facts.modified),
	},
	deps: { alwaysBundle: [/^typebox(\/|$)/], onlyBundle: false as const },
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
// The program starts hundreds of times a day: as CommonJS and without names and blanks it starts measurably sooner
// (PERFORMANCE.md). The library and the engine stay readable.
const program = {
	...shared,
	config: false as const,
	format: "cjs" as const,
	minify: true,
	outExtensions: () => ({ js: ".cjs" }),
};
await build({ ...program, entry: { explain: "src/contract/explain.ts" } });
await build({ ...program, entry: { body: "src/cli/main.ts" }, plugins: [compiledChecks(finished("explain.cjs"))] });
await build({ ...shared, config: false, entry: { index: "src/index.ts" } });
await build({ ...shared, config: false, entry: { engine: "src/reviewers/static/engine.ts" } });

const types = spawnSync(join(root, "../../node_modules/.bin/tsc"), ["--project", "tsconfig.types.json"], {
	cwd: root,
	stdio: "inherit",
});
if (types.status !== 0) process.exit(types.status ?? 1);

const launcher = readFileSync(join(root, "launcher.cjs"), "utf8").replace("__BODY_SHA256__", finished("body.cjs"));
writeFileSync(join(dist, "gentle-ai.cjs"), launcher);
chmodSync(join(dist, "gentle-ai.cjs"), 0o755);

// What the program says is published with it.
const contracts = join(root, "contracts");
rmSync(contracts, { recursive: true, force: true });
cpSync(join(root, "../../contracts"), contracts, { recursive: true });
