// The sinks of Java: `Runtime.exec` and `ProcessBuilder` with a built command line, and engines that evaluate text.
import type { SgNode } from "@ast-grep/napi";
import { enclosing, findKinds, isConstantName, kindOf, MAX_DEPTH, Names, type Sighting, Verdicts } from "./names.ts";
import { commandText } from "./shells.ts";

const SCOPES = new Set([
	"program",
	"class_body",
	"method_declaration",
	"constructor_declaration",
	"lambda_expression",
	"block",
	"for_statement",
	"enhanced_for_statement",
	"catch_clause",
	"try_with_resources_statement",
]);
const BINDERS = [
	"field_declaration",
	"local_variable_declaration",
	"formal_parameter",
	"resource",
	"enhanced_for_statement",
	"assignment_expression",
];

/**
 * `<type>.<method>` that runs an argument as code, the argument's position, and the package of the type: many classes
 * are called `Context`, so the file must mention the package too.
 */
const CODE: Readonly<Record<string, { readonly at: number; readonly from: string }>> = {
	"ScriptEngine.eval": { at: 0, from: "javax.script" },
	"Compilable.compile": { at: 0, from: "javax.script" },
	"GroovyShell.evaluate": { at: 0, from: "groovy.lang" },
	"GroovyShell.parse": { at: 0, from: "groovy.lang" },
	"GroovyClassLoader.parseClass": { at: 0, from: "groovy.lang" },
	"Eval.me": { at: 0, from: "groovy.util" },
	"ExpressionParser.parseExpression": { at: 0, from: "org.springframework.expression" },
	"SpelExpressionParser.parseExpression": { at: 0, from: "org.springframework.expression" },
	"MVEL.eval": { at: 0, from: "org.mvel2" },
	"MVEL.compileExpression": { at: 0, from: "org.mvel2" },
	"Ognl.parseExpression": { at: 0, from: "ognl" },
	"Ognl.getValue": { at: 0, from: "ognl" },
	"JShell.eval": { at: 0, from: "jdk.jshell" },
	"Interpreter.eval": { at: 0, from: "bsh" },
	"Context.eval": { at: 1, from: "org.graalvm.polyglot" },
	"ELProcessor.eval": { at: 0, from: "el" },
	"ExpressionFactory.createValueExpression": { at: 1, from: "el" },
};
const SHELL = ["Runtime.exec", "ProcessBuilder.new", "ProcessBuilder.command"];
export const JAVA_SINKS = [...Object.keys(CODE), ...SHELL];

const LISTS = /^(?:List|Arrays|Stream|ImmutableList)\.(?:of|asList|copyOf)$/;

function text(node: SgNode | null | undefined): string | undefined {
	if (node === null || node === undefined || kindOf(node) !== "string_literal") return undefined;
	return node.text().replace(/^"+|"+$/g, "");
}

/** A type's own name, without package, arguments and array signs. */
function simpleType(node: SgNode | null): string {
	return (
		(node?.text() ?? "")
			.replace(/[<[].*$/s, "")
			.split(".")
			.at(-1) ?? ""
	);
}

class Look {
	readonly #names = new Names();
	readonly #verdicts = new Verdicts();
	readonly #text: string;
	readonly sightings: Sighting[] = [];

	constructor(root: SgNode, text: string) {
		this.#text = text;
		for (const node of findKinds(root, BINDERS)) this.#bind(node);
	}

	#bind(node: SgNode): void {
		if (kindOf(node) === "assignment_expression") {
			this.#names.reassign(node.field("left")?.text() ?? "");
			return;
		}
		const scope = kindOf(node) === "enhanced_for_statement" ? node : enclosing(node, SCOPES);
		const type = simpleType(node.field("type"));
		const declarators = node.namedChildren().filter((child) => kindOf(child) === "variable_declarator");
		for (const one of declarators.length === 0 ? [node] : declarators) {
			const name = one.field("name")?.text() ?? "";
			const value = kindOf(node) === "enhanced_for_statement" ? null : one.field("value");
			if (value === null) this.#names.bind(scope, name, { kind: "opaque", type });
			else this.#names.bind(scope, name, { kind: "value", value, path: [], type });
		}
	}

	/** The simple name of an expression's type, as far as the file itself says it; a name that is not bound is a class. */
	#typeOf(node: SgNode | null | undefined, depth = 0): string | undefined {
		if (node === null || node === undefined || depth > MAX_DEPTH) return undefined;
		switch (kindOf(node)) {
			case "identifier": {
				const binding = this.#names.lookup(node.text(), node)?.[0];
				if (binding === undefined) return node.text();
				const declared = binding.kind === "value" || binding.kind === "opaque" ? binding.type : undefined;
				return declared === "var" && binding.kind === "value" ? this.#typeOf(binding.value, depth + 1) : declared;
			}
			case "field_access":
				return this.#typeOf(node.field("field"), depth + 1);
			case "object_creation_expression":
				return simpleType(node.field("type"));
			case "parenthesized_expression":
				return this.#typeOf(node.namedChildren()[0], depth + 1);
			case "cast_expression":
				return simpleType(node.field("type"));
			case "method_invocation": {
				const method = `${node.field("object")?.text() ?? ""}.${node.field("name")?.text() ?? ""}`;
				if (/(?:^|\.)Runtime\.getRuntime$/.test(method)) return "Runtime";
				if (/\.getEngineBy(?:Name|Extension|MimeType)$/.test(method)) return "ScriptEngine";
				return undefined;
			}
			default:
				return undefined;
		}
	}

	#fixed(node: SgNode): SgNode | undefined {
		const name = kindOf(node) === "field_access" ? node.field("field") : node;
		if (name === null || kindOf(name) !== "identifier") return undefined;
		const fixed = this.#names.fixed(name.text(), node);
		return fixed?.kind === "value" ? fixed.value : undefined;
	}

	#isConstant(node: SgNode | null | undefined, depth = 0): boolean {
		if (node === null || node === undefined || depth > MAX_DEPTH) return false;
		return this.#verdicts.of(node, "", () => this.#decide(node, depth));
	}

	#decide(node: SgNode, depth: number): boolean {
		const all = (nodes: readonly (SgNode | null)[]) => nodes.every((one) => this.#isConstant(one, depth + 1));
		switch (kindOf(node)) {
			case "string_literal":
				return node.namedChildren().every((child) => kindOf(child) !== "string_interpolation");
			case "character_literal":
			case "decimal_integer_literal":
			case "true":
			case "false":
			case "null_literal":
				return true;
			case "binary_expression":
				return all([node.field("left"), node.field("right")]);
			case "ternary_expression":
				return all([node.field("consequence"), node.field("alternative")]);
			case "parenthesized_expression":
			case "array_initializer":
				return all(node.namedChildren());
			case "identifier":
			case "field_access": {
				const value = this.#fixed(node);
				if (value !== undefined) return this.#isConstant(value, depth + 1);
				const name = (node.field("field") ?? node).text();
				return this.#names.lookup(name, node) === undefined && isConstantName(name) && name.length > 1;
			}
			case "method_invocation":
				return (node.field("object")?.text() === "String" || all([node.field("object")])) && all(this.#args(node));
			default:
				return false;
		}
	}

	#args(call: SgNode): SgNode[] {
		return (call.field("arguments")?.namedChildren() ?? []).filter((child) => !kindOf(child).endsWith("comment"));
	}

	/** A command line that is surely put together here: `"ping " + host`, `String.format(...)`, also behind a local name. */
	#isBuilt(node: SgNode, depth = 0): boolean {
		if (this.#isConstant(node) || depth > MAX_DEPTH) return false;
		const kind = kindOf(node);
		if (kind === "binary_expression") return true;
		if (kind === "parenthesized_expression") return node.namedChildren().some((one) => this.#isBuilt(one, depth + 1));
		if (kind === "method_invocation")
			return /^(?:format|concat|formatted|join)$/.test(node.field("name")?.text() ?? "");
		const value = this.#fixed(node);
		return value !== undefined && this.#isBuilt(value, depth + 1);
	}

	/** The elements of `new String[]{…}`, `List.of(…)` and their names, or the nodes themselves. */
	#words(nodes: readonly SgNode[]): SgNode[] {
		return nodes.flatMap((node) => {
			const value = this.#fixed(node) ?? node;
			if (kindOf(value) === "array_initializer") return value.namedChildren();
			if (kindOf(value) === "array_creation_expression") return value.field("value")?.namedChildren() ?? [];
			const callee = `${value.field("object")?.text() ?? ""}.${value.field("name")?.text() ?? ""}`;
			return kindOf(value) === "method_invocation" && LISTS.test(callee) ? this.#args(value) : [node];
		});
	}

	#report(family: string, rule: string, call: SgNode, value: SgNode | undefined): void {
		if (value !== undefined) this.sightings.push({ rule: `${family}.java.${rule}`, call, value });
	}

	#visitWords(rule: string, call: SgNode): void {
		const words = this.#words(this.#args(call)).map((node) => ({ text: text(node) ?? text(this.#fixed(node)), node }));
		const command = commandText(words);
		const value = command?.texts.find((one) => !this.#isConstant(one));
		this.#report(command?.program ? "code-evaluation" : "shell-execution", rule, call, value);
	}

	visit(call: SgNode): void {
		if (kindOf(call) === "object_creation_expression") {
			if (simpleType(call.field("type")) === "ProcessBuilder") this.#visitWords("ProcessBuilder.new", call);
			return;
		}
		const rule = `${this.#typeOf(call.field("object"))}.${call.field("name")?.text() ?? ""}`;
		if (rule === "Runtime.exec") {
			const [first] = this.#args(call);
			if (first !== undefined && this.#isBuilt(first)) this.#report("shell-execution", rule, call, first);
			else this.#visitWords(rule, call);
			return;
		}
		if (rule === "ProcessBuilder.command") {
			this.#visitWords(rule, call);
			return;
		}
		const code = Object.hasOwn(CODE, rule) ? CODE[rule] : undefined;
		if (code === undefined || !new RegExp(`\\b${code.from.replaceAll(".", "\\.")}\\.`).test(this.#text)) return;
		const value = this.#args(call)[code.at];
		if (value !== undefined && !this.#isConstant(value)) this.#report("code-evaluation", rule, call, value);
	}
}

export const java = {
	trigger:
		/\b(?:Runtime|ProcessBuilder|ScriptEngine\w*|Compilable|Groovy\w+|Eval|\w*ExpressionParser|MVEL|Ognl|JShell|Interpreter|Context|ELProcessor|ExpressionFactory)\b/,
	rules: JAVA_SINKS.length,
	look: (root: SgNode, text: string): readonly Sighting[] => {
		const look = new Look(root, text);
		for (const call of findKinds(root, ["method_invocation", "object_creation_expression"])) look.visit(call);
		return look.sightings;
	},
};
