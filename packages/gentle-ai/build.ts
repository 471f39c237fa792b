// Builds dist/: one launcher, one bundled body that is the authority, the library, and the analysers' own process.
// The launcher carries the digest of the body, so that the launcher's digest vouches for both.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsdown";

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
await build({
	...shared,
	config: false,
	entry: { body: "src/cli/main.ts" },
	format: "cjs",
	minify: true,
	outExtensions: () => ({ js: ".cjs" }),
});
await build({ ...shared, config: false, entry: { index: "src/index.ts" } });
await build({ ...shared, config: false, entry: { engine: "src/reviewers/static/engine.ts" } });

const types = spawnSync(join(root, "../../node_modules/.bin/tsc"), ["--project", "tsconfig.types.json"], {
	cwd: root,
	stdio: "inherit",
});
if (types.status !== 0) process.exit(types.status ?? 1);

const body = readFileSync(join(dist, "body.cjs"));
const launcher = readFileSync(join(root, "launcher.cjs"), "utf8").replace(
	"__BODY_SHA256__",
	createHash("sha256").update(body).digest("hex"),
);
writeFileSync(join(dist, "gentle-ai.cjs"), launcher);
chmodSync(join(dist, "gentle-ai.cjs"), 0o755);
