#!/usr/bin/env node
// Starts gentle-ai: checks the Node version, checks that the body is the one this launcher was built with, runs it.
// `executable.sha256` of `review capabilities` is the digest of this file, which pins the body below.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import nodeModule from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const BODY_SHA256 = "__BODY_SHA256__";
const NEEDED = [22, 19];

const here = realpathSync(fileURLToPath(import.meta.url));
const [major, minor] = process.versions.node.split(".").map(Number);

function fail(message) {
	process.stderr.write(`Error: ${message}\n`);
	process.exit(2);
}

/** The Node that the same installation brought along, if there is one. */
function siblingNode() {
	for (let folder = dirname(here); ; folder = dirname(folder)) {
		const node = join(folder, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
		if (existsSync(node) && realpathSync(node) !== realpathSync(process.execPath)) return node;
		if (dirname(folder) === folder) return undefined;
	}
}

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
	const node = process.env.GENTLE_AI_RELAUNCHED === undefined ? siblingNode() : undefined;
	if (node === undefined) {
		fail(
			`gentle-ai needs Node.js ${NEEDED.join(".")} or newer, and this is ${process.versions.node}. ` +
				"Install a newer Node.js, or add the npm package `node` beside gentle-ai.",
		);
	}
	const { spawnSync } = await import("node:child_process");
	const run = spawnSync(node, [here, ...process.argv.slice(2)], {
		stdio: "inherit",
		env: { ...process.env, GENTLE_AI_RELAUNCHED: "1" },
		shell: process.platform === "win32",
	});
	if (run.signal !== null) process.kill(process.pid, run.signal);
	process.exit(run.status ?? 2);
}

const body = join(dirname(here), "body.mjs");
if (createHash("sha256").update(readFileSync(body)).digest("hex") !== BODY_SHA256) {
	fail("this installation of gentle-ai is damaged: its body is not the one it was built with. Install it again.");
}
// A folder of the user's own: a shared temporary folder could be prepared by somebody else.
nodeModule.enableCompileCache?.(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gentle-ai", "compile"));
globalThis[Symbol.for("gentle-ai.launcher")] = here;
await import(pathToFileURL(body).href);
