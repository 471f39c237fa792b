// The sinks of shell scripts: `eval` of a variable, and a variable in the text that another shell or interpreter runs.
import type { SgNode } from "@ast-grep/napi";
import { findKinds, kindOf, type Sighting } from "./names.ts";
import { commandText, isShell, type Word } from "./shells.ts";

export const BASH_SINKS = ["eval", "command-string", "pipe", "here-string"];

const EXPANSIONS = ["simple_expansion", "expansion"];
/** `$#`, `$?`, `$$`, `$!` and `$-` are numbers and switches. */
const HARMLESS = /^\$\{?[#?$!-]\}?$|^\$\{#\w+\}$|@Q\}$/;

/** Text of a word as far as it is plain. */
function plainText(node: SgNode): string | undefined {
	const kind = kindOf(node);
	if (kind === "word" || kind === "number" || kind === "command_name") return node.text();
	if (kind === "raw_string") return node.text().slice(1, -1);
	if (kind === "string" && expansionsIn(node).length === 0) return node.text().slice(1, -1);
	return undefined;
}

/** The expansions of a word itself; what a command substitution prints is another matter. */
function expansionsIn(node: SgNode): SgNode[] {
	const kind = kindOf(node);
	if (EXPANSIONS.includes(kind)) return [node];
	if (kind === "command_substitution" || kind === "arithmetic_expansion" || kind === "process_substitution") return [];
	return node.namedChildren().flatMap(expansionsIn);
}

class Look {
	/** Variables that only ever hold literal text. */
	readonly #constants = new Set<string>();
	readonly sightings: Sighting[] = [];
	/** `getopt` prints words that are quoted for `eval set --`. */
	readonly #getopt: boolean;

	constructor(root: SgNode, text: string) {
		this.#getopt = /\bgetopt\b/.test(text);
		const spoiled = new Set<string>();
		for (const node of findKinds(root, ["variable_assignment", "for_statement", "command"])) {
			if (kindOf(node) === "command") {
				if (/^(?:read|mapfile|readarray|getopts|printf)\b/.test(node.text())) {
					for (const word of node.namedChildren()) spoiled.add(word.text());
				}
				continue;
			}
			const name = (node.field("name") ?? node.field("variable"))?.text() ?? "";
			const value = node.field("value");
			const plain = kindOf(node) === "variable_assignment" && value !== null && plainText(value) !== undefined;
			if (plain) this.#constants.add(name);
			else spoiled.add(name);
		}
		for (const name of spoiled) this.#constants.delete(name);
	}

	/** The first expansion in the words that may hold anything. */
	#value(words: readonly SgNode[]): SgNode | undefined {
		return words.flatMap(expansionsIn).find((expansion) => {
			if (HARMLESS.test(expansion.text())) return false;
			const name = /^\$\{?(\w+)\}?$/.exec(expansion.text())?.[1];
			return name === undefined || !this.#constants.has(name);
		});
	}

	#report(family: string, rule: string, call: SgNode, value: SgNode | undefined): void {
		if (value !== undefined) this.sightings.push({ rule: `${family}.shell.${rule}`, call, value });
	}

	visitCommand(command: SgNode): void {
		const words = command.namedChildren().filter((child) => !/redirect$|^variable_assignment$/.test(kindOf(child)));
		const texts: Word<SgNode>[] = words.map((node) => ({ text: plainText(node), node }));
		const head = texts.findIndex(({ text }) => !/^(?:builtin|command|exec)$/.test(text ?? ""));
		if (texts[head]?.text === "eval") {
			if (this.#getopt && /^eval (?:-- )?"?set --/.test(command.text())) return;
			this.#report("code-evaluation", "eval", command, this.#value(words.slice(head + 1)));
			return;
		}
		const given = commandText(texts);
		if (given !== undefined) {
			const family = given.program ? "code-evaluation" : "shell-execution";
			this.#report(family, "command-string", command, this.#value(given.texts));
		}
		const here = command.namedChildren().filter((child) => kindOf(child) === "herestring_redirect");
		if (isShell(texts[0]?.text ?? "")) this.#report("shell-execution", "here-string", command, this.#value(here));
	}

	/** `echo "$x" | sh` */
	visitPipeline(pipeline: SgNode): void {
		const commands = pipeline.namedChildren().filter((child) => kindOf(child) === "command");
		const last = commands.at(-1);
		const [name, ...rest] = last?.namedChildren() ?? [];
		if (last === undefined || !isShell(name?.text() ?? "") || rest.some((word) => !/^-[a-z]*s?$/.test(word.text())))
			return;
		const before = commands.at(-2)?.namedChildren() ?? [];
		if (!/^(?:echo|printf)$/.test(before[0]?.text() ?? "")) return;
		this.#report("shell-execution", "pipe", last, this.#value(before.slice(1)));
	}
}

export const bash = {
	trigger: /\beval\b|\b(?:ba|da|k|z|a)?sh\b|\b(?:cmd|pwsh|powershell|python[0-9.]*|node|perl|ruby|php)\b/,
	rules: BASH_SINKS.length,
	look: (root: SgNode, text: string): readonly Sighting[] => {
		const look = new Look(root, text);
		for (const command of findKinds(root, ["command"])) look.visitCommand(command);
		for (const pipeline of findKinds(root, ["pipeline"])) look.visitPipeline(pipeline);
		return look.sightings;
	},
};
