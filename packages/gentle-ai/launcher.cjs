#!/usr/bin/env node
// Starts gentle-ai: checks the Node version, checks that the body is the one this launcher was built with, runs it.
// `executable.sha256` of `review capabilities` is the digest of this file, which pins the body below.
"use strict";
const { existsSync, readFileSync, realpathSync } = require("node:fs");
const { dirname, join } = require("node:path");

const BODY_SHA256 = "__BODY_SHA256__";
const NEEDED = [22, 19];

const here = realpathSync(__filename);
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

function relaunch() {
	const node = process.env.GENTLE_AI_RELAUNCHED === undefined ? siblingNode() : undefined;
	if (node === undefined) {
		fail(
			`gentle-ai needs Node.js ${NEEDED.join(".")} or newer, and this is ${process.versions.node}. ` +
				"Install a newer Node.js, or add the npm package `node` beside gentle-ai.",
		);
	}
	const run = require("node:child_process").spawnSync(node, [here, ...process.argv.slice(2)], {
		stdio: "inherit",
		env: { ...process.env, GENTLE_AI_RELAUNCHED: "1" },
		shell: process.platform === "win32",
	});
	if (run.signal !== null) process.kill(process.pid, run.signal);
	process.exit(run.status ?? 2);
}

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) relaunch();

const body = join(dirname(here), "body.cjs");
const digest = require("node:crypto").createHash("sha256").update(readFileSync(body)).digest("hex");
if (digest !== BODY_SHA256) {
	fail("this installation of gentle-ai is damaged: its body is not the one it was built with. Install it again.");
}
// A folder of the user's own: a shared temporary folder could be prepared by somebody else.
const cache = process.env.XDG_CACHE_HOME || join(require("node:os").homedir(), ".cache");
require("node:module").enableCompileCache?.(join(cache, "gentle-ai", "compile"));
globalThis[Symbol.for("gentle-ai.launcher")] = here;
require(body);
