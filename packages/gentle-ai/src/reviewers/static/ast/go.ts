// The sinks of Go: `os/exec` and its kin starting a shell with a command line that is no literal.
import type { SgNode } from "@ast-grep/napi";
import {
	type Binding,
	enclosing,
	findKinds,
	isConstantName,
	isQuoter,
	kindOf,
	MAX_DEPTH,
	Names,
	type Sighting,
	Verdicts,
} from "./names.ts";
import { commandText } from "./shells.ts";

const SCOPES = new Set(["source_file", "function_declaration", "method_declaration", "func_literal"]);
const BINDERS = [
	"import_spec",
	"const_spec",
	"var_spec",
	"short_var_declaration",
	"parameter_declaration",
	"assignment_statement",
	"range_clause",
	"inc_statement",
];

/** How many leading arguments are not part of the command line. */
const SINKS: Readonly<Record<string, number>> = {
	"os/exec.Command": 0,
	"os/exec.CommandContext": 1,
	"syscall.Exec": 1,
	"syscall.ForkExec": 1,
	"syscall.StartProcess": 1,
	"golang.org/x/sys/unix.Exec": 1,
	"os.StartProcess": 1,
};
const COMMAND_STRUCT = "os/exec.Cmd";
export const GO_SINKS = [...Object.keys(SINKS), COMMAND_STRUCT];

function literal(node: SgNode | undefined): string | undefined {
	if (node === undefined || !/^(?:interpreted|raw)_string_literal$/.test(kindOf(node))) return undefined;
	return node.text().slice(1, -1);
}

class Look {
	readonly #names = new Names();
	readonly #verdicts = new Verdicts();
	readonly sightings: Sighting[] = [];

	constructor(root: SgNode) {
		for (const node of findKinds(root, BINDERS)) this.#bind(node);
	}

	#bind(node: SgNode): void {
		const scope = enclosing(node, SCOPES);
		if (kindOf(node) === "import_spec") {
			const path = literal(node.field("path") ?? undefined) ?? "";
			const name = node.field("name")?.text() ?? path.slice(path.lastIndexOf("/") + 1);
			this.#names.bind(scope, name, { kind: "import", origin: path });
			return;
		}
		const names = this.#boundNames(node);
		if (kindOf(node) === "assignment_statement" || kindOf(node) === "inc_statement") {
			for (const name of names) this.#names.reassign(name);
			return;
		}
		const right = node.field("right") ?? node.field("value");
		const values = right === null ? [] : kindOf(right) === "expression_list" ? right.namedChildren() : [right];
		for (const [index, name] of names.entries()) {
			const value = names.length === values.length ? values[index] : undefined;
			const binding: Binding = value === undefined ? { kind: "opaque" } : { kind: "value", value, path: [] };
			this.#names.bind(scope, name, binding);
		}
	}

	#boundNames(node: SgNode): string[] {
		const left = node.field("left");
		const targets =
			left === null ? node.fieldChildren("name") : kindOf(left) === "expression_list" ? left.namedChildren() : [left];
		return targets.filter((one) => kindOf(one) === "identifier").map((one) => one.text());
	}

	/** `<import path>.<name>` of a function or a type of another package. */
	origin(node: SgNode | null): string | undefined {
		if (node === null) return undefined;
		const operand = node.field("operand") ?? node.field("package");
		const name = (node.field("field") ?? node.field("name"))?.text();
		if (operand !== null && name !== undefined) {
			const binding = this.#names.lookup(operand.text(), node)?.[0];
			return binding?.kind === "import" ? `${binding.origin}.${name}` : undefined;
		}
		const dotted = this.#names.lookup(".", node) ?? [];
		const found = dotted.find((one) => one.kind === "import" && GO_SINKS.includes(`${one.origin}.${node.text()}`));
		return found?.kind === "import" ? `${found.origin}.${node.text()}` : undefined;
	}

	#fixed(node: SgNode): SgNode | undefined {
		const fixed = kindOf(node) === "identifier" ? this.#names.fixed(node.text(), node) : undefined;
		return fixed?.kind === "value" ? fixed.value : undefined;
	}

	isConstant(node: SgNode | null | undefined, depth = 0): boolean {
		if (node === null || node === undefined || depth > MAX_DEPTH) return false;
		return this.#verdicts.of(node, "", () => this.#decide(node, depth));
	}

	#decide(node: SgNode, depth: number): boolean {
		const all = (nodes: readonly (SgNode | null)[]) => nodes.every((one) => this.isConstant(one, depth + 1));
		switch (kindOf(node)) {
			case "interpreted_string_literal":
			case "raw_string_literal":
			case "rune_literal":
			case "int_literal":
			case "float_literal":
			case "true":
			case "false":
				return true;
			case "binary_expression":
				return all([node.field("left"), node.field("right")]);
			case "parenthesized_expression":
			case "literal_element":
			case "variadic_argument":
				return all(node.namedChildren());
			case "composite_literal":
				return all(node.field("body")?.namedChildren() ?? []);
			case "identifier": {
				const value = this.#fixed(node);
				if (value !== undefined) return this.isConstant(value, depth + 1);
				return (
					this.#names.lookup(node.text(), node) === undefined && isConstantName(node.text()) && node.text().length > 1
				);
			}
			case "call_expression": {
				const callee = node.field("function");
				const args = node.field("arguments")?.namedChildren() ?? [];
				if (isQuoter(callee?.text() ?? "")) return true;
				return (
					/^(?:fmt\.Sprintf?|strings\.\w+|path\/filepath\.Join|path\.Join)$/.test(this.origin(callee) ?? "") &&
					all(args)
				);
			}
			default:
				return false;
		}
	}

	/** The elements of a slice literal, or the node itself. */
	#words(nodes: readonly SgNode[]): SgNode[] {
		return nodes.flatMap((node) => {
			const inner = kindOf(node) === "variadic_argument" ? (node.namedChildren()[0] ?? node) : node;
			const list = kindOf(inner) === "composite_literal" ? inner : this.#fixed(inner);
			if (list === undefined || kindOf(list) !== "composite_literal") return [inner];
			return (list.field("body")?.namedChildren() ?? []).map((one) => one.namedChildren()[0] ?? one);
		});
	}

	judge(origin: string, call: SgNode, nodes: readonly SgNode[]): void {
		const words = this.#words(nodes).map((node) => ({ text: literal(node) ?? literal(this.#fixed(node)), node }));
		const command = commandText(words);
		const value = command?.texts.find((one) => !this.isConstant(one));
		if (command === undefined || value === undefined) return;
		const family = command.program ? "code-evaluation" : "shell-execution";
		this.sightings.push({ rule: `${family}.${origin.replaceAll("/", ".")}`, call, value });
	}

	visitCall(call: SgNode): void {
		const origin = this.origin(call.field("function"));
		const skipped = origin !== undefined && Object.hasOwn(SINKS, origin) ? SINKS[origin] : undefined;
		const args = (call.field("arguments")?.namedChildren() ?? []).filter((one) => kindOf(one) !== "comment");
		if (origin !== undefined && skipped !== undefined) this.judge(origin, call, args.slice(skipped));
	}

	visitStruct(node: SgNode): void {
		if (this.origin(node.field("type")) !== COMMAND_STRUCT) return;
		const fields = node.field("body")?.namedChildren() ?? [];
		const args = fields.find((one) => kindOf(one) === "keyed_element" && one.namedChildren()[0]?.text() === "Args");
		const list = args?.namedChildren()[1]?.namedChildren()[0];
		if (list !== undefined) this.judge(COMMAND_STRUCT, node, [list]);
	}
}

export const go = {
	trigger: /"os\/exec"|"syscall"|"os"|sys\/unix"/,
	rules: GO_SINKS.length,
	look: (root: SgNode): readonly Sighting[] => {
		const look = new Look(root);
		for (const call of findKinds(root, ["call_expression"])) look.visitCall(call);
		for (const node of findKinds(root, ["composite_literal"])) look.visitStruct(node);
		return look.sightings;
	},
};
