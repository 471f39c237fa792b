// The sinks of Python: what runs text as code, and what hands text to a shell.
import type { SgNode } from "@ast-grep/napi";
import { findKinds, kindOf, type Sighting } from "./names.ts";
import { keyword, positional } from "./python-calls.ts";
import { PythonNames } from "./python-values.ts";
import { commandText } from "./shells.ts";

/** Position and keyword of the argument that is run. */
type Argument = { readonly at: number; readonly name: string };

const CODE: Readonly<Record<string, Argument>> = {
	"builtins.eval": { at: 0, name: "expression" },
	"builtins.exec": { at: 0, name: "code" },
	"builtins.compile": { at: 0, name: "source" },
	"builtins.execfile": { at: 0, name: "filename" },
	"cProfile.run": { at: 0, name: "statement" },
	"cProfile.runctx": { at: 0, name: "statement" },
	"profile.run": { at: 0, name: "statement" },
	"profile.runctx": { at: 0, name: "statement" },
	"pdb.run": { at: 0, name: "statement" },
	"pdb.runeval": { at: 0, name: "expression" },
	"code.InteractiveInterpreter().runsource": { at: 0, name: "source" },
	"code.InteractiveConsole().runsource": { at: 0, name: "source" },
	"code.InteractiveConsole().push": { at: 0, name: "line" },
};

const SHELL: Readonly<Record<string, Argument>> = {
	"os.system": { at: 0, name: "command" },
	"os.popen": { at: 0, name: "cmd" },
	"os.popen2": { at: 0, name: "cmd" },
	"os.popen3": { at: 0, name: "cmd" },
	"os.popen4": { at: 0, name: "cmd" },
	"commands.getoutput": { at: 0, name: "cmd" },
	"commands.getstatusoutput": { at: 0, name: "cmd" },
	"subprocess.getoutput": { at: 0, name: "cmd" },
	"subprocess.getstatusoutput": { at: 0, name: "cmd" },
	"asyncio.create_subprocess_shell": { at: 0, name: "cmd" },
	"asyncio.subprocess.create_subprocess_shell": { at: 0, name: "cmd" },
};

/** Program and arguments in one list; with `shell=True` a shell interprets the first. */
const SPAWN = ["run", "call", "check_call", "check_output", "Popen"].map((name) => `subprocess.${name}`);

/** Program and arguments in one row, or in the list at the end. */
const EXEC: Readonly<Record<string, number>> = {
	"os.execl": 1,
	"os.execle": 1,
	"os.execlp": 1,
	"os.execlpe": 1,
	"os.execv": 1,
	"os.execve": 1,
	"os.execvp": 1,
	"os.execvpe": 1,
	"os.spawnl": 2,
	"os.spawnle": 2,
	"os.spawnlp": 2,
	"os.spawnlpe": 2,
	"os.spawnv": 2,
	"os.spawnve": 2,
	"os.spawnvp": 2,
	"os.spawnvpe": 2,
	"os.posix_spawn": 1,
	"os.posix_spawnp": 1,
	"pty.spawn": 0,
	"asyncio.create_subprocess_exec": 0,
};

export const PYTHON_SINKS = [...Object.keys(CODE), ...Object.keys(SHELL), ...SPAWN, ...Object.keys(EXEC)];

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}

class Look {
	readonly #names: PythonNames;
	readonly sightings: Sighting[] = [];
	constructor(root: SgNode) {
		this.#names = new PythonNames(root);
	}

	visit(call: SgNode): void {
		const origin = this.#known(call.field("function"));
		if (origin === undefined) return;
		const code = own(CODE, origin);
		if (code !== undefined) {
			// A program that is only parsed is not run.
			if (origin === "builtins.compile" && /\bPyCF_ONLY_AST\b/.test(call.text())) return;
			this.#report("code-evaluation", origin, call, this.#argument(call, code), false);
		}
		const shell = own(SHELL, origin);
		if (shell !== undefined) this.#report("shell-execution", origin, call, this.#argument(call, shell), true);
		if (SPAWN.includes(origin)) this.#visitSpawn(origin, call);
		const skipped = own(EXEC, origin);
		if (skipped !== undefined) this.#visitWords(origin, call, this.#words(positional(call).slice(skipped)));
	}

	/** The name of the callee as the tables write it, also when it came with `import *`. */
	#known(callee: SgNode | null): string | undefined {
		const origin = this.#names.origin(callee);
		if (!origin?.startsWith("builtins.") || PYTHON_SINKS.includes(origin)) return origin;
		const name = origin.slice("builtins.".length);
		const star = [...this.#names.stars].find((module) => PYTHON_SINKS.includes(`${module}.${name}`));
		return star === undefined ? origin : `${star}.${name}`;
	}

	#argument(call: SgNode, { at, name }: Argument): SgNode | undefined {
		return positional(call)[at] ?? keyword(call, name);
	}

	#report(family: string, origin: string, call: SgNode, value: SgNode | undefined, quoted: boolean): void {
		if (value === undefined || this.#names.isConstant(value, quoted)) return;
		this.sightings.push({ rule: `${family}.${origin.replace("()", "")}`, call, value });
	}

	#visitSpawn(origin: string, call: SgNode): void {
		const command = this.#argument(call, { at: 0, name: "args" });
		const shell = keyword(call, "shell");
		if (shell !== undefined && /^(?:True|1)$/.test(shell.text())) {
			this.#report("shell-execution", origin, call, command, true);
			return;
		}
		this.#visitWords(origin, call, this.#words(command === undefined ? [] : [command]));
	}

	#words(nodes: readonly SgNode[]): SgNode[] {
		return nodes
			.flatMap((node) => this.#names.list(node)?.namedChildren() ?? [node])
			.filter((one) => kindOf(one) !== "comment");
	}

	#visitWords(origin: string, call: SgNode, words: readonly SgNode[]): void {
		const command = commandText(words.map((node) => ({ text: this.#names.text(node), node })));
		const value = command?.texts.find((one) => !this.#names.isConstant(one, true));
		this.#report(command?.program ? "code-evaluation" : "shell-execution", origin, call, value, true);
	}
}

export const python = {
	trigger: /\b(?:eval|exec|compile|execfile|os|subprocess|commands|cProfile|profile|pdb|code|asyncio|pty)\b/,
	rules: PYTHON_SINKS.length,
	look: (root: SgNode): readonly Sighting[] => {
		const look = new Look(root);
		for (const call of findKinds(root, ["call"])) look.visit(call);
		return look.sightings;
	},
};
