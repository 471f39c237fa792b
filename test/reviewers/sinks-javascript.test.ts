// Every JavaScript sink with a value and with a literal, under every way of naming it; and what only looks like one.
import { beforeAll, describe, expect, it } from "vitest";
import { JAVASCRIPT_SINKS } from "../../packages/gentle-ai/src/reviewers/static/ast/javascript.ts";
import { filled, type Language, rulesFor, type SinkCase } from "./sinks.ts";

const MINUTE = 60_000;

const javascript: Language = {
	extension: ".ts",
	value: "value",
	literal: '"fixed"',
	file: (code) => `export {};\nexport async function run(value: string, list: string[], more: any) {\n${code}\n}\n`,
};

const SINKS: readonly SinkCase[] = [
	["eval", "eval(«»);"],
	["eval", "(0, eval)(«»);"],
	["eval", "globalThis.eval(«»);"],
	["eval", 'window["eval"](«»);'],
	["eval", "eval.call(null, «»);"],
	["eval", "const run2 = eval; run2(«»);"],
	["eval", "eval(`a + ${«»}`);"],
	["execScript", "window.execScript(«»);"],
	["Function", 'new Function("a", «»);'],
	["Function", "Function(«»)();"],
	["Function", "new globalThis.Function(«»);"],
	["Function", "const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor; new AsyncFunction(«»);"],
	["Function", "(() => {}).constructor(«»);"],
	["setTimeout", 'setTimeout("go(" + «» + ")", 10);'],
	["setInterval", "setInterval(`go(${«»})`, 10);"],
	["timers.setTimeout", 'const t = require("timers"); t.setTimeout("go(" + «» + ")", 10);'],
	["timers.setInterval", 'const t = require("node:timers"); t.setInterval(`go(${«»})`, 10);'],
	["vm.runInThisContext", 'const vm = require("vm"); vm.runInThisContext(«»);'],
	["vm.runInNewContext", 'const { runInNewContext: r } = require("node:vm"); r(«»);'],
	["vm.runInContext", 'const vm = await import("node:vm"); vm.runInContext(«», more);'],
	["vm.compileFunction", 'require("vm").compileFunction(«»);'],
	["vm.Script", 'const vm = require("vm"); new vm.Script(«»);'],
	["vm.SourceTextModule", 'const vm = require("vm"); new vm.SourceTextModule(«»);'],
	["vm.createScript", 'const vm = require("vm"); vm.createScript(«»);'],
	["worker_threads.Worker", 'const { Worker } = require("worker_threads"); new Worker(«», { eval: true });'],
	["require-from-string", 'const load = require("require-from-string"); load(«»);'],
	["safe-eval", 'const safe = require("safe-eval"); safe(«»);'],
	["node-eval", 'const ne = require("node-eval"); ne(«»);'],
	["import.data", "await import(`data:text/javascript,${«»}`);"],
	["child_process.exec", 'const { exec } = require("child_process"); exec("git log " + «»);'],
	["child_process.exec", 'require("child_process").exec(«», () => {});'],
	["child_process.exec", 'const cp = process.getBuiltinModule("node:child_process"); cp.exec(«»);'],
	[
		"child_process.exec",
		'const { promisify } = require("util"); const run2 = promisify(require("child_process").exec); await run2(«»);',
	],
	[
		"child_process.exec",
		'const { createRequire } = require("module"); const req = createRequire(import.meta.url); req("child_process").exec(«»);',
	],
	["child_process.exec", 'const cp = require("child_process"); const { exec: e } = cp; e(`ls ${«»}`);'],
	["child_process.execSync", 'const cp = require("node:child_process"); cp["execSync"](«»);'],
	["child_process.execSync", 'const cp = require("child_process"); const cmd = "ls " + «»; cp.execSync(cmd);'],
	["child_process.spawn", 'const { spawn } = require("child_process"); spawn(«», { shell: true });'],
	["child_process.spawn", 'const { spawn } = require("child_process"); spawn("ls", [«»], { shell: "/bin/bash" });'],
	["child_process.spawn", 'const { spawn } = require("child_process"); spawn("sh", ["-c", «»]);'],
	["child_process.spawn", 'const { spawn } = require("child_process"); spawn("cmd.exe", ["/c", «»]);'],
	["child_process.spawn", 'const { spawn } = require("child_process"); spawn("node", ["-e", «»]);'],
	["child_process.spawnSync", 'const { spawnSync } = require("child_process"); spawnSync("/bin/bash", ["-lc", «»]);'],
	["child_process.execFile", 'const { execFile } = require("child_process"); execFile("sudo", ["sh", "-c", «»]);'],
	[
		"child_process.execFileSync",
		'const { execFileSync } = require("child_process"); execFileSync(«», { shell: true });',
	],
	["shelljs.exec", 'const sh = require("shelljs"); sh.exec(«»);'],
	["sudo-prompt.exec", 'const sudo = require("sudo-prompt"); sudo.exec(«»);'],
	["cross-spawn", 'const spawn = require("cross-spawn"); spawn(«», { shell: true });'],
	["cross-spawn.spawn", 'const cs = require("cross-spawn"); cs.spawn("sh", ["-c", «»]);'],
	["cross-spawn.sync", 'const cs = require("cross-spawn"); cs.sync("bash", ["-c", «»]);'],
	["execa", 'const execa = require("execa"); execa(«», { shell: true });'],
	["execa.execa", 'const { execa } = await import("execa"); await execa(«», { shell: true });'],
	["execa.execaSync", 'const { execaSync } = await import("execa"); execaSync("sh", ["-c", «»]);'],
	["execa.sync", 'const execa = require("execa"); execa.sync(«», { shell: true });'],
	["execa.command", 'const execa = require("execa"); execa.command(«», { shell: true });'],
	["execa.commandSync", 'const execa = require("execa"); execa.commandSync(«», { shell: true });'],
	["execa.execaCommand", 'const { execaCommand } = await import("execa"); execaCommand(«», { shell: true });'],
	[
		"execa.execaCommandSync",
		'const { execaCommandSync } = await import("execa"); execaCommandSync(«», { shell: true });',
	],
	["node-pty.spawn", 'const pty = require("node-pty"); pty.spawn("bash", ["-c", «»], {});'],
	["Bun.spawn", 'Bun.spawn(["sh", "-c", «»]);'],
	["Bun.spawnSync", 'Bun.spawnSync({ cmd: ["sh", "-c", «»] });'],
	["Deno.Command", 'new Deno.Command("sh", { args: ["-c", «»] });'],
];

/** Whole files, since the imports matter. */
const IMPORTED: readonly SinkCase[] = [
	["child_process.exec", 'import { exec } from "child_process"; export const f = (v) => exec(v);'],
	["child_process.exec", 'import { exec as run } from "node:child_process"; export const f = (v) => run(v);'],
	["child_process.exec", 'import cp from "child_process"; export const f = (v) => cp.exec(v);'],
	["child_process.execSync", 'import * as cp from "child_process"; export const f = (v) => cp.execSync(v);'],
	["child_process.exec", 'import cp = require("child_process"); export const f = (v: string) => cp.exec(v);'],
	[
		"child_process.exec",
		'import { promisify } from "util"; import { exec } from "child_process"; const e = promisify(exec); export const f = (v) => e(v);',
	],
	["node.test.only", 'import { it } from "node:test"; it.only("a", () => {});'],
	["node.test.skip", 'import test from "node:test"; test.skip("a", () => {});'],
	["node.test.skip", 'import { describe } from "node:test"; describe.skip("a", () => {});'],
];

const SILENT: readonly string[] = [
	"export const first = (re: RegExp, s: string) => re.exec(s);",
	'export const m = (v: string) => /a(.)/.exec("x" + v);',
	"export const f = (db: any, v: string) => db.exec(v);",
	"export const f = (exec: (s: string) => void, v: string) => exec(v);",
	'import { exec } from "child_process"; export const f = (exec: (s: string) => void, v: string) => exec(v); exec("ls");',
	'import { exec } from "./mine.ts"; export const f = (v: string) => exec(v);',
	'import { execFile } from "child_process"; export const f = (v: string) => execFile("git", ["log", "--", v]);',
	'import { spawn } from "child_process"; export const f = (v: string[]) => spawn("git", v);',
	'import { spawn } from "child_process"; export const f = (v: string[]) => spawn("git", v, { shell: false });',
	'import { spawn } from "child_process"; export const f = (v: string) => spawn("sh", ["-c", "echo $1", "sh", v]);',
	'import { execSync } from "child_process"; const CMD = "git status"; execSync(CMD); execSync(`${CMD} --short`);',
	'import { execSync } from "child_process"; for (const c of ["ls", "pwd"]) execSync(c);',
	'import { execSync } from "child_process"; var c = "ls"; execSync(c);',
	'import { execSync } from "child_process"; execSync(`node ${__dirname}/a.js`);',
	'import { execSync } from "child_process"; import { quote } from "shell-quote"; export const f = (v: string) => execSync(`ls ${quote([v])}`);',
	'import { execSync } from "child_process"; execSync(["git", "status"].join(" "));',
	'import { execSync } from "child_process"; export const f = (v: string) => execSync(`kill ${Number(v)}`);',
	"export const f = (go: () => void) => setTimeout(go, 10);",
	"export const f = (v: string) => setTimeout(() => v, 10);",
	'setTimeout("go()", 10);',
	"export class Evaluate { eval(v: string) { return v; } } export const f = (e: Evaluate, v: string) => e.eval(v);",
	"export const f = (model: any, v: string) => model.eval(v);",
	"// eval(value) is never called here\nexport const s = 'eval(x)';",
	'new Function("a", "return a");',
	"export const f = (v: Function) => v;",
	'import { Worker } from "worker_threads"; export const f = (v: string) => new Worker(v);',
	'import { Worker } from "worker_threads"; export const f = (v: string) => new Worker(v, { eval: false });',
	"export const f = (v: string) => import(v);",
	"export const f = (v: string) => import(`./${v}.js`);",
	'import vm from "vm"; export const f = (v: object) => vm.createContext(v);',
	'import { test } from "node:test"; test("a", () => {});',
	'Bun.spawn(["ls", "-l"]);',
];

describe("javascript sinks", () => {
	const values: string[][] = [];
	const literals: string[][] = [];
	const imported: string[][] = [];
	const silent: string[][] = [];
	beforeAll(async () => {
		values.push(
			...(await rulesFor(
				".ts",
				SINKS.map(([, code]) => filled(javascript, code, javascript.value)),
			)),
		);
		literals.push(
			...(await rulesFor(
				".js",
				SINKS.map(([, code]) =>
					filled({ ...javascript, file: (line) => `async function f() {\n${line}\n}\n` }, code, javascript.literal),
				),
			)),
		);
		imported.push(
			...(await rulesFor(
				".ts",
				IMPORTED.map(([, code]) => code),
			)),
		);
		silent.push(...(await rulesFor(".ts", SILENT)));
	}, MINUTE);

	it("has a case for every sink of the table", () => {
		const named = new Set(SINKS.map(([rule]) => rule));
		const sinks = JAVASCRIPT_SINKS.map((sink) => sink.replace(/^#|#$/g, "").replace("#", "."));
		expect(sinks.filter((sink) => !named.has(sink))).toEqual([]);
	});

	it.each(SINKS.map(([rule, code], index) => ({ rule, code, index })))(
		"reports a value in $code",
		({ rule, index }) => {
			expect(values[index]).toEqual([rule]);
		},
	);

	it.each(SINKS.map(([, code], index) => ({ code, index })))("is silent about a literal in $code", ({ index }) => {
		expect(literals[index]).toEqual([]);
	});

	it.each(IMPORTED.map(([rule, code], index) => ({ rule, code, index })))("follows $code", ({ rule, index }) => {
		expect(imported[index]).toEqual([rule]);
	});

	it.each(SILENT.map((code, index) => ({ code, index })))("is silent about $code", ({ index }) => {
		expect(silent[index]).toEqual([]);
	});
});
