// The sinks of JavaScript and TypeScript: what runs text as code, and what hands text to a shell.
import type { SgNode } from "@ast-grep/napi";
import { collectNames } from "./javascript-names.ts";
import { argumentsOf, option, Values } from "./javascript-values.ts";
import { findKinds, kindOf, type Sighting } from "./names.ts";
import { commandText } from "./shells.ts";

/**
 * Which arguments of a call are dangerous.
 * - `first`: the first one. - `any`: every one. - `built`: the first one, if it surely is a text.
 * - `spawn`: program and list of arguments, dangerous with the option `shell` or as `sh -c`.
 * - `list`: like `spawn`, with program and arguments in one list, or the list in the option `args` (`Deno`) or `cmd` (`Bun`).
 * - `worker`: the first one, with the option `eval`.
 */
type Shape = "first" | "any" | "built" | "spawn" | "list" | "worker";

const CODE: Readonly<Record<string, Shape>> = {
	"#eval": "first",
	"#execScript": "first",
	"#Function": "any",
	"#setTimeout": "built",
	"#setInterval": "built",
	"timers#setTimeout": "built",
	"timers#setInterval": "built",
	"vm#runInThisContext": "first",
	"vm#runInNewContext": "first",
	"vm#runInContext": "first",
	"vm#compileFunction": "first",
	"vm#Script": "first",
	"vm#SourceTextModule": "first",
	"vm#createScript": "first",
	"worker_threads#Worker": "worker",
	"require-from-string#": "first",
	"safe-eval#": "first",
	"node-eval#": "first",
};

const SHELL: Readonly<Record<string, Shape>> = {
	"child_process#exec": "first",
	"child_process#execSync": "first",
	"child_process#spawn": "spawn",
	"child_process#spawnSync": "spawn",
	"child_process#execFile": "spawn",
	"child_process#execFileSync": "spawn",
	"shelljs#exec": "first",
	"sudo-prompt#exec": "first",
	"cross-spawn#": "spawn",
	"cross-spawn#spawn": "spawn",
	"cross-spawn#sync": "spawn",
	"execa#": "spawn",
	"execa#execa": "spawn",
	"execa#execaSync": "spawn",
	"execa#sync": "spawn",
	"execa#command": "spawn",
	"execa#commandSync": "spawn",
	"execa#execaCommand": "spawn",
	"execa#execaCommandSync": "spawn",
	"node-pty#spawn": "spawn",
	"#Bun.spawn": "list",
	"#Bun.spawnSync": "list",
	"#Deno.Command": "list",
};

/** Switches of the platform's own test runner, which the linter does not know. */
const TEST_RUNNERS = /^(?:node:)?test#(?:(?:test|it|describe|suite)\.)?(only|skip)$/;

export const JAVASCRIPT_SINKS = [...Object.keys(CODE), ...Object.keys(SHELL), "#import.data"];

function ruleName(origin: string): string {
	return origin
		.replace(/^#/, "")
		.replace(/#$/, "")
		.replace("#", ".")
		.replace(/[^A-Za-z0-9._-]/g, "_");
}

class Look {
	readonly #values: Values;
	readonly sightings: Sighting[] = [];
	constructor(values: Values) {
		this.#values = values;
	}

	#report(family: string, origin: string, call: SgNode, value: SgNode): void {
		this.sightings.push({ rule: `${family}.${ruleName(origin)}`, call, value });
	}

	visit(call: SgNode): void {
		const callee = call.field("function") ?? call.field("constructor");
		if (callee === null) return;
		const given = argumentsOf(call);
		if (kindOf(callee) === "import") {
			this.#visitImport(call, given[0]);
			return;
		}
		let origin = this.#values.origin(callee);
		if (origin === undefined) return;
		const test = TEST_RUNNERS.exec(origin)?.[1];
		if (test !== undefined) this.#report("disabled-test", `node.test.${test}`, call, callee);
		let args = given;
		if (origin.endsWith(".call")) {
			origin = origin.slice(0, -".call".length);
			args = given.slice(1);
		}
		const code = Object.hasOwn(CODE, origin) ? CODE[origin] : undefined;
		if (code !== undefined) this.#visitCode(origin, code, call, args);
		const shell = Object.hasOwn(SHELL, origin) ? SHELL[origin] : undefined;
		if (shell !== undefined) this.#visitShell(origin, shell, call, args);
	}

	#visitImport(call: SgNode, target: SgNode | undefined): void {
		if (target === undefined || !/^["'`]data:/.test(target.text()) || this.#values.isConstant(target)) return;
		this.#report("code-evaluation", "#import.data", call, target);
	}

	#visitCode(origin: string, shape: Shape, call: SgNode, args: readonly SgNode[]): void {
		const [first] = args;
		if (shape === "built" && !this.#values.buildsText(first)) return;
		if (shape === "worker") {
			const wanted = args
				.map((one) => option(this.#values.objectLiteral(one), "eval"))
				.find((one) => one !== undefined);
			if (wanted?.text() !== "true") return;
		}
		const dangerous = shape === "any" ? args : args.slice(0, 1);
		const value = dangerous.find((one) => !this.#values.isConstant(one));
		if (value !== undefined) this.#report("code-evaluation", origin, call, value);
	}

	#visitShell(origin: string, shape: Shape, call: SgNode, args: readonly SgNode[]): void {
		const unsafe = (nodes: readonly SgNode[]) => nodes.find((one) => !this.#values.isConstant(one, true));
		if (shape === "first") {
			const value = unsafe(args.slice(0, 1));
			if (value !== undefined) this.#report("shell-execution", origin, call, value);
			return;
		}
		const options = args.map((one) => this.#values.objectLiteral(one)).find((one) => one !== undefined);
		const words = this.#words(shape, args, options);
		const shell = option(options, "shell");
		const inShell = shell !== undefined && (shell.text() === "true" || (this.#values.text(shell) ?? "") !== "");
		if (inShell) {
			const value = unsafe(words);
			if (value !== undefined) this.#report("shell-execution", origin, call, value);
			return;
		}
		const command = commandText(words.map((node) => ({ text: this.#values.text(node), node })));
		const value = unsafe(command?.texts ?? []);
		if (value === undefined) return;
		this.#report(command?.program ? "code-evaluation" : "shell-execution", origin, call, value);
	}

	/** Program and arguments in one row; a list that is no literal stands for itself. */
	#words(shape: Shape, args: readonly SgNode[], options: SgNode | undefined): SgNode[] {
		const spread = (node: SgNode | undefined): SgNode[] => {
			const list = this.#values.arrayLiteral(node);
			if (list !== undefined) return list.namedChildren().filter((one) => kindOf(one) !== "comment");
			return node === undefined || this.#values.objectLiteral(node) !== undefined || isCallback(node) ? [] : [node];
		};
		const [first, second] = args;
		if (shape === "spawn") return [...(first === undefined ? [] : [first]), ...spread(second)];
		return [...spread(first), ...spread(option(options, "cmd")), ...spread(option(options, "args"))];
	}
}

function isCallback(node: SgNode): boolean {
	return kindOf(node) === "arrow_function" || kindOf(node) === "function_expression";
}

export const javascript = {
	trigger:
		/\beval\b|\bFunction\b|\.constructor\b|\bexecScript\b|\bset(?:Timeout|Interval)\b(?!\s*\(\s*(?:\(|async\b|function\b|resolve\b))|\bvm\b|worker_threads|child_process|shelljs|sudo-prompt|cross-spawn|execa|node-pty|\bBun\b|\bDeno\b|require-from-string|safe-eval|node-eval|\bdata:|node:test/,
	rules: JAVASCRIPT_SINKS.length,
	look: (root: SgNode): readonly Sighting[] => {
		const look = new Look(new Values(collectNames(root)));
		for (const call of findKinds(root, ["call_expression", "new_expression"])) look.visit(call);
		return look.sightings;
	},
};
