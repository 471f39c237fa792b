// What a Python expression stands for: a dotted name of a module or of the builtins, or a constant text.
import type { SgNode } from "@ast-grep/napi";
import { enclosing, findKinds, isConstantName, isQuoter, kindOf, MAX_DEPTH, Names, Verdicts } from "./names.ts";
import { given, positional, pythonText } from "./python-calls.ts";

const SCOPES = new Set(["module", "function_definition", "lambda"]);
const BINDERS = [
	"import_statement",
	"import_from_statement",
	"assignment",
	"augmented_assignment",
	"named_expression",
	"function_definition",
	"class_definition",
	"lambda",
	"for_statement",
	"for_in_clause",
	"as_pattern_target",
] as const;

type Binder = (bound: PythonNames, node: SgNode) => void;

/** Names bound in a target or a parameter list, whatever its shape. */
function targetNames(node: SgNode): string[] {
	const kind = kindOf(node);
	if (kind === "identifier") return [node.text()];
	if (/^(?:attribute|subscript|call|type)$/.test(kind)) return [];
	if (/^(?:default_parameter|typed_default_parameter)$/.test(kind))
		return targetNames(node.field("name") ?? node.child(0) ?? node);
	return node.namedChildren().flatMap(targetNames);
}

function bindImports(bound: PythonNames, node: SgNode): void {
	const scope = enclosing(node, SCOPES);
	const from = kindOf(node) === "import_from_statement" ? node.field("module_name") : null;
	for (const part of node.namedChildren()) {
		if (from !== null && part.id() === from.id()) continue;
		if (kindOf(part) === "wildcard_import") bound.stars.add(from?.text() ?? "");
		const name = kindOf(part) === "aliased_import" ? (part.field("name")?.text() ?? "") : part.text();
		const alias = part.field("alias")?.text();
		if (from !== null) bound.names.bind(scope, alias ?? name, { kind: "import", origin: `${from.text()}.${name}` });
		else if (alias !== undefined) bound.names.bind(scope, alias, { kind: "import", origin: name });
		else {
			const root = name.split(".")[0] ?? name;
			bound.names.bind(scope, root, { kind: "import", origin: root });
		}
	}
}

function bindAssignment(bound: PythonNames, node: SgNode): void {
	const target = node.field("left") ?? node.field("name");
	const value = node.field("right") ?? node.field("value");
	if (target === null) return;
	const simple = kindOf(target) === "identifier" && value !== null;
	for (const name of targetNames(target)) {
		bound.names.bind(enclosing(node, SCOPES), name, simple ? { kind: "value", value, path: [] } : { kind: "opaque" });
	}
}

function bindParameters(bound: PythonNames, node: SgNode): void {
	const parameters = node.field("parameters");
	for (const name of parameters === null ? [] : targetNames(parameters))
		bound.names.bind(node, name, { kind: "opaque" });
	const own = node.field("name");
	if (own !== null) bound.names.bind(enclosing(node, SCOPES), own.text(), { kind: "opaque" });
}

function bindLoop(bound: PythonNames, node: SgNode): void {
	const target = node.field("left");
	const value = node.field("right");
	if (target === null || value === null) return;
	const each = kindOf(target) === "identifier";
	for (const name of targetNames(target)) {
		bound.names.bind(enclosing(node, SCOPES), name, each ? { kind: "each", value } : { kind: "opaque" });
	}
}

const HANDLERS: Readonly<Record<(typeof BINDERS)[number], Binder>> = {
	import_statement: bindImports,
	import_from_statement: bindImports,
	assignment: bindAssignment,
	named_expression: bindAssignment,
	augmented_assignment: (bound, node) => {
		const target = node.field("left");
		for (const name of target === null ? [] : targetNames(target)) bound.names.reassign(name);
	},
	function_definition: bindParameters,
	lambda: bindParameters,
	class_definition: (bound, node) => {
		bound.names.bind(enclosing(node, SCOPES), node.field("name")?.text() ?? "", { kind: "opaque" });
	},
	for_statement: bindLoop,
	for_in_clause: bindLoop,
	as_pattern_target: (bound, node) => {
		for (const name of targetNames(node)) bound.names.bind(enclosing(node, SCOPES), name, { kind: "opaque" });
	},
};

export class PythonNames {
	readonly names = new Names();
	/** Modules whose every name was imported. */
	readonly stars = new Set<string>();
	readonly #verdicts = new Verdicts();

	constructor(root: SgNode) {
		for (const node of findKinds(root, BINDERS)) {
			const kind = BINDERS.find((one) => one === kindOf(node));
			if (kind !== undefined) HANDLERS[kind](this, node);
		}
	}

	/** The dotted name, e.g. `os.system` or `builtins.eval`; undefined for what is local. */
	origin(node: SgNode | null | undefined, depth = 0): string | undefined {
		if (node === null || node === undefined || depth > MAX_DEPTH) return undefined;
		switch (kindOf(node)) {
			case "identifier": {
				const binding = this.names.lookup(node.text(), node)?.[0];
				if (binding === undefined) return `builtins.${node.text()}`;
				if (binding.kind === "import") return binding.origin;
				return binding.kind === "value" ? this.origin(binding.value, depth + 1) : undefined;
			}
			case "attribute": {
				const object = this.origin(node.field("object"), depth + 1);
				const name = `${object}.${node.field("attribute")?.text() ?? ""}`;
				return object === undefined ? undefined : name.replace(/^builtins\.__builtins__\./, "builtins.");
			}
			case "parenthesized_expression":
				return this.origin(node.namedChildren()[0], depth + 1);
			case "call": {
				const callee = this.origin(node.field("function"), depth + 1);
				const [first] = positional(node);
				const loads = callee === "builtins.__import__" || callee === "importlib.import_module";
				return loads ? pythonText(first) : callee === undefined ? undefined : `${callee}()`;
			}
			default:
				return undefined;
		}
	}

	isConstant(node: SgNode | null | undefined, quoted = false, depth = 0): boolean {
		if (node === null || node === undefined || depth > MAX_DEPTH) return false;
		return this.#verdicts.of(node, quoted ? "q" : "", () => this.#decide(node, quoted, depth));
	}

	#decide(node: SgNode, quoted: boolean, depth: number): boolean {
		const all = (nodes: readonly (SgNode | null)[]) => nodes.every((one) => this.isConstant(one, quoted, depth + 1));
		switch (kindOf(node)) {
			case "integer":
			case "float":
			case "true":
			case "false":
			case "none":
				return true;
			case "string":
				return all(node.namedChildren().filter((child) => kindOf(child) === "interpolation"));
			case "interpolation":
				return this.isConstant(node.namedChildren()[0], quoted, depth + 1);
			case "concatenated_string":
			case "parenthesized_expression":
			case "list":
			case "tuple":
			case "list_splat":
				return all(node.namedChildren().filter((child) => kindOf(child) !== "comment"));
			case "binary_operator":
				return all([node.field("left"), node.field("right")]);
			case "conditional_expression":
				return all([node.namedChildren()[0] ?? null, node.namedChildren()[2] ?? null]);
			case "identifier":
				return this.#isConstantName(node, quoted, depth);
			case "attribute":
				return (
					/^(?:sys\.(?:executable|platform)|os\.(?:sep|linesep|name))$/.test(node.text()) ||
					isConstantName(node.field("attribute")?.text() ?? "")
				);
			case "call":
				return this.#isConstantCall(node, quoted, depth);
			default:
				return false;
		}
	}

	#isConstantName(node: SgNode, quoted: boolean, depth: number): boolean {
		const name = node.text();
		if (name === "__file__" || name === "__name__") return true;
		const bindings = this.names.lookup(name, node);
		if (bindings === undefined || bindings[0]?.kind === "import") return isConstantName(name);
		const fixed = this.names.fixed(name, node);
		return (fixed?.kind === "value" || fixed?.kind === "each") && this.isConstant(fixed.value, quoted, depth + 1);
	}

	#isConstantCall(node: SgNode, quoted: boolean, depth: number): boolean {
		const callee = node.field("function");
		if (callee === null) return false;
		const name = this.origin(callee, depth + 1) ?? callee.text();
		if (quoted && (isQuoter(name) || name === "shlex.join" || name === "subprocess.list2cmdline")) return true;
		// A number cannot hold a command.
		if (/^(?:builtins\.(?:int|float|len|ord|hash|id)|os\.get\w*[ug]?id)$/.test(name)) return true;
		const constant = (one: SgNode | null) => this.isConstant(one, quoted, depth + 1);
		if (/^(?:os\.path\.\w+|builtins\.str|textwrap\.dedent)$/.test(name)) return positional(node).every(constant);
		const method = callee.field("attribute")?.text() ?? "";
		const pure = /^(?:format|join|strip|lstrip|rstrip|lower|upper|replace|encode)$/;
		return (
			kindOf(callee) === "attribute" &&
			pure.test(method) &&
			constant(callee.field("object")) &&
			given(node).every(constant)
		);
	}

	/** The list literal that the expression is, or that the name always stands for. */
	list(node: SgNode | undefined): SgNode | undefined {
		if (node === undefined || kindOf(node) === "list" || kindOf(node) === "tuple") return node;
		if (kindOf(node) !== "identifier") return undefined;
		const fixed = this.names.fixed(node.text(), node);
		return fixed?.kind === "value" && /^(?:list|tuple)$/.test(kindOf(fixed.value)) ? fixed.value : undefined;
	}

	text(node: SgNode | undefined): string | undefined {
		const own = pythonText(node);
		if (own !== undefined || node === undefined || kindOf(node) !== "identifier") return own;
		const fixed = this.names.fixed(node.text(), node);
		return fixed?.kind === "value" ? pythonText(fixed.value) : undefined;
	}
}
