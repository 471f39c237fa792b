// What a JavaScript expression stands for: a thing of a module or of the global object, or a constant text.
import type { SgNode } from "@ast-grep/napi";
import { moduleOrigin, stringValue } from "./javascript-names.ts";
import { isConstantName, isQuoter, kindOf, MAX_DEPTH, type Names, Verdicts } from "./names.ts";

const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "global", "top", "frames"]);
const GLOBAL_NAMES = new Set([
	...GLOBAL_OBJECTS,
	..."eval execScript Function setTimeout setInterval require module process Object Bun Deno".split(" "),
]);
const LOADERS = new Set(["#require", "#module.require", "#process.mainModule.require", "#process.getBuiltinModule"]);
const FUNCTION_TEXT = /^\(?\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)/;

/** `module#a.b` for a thing of a module, `#a.b` for a thing of the global object. */
export type Origin = string;

function member(origin: Origin | undefined, name: string): Origin | undefined {
	if (origin === undefined) return undefined;
	if (origin === "#") return GLOBAL_OBJECTS.has(name) ? "#" : `#${name}`;
	if (origin.endsWith("#")) return name === "default" ? origin : `${origin}${name}`;
	const joined = `${origin}.${name}`;
	return joined === "#Function.prototype.constructor" || joined === "#Function.constructor" ? "#Function" : joined;
}

export function argumentsOf(call: SgNode): SgNode[] {
	const list = call.field("arguments");
	if (list === null || kindOf(list) !== "arguments") return [];
	return list.namedChildren().filter((child) => kindOf(child) !== "comment");
}

export class Values {
	readonly #names: Names;
	readonly #verdicts = new Verdicts();
	constructor(names: Names) {
		this.#names = names;
	}

	origin(node: SgNode | null | undefined, depth = 0): Origin | undefined {
		if (node === null || node === undefined || depth > MAX_DEPTH) return undefined;
		switch (kindOf(node)) {
			case "identifier":
				return this.#nameOrigin(node, depth);
			case "member_expression":
				return member(this.origin(node.field("object"), depth + 1), node.field("property")?.text() ?? "");
			case "subscript_expression": {
				const name = stringValue(node.field("index"));
				return name === undefined ? undefined : member(this.origin(node.field("object"), depth + 1), name);
			}
			case "call_expression":
				return this.#callOrigin(node, depth);
			case "await_expression":
			case "non_null_expression":
			case "as_expression":
			case "satisfies_expression":
				return this.origin(node.namedChildren()[0], depth + 1);
			case "parenthesized_expression":
			case "sequence_expression":
				return this.origin(node.namedChildren().at(-1), depth + 1);
			case "function_expression":
			case "arrow_function":
			case "generator_function":
				return "#Function.prototype";
			default:
				return undefined;
		}
	}

	#nameOrigin(node: SgNode, depth: number): Origin | undefined {
		const name = node.text();
		// Most names are parameters, and scopes are slow to walk; a parameter may still hide a global one.
		if (this.#names.isOnlyLocal(name) && !GLOBAL_NAMES.has(name)) return undefined;
		const binding = this.#names.lookup(name, node)?.[0];
		if (binding === undefined) return GLOBAL_OBJECTS.has(name) ? "#" : `#${name}`;
		if (binding.kind === "import") return binding.origin;
		if (binding.kind !== "value") return undefined;
		return binding.path.reduce(member, this.origin(binding.value, depth + 1));
	}

	#callOrigin(call: SgNode, depth: number): Origin | undefined {
		const callee = call.field("function");
		if (callee === null) return undefined;
		const [first] = argumentsOf(call);
		const name = stringValue(first);
		if (kindOf(callee) === "import") return name === undefined ? undefined : moduleOrigin(name);
		const origin = this.origin(callee, depth + 1);
		if (origin === undefined) return undefined;
		if (LOADERS.has(origin)) return name === undefined ? undefined : moduleOrigin(name);
		if (origin === "module#createRequire") return "#require";
		if (origin === "util#promisify") return this.origin(first, depth + 1);
		if (origin.endsWith(".bind")) return origin.slice(0, -".bind".length);
		const ofFunction = origin === "#Object.getPrototypeOf" && FUNCTION_TEXT.test(first?.text() ?? "");
		return ofFunction ? "#Function.prototype" : undefined;
	}

	/** Is the text the same on every run, whatever anybody sends? Quoted shell words count when `quoted` is set. */
	isConstant(node: SgNode | null | undefined, quoted = false, depth = 0): boolean {
		if (node === null || node === undefined || depth > MAX_DEPTH) return false;
		return this.#verdicts.of(node, quoted ? "q" : "", () => this.#decide(node, quoted, depth));
	}

	#decide(node: SgNode, quoted: boolean, depth: number): boolean {
		const all = (nodes: readonly (SgNode | null)[]) => nodes.every((one) => this.isConstant(one, quoted, depth + 1));
		switch (kindOf(node)) {
			case "string":
			case "number":
			case "true":
			case "false":
			case "null":
			case "undefined":
			case "regex":
				return true;
			case "template_string":
				return all(node.namedChildren().filter((child) => kindOf(child) === "template_substitution"));
			case "template_substitution":
			case "parenthesized_expression":
			case "spread_element":
				return all(node.namedChildren());
			case "array":
				return all(node.namedChildren().filter((child) => kindOf(child) !== "comment"));
			case "as_expression":
			case "satisfies_expression":
			case "non_null_expression":
				return all(node.namedChildren().slice(0, 1));
			case "binary_expression":
				return all([node.field("left"), node.field("right")]);
			case "ternary_expression":
				return all([node.field("consequence"), node.field("alternative")]);
			case "identifier":
				return this.#isConstantName(node, quoted, depth);
			case "member_expression":
				return this.#isConstantMember(node, quoted, depth);
			case "call_expression":
				return this.#isConstantCall(node, quoted, depth);
			default:
				return false;
		}
	}

	#isConstantName(node: SgNode, quoted: boolean, depth: number): boolean {
		const name = node.text();
		if (name === "__dirname" || name === "__filename" || name === "undefined") return true;
		const bindings = this.#names.lookup(name, node);
		if (bindings === undefined || bindings[0]?.kind === "import") return isConstantName(name);
		const fixed = this.#names.fixed(name, node);
		if (fixed?.kind !== "value" && fixed?.kind !== "each") return false;
		if (fixed.kind === "value" && fixed.path.length > 0) return false;
		return this.isConstant(fixed.value, quoted, depth + 1);
	}

	#isConstantMember(node: SgNode, quoted: boolean, depth: number): boolean {
		const text = node.text();
		if (
			/^(?:import\.meta\.(?:dirname|filename|url)|process\.(?:execPath|pid|ppid|platform|arch|version))$/.test(text)
		) {
			return true;
		}
		if (/^process\.env\b/.test(text)) return false;
		const name = node.field("property")?.text() ?? "";
		return (
			name === "length" ||
			isConstantName(name) ||
			(name === "href" && this.isConstant(node.field("object"), quoted, depth + 1))
		);
	}

	#isConstantCall(node: SgNode, quoted: boolean, depth: number): boolean {
		const callee = node.field("function");
		if (callee === null) return false;
		const given = argumentsOf(node);
		const constant = (one: SgNode | null) => this.isConstant(one, quoted, depth + 1);
		if (quoted && isQuoter(callee.text())) return true;
		const origin = this.origin(callee, depth + 1) ?? "";
		// A number cannot hold a command.
		if (/^#(?:Number|parseInt|parseFloat|Date\.now|Math\.\w+)$/.test(origin)) return true;
		if (/^(?:path#|url#fileURLToPath$|#String$|#JSON\.stringify$|#require\.resolve$)/.test(origin))
			return given.every(constant);
		if (kindOf(callee) !== "member_expression") return false;
		const method = callee.field("property")?.text() ?? "";
		const pure =
			/^(?:join|trim|trimEnd|trimStart|toString|toLowerCase|toUpperCase|concat|replace|replaceAll|repeat|slice)$/;
		return pure.test(method) && constant(callee.field("object")) && given.every(constant);
	}

	/** The object literal that the expression is, or that the name always stands for. */
	objectLiteral(node: SgNode | undefined): SgNode | undefined {
		return this.#literal(node, "object");
	}

	arrayLiteral(node: SgNode | undefined): SgNode | undefined {
		return this.#literal(node, "array");
	}

	#literal(node: SgNode | undefined, kind: string): SgNode | undefined {
		if (node === undefined || kindOf(node) === kind) return node;
		if (kindOf(node) !== "identifier") return undefined;
		const fixed = this.#names.fixed(node.text(), node);
		const found = fixed?.kind === "value" && fixed.path.length === 0 ? fixed.value : undefined;
		return found !== undefined && kindOf(found) === kind ? found : undefined;
	}

	/** The text of a string literal, also through a constant name. */
	text(node: SgNode | undefined): string | undefined {
		const own = stringValue(node);
		if (own !== undefined || node === undefined || kindOf(node) !== "identifier") return own;
		const fixed = this.#names.fixed(node.text(), node);
		return fixed?.kind === "value" && fixed.path.length === 0 ? stringValue(fixed.value) : undefined;
	}

	/** An expression that surely builds a text, and not a function or a parsed program. */
	buildsText(node: SgNode | undefined, depth = 0): boolean {
		if (node === undefined || depth > MAX_DEPTH) return false;
		const kind = kindOf(node);
		if (kind === "string" || kind === "template_string") return true;
		if (kind === "parenthesized_expression") return this.buildsText(node.namedChildren()[0], depth + 1);
		if (kind === "binary_expression" && node.field("operator")?.text() === "+") {
			return [node.field("left"), node.field("right")].some(
				(side) => side !== null && this.buildsText(side, depth + 1),
			);
		}
		if (kind !== "identifier") return false;
		const fixed = this.#names.fixed(node.text(), node);
		return fixed?.kind === "value" && fixed.path.length === 0 && this.buildsText(fixed.value, depth + 1);
	}
}

/** The value of an option in an object literal. */
export function option(object: SgNode | undefined, name: string): SgNode | undefined {
	for (const pair of object?.namedChildren() ?? []) {
		const key = kindOf(pair) === "pair" ? pair.field("key") : null;
		if (key !== null && (stringValue(key) ?? key.text()) === name) return pair.field("value") ?? undefined;
	}
	return undefined;
}
