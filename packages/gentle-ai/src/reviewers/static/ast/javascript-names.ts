// The names that a JavaScript or TypeScript file binds, scope by scope.
import type { SgNode } from "@ast-grep/napi";
import { type Binding, enclosing, findKinds, kindOf, Names } from "./names.ts";

const FUNCTIONS = [
	"function_declaration",
	"function_expression",
	"arrow_function",
	"method_definition",
	"generator_function",
	"generator_function_declaration",
];
const FUNCTION_SCOPES = new Set([...FUNCTIONS, "program", "class_static_block"]);
const BLOCK_SCOPES = new Set([
	...FUNCTION_SCOPES,
	"statement_block",
	"switch_body",
	"for_statement",
	"for_in_statement",
	"catch_clause",
]);

/** The value of a string literal without its quotes; undefined for anything else. */
export function stringValue(node: SgNode | null | undefined): string | undefined {
	if (node === null || node === undefined) return undefined;
	const kind = kindOf(node);
	if (kind === "string") return node.text().slice(1, -1);
	if (kind === "template_string" && node.namedChildren().every((child) => kindOf(child) !== "template_substitution")) {
		return node.text().slice(1, -1);
	}
	return undefined;
}

export function moduleOrigin(name: string): string {
	return `${name.replace(/^node:/, "")}#`;
}

/** Binds every name in a pattern. `path` is what the pattern has picked out of the value so far. */
function bindPattern(
	pattern: SgNode,
	path: readonly string[],
	bind: (name: string, path: readonly string[]) => void,
): void {
	switch (kindOf(pattern)) {
		case "identifier":
			bind(pattern.text(), path);
			return;
		case "shorthand_property_identifier_pattern":
			bind(pattern.text(), [...path, pattern.text()]);
			return;
		case "pair_pattern": {
			const key = pattern.field("key");
			const value = pattern.field("value");
			if (key !== null && value !== null) bindPattern(value, [...path, stringValue(key) ?? key.text()], bind);
			return;
		}
		case "object_assignment_pattern":
		case "assignment_pattern": {
			const left = pattern.field("left");
			if (left !== null) bindPattern(left, path, bind);
			return;
		}
		case "required_parameter":
		case "optional_parameter": {
			const inner = pattern.field("pattern");
			if (inner !== null) bindPattern(inner, path, bind);
			return;
		}
		case "array_pattern":
		case "rest_pattern":
			for (const child of pattern.namedChildren()) bindPattern(child, [...path, "[]"], bind);
			return;
		case "object_pattern":
		case "formal_parameters":
			for (const child of pattern.namedChildren()) bindPattern(child, path, bind);
			return;
	}
}

/** The names of `import d, * as n, { a as b } from "m"` with what each stands for. */
function importedNames(clause: SgNode, origin: string): (readonly [name: string, origin: string])[] {
	return clause.namedChildren().flatMap((part) => {
		if (kindOf(part) === "identifier") return [[part.text(), origin] as const];
		if (kindOf(part) === "namespace_import") return [[part.namedChildren()[0]?.text() ?? "", origin] as const];
		return part.namedChildren().map((one) => {
			const name = one.field("name")?.text() ?? "";
			return [one.field("alias")?.text() ?? name, name === "default" ? origin : `${origin}${name}`] as const;
		});
	});
}

function bindImport(names: Names, statement: SgNode): void {
	const scope = enclosing(statement, BLOCK_SCOPES);
	const bind = (name: string, origin: string) => names.bind(scope, name, { kind: "import", origin });
	for (const part of statement.namedChildren()) {
		if (kindOf(part) === "import_require_clause") {
			const [name, module] = part.namedChildren();
			bind(name?.text() ?? "", moduleOrigin(stringValue(module) ?? ""));
		} else if (kindOf(part) === "import_clause") {
			const origin = moduleOrigin(stringValue(statement.field("source")) ?? "");
			for (const [name, meaning] of importedNames(part, origin)) bind(name, meaning);
		}
	}
}

function bindVariable(names: Names, declarator: SgNode): void {
	const target = declarator.field("name");
	if (target === null) return;
	const value = declarator.field("value");
	const hoisted = kindOf(declarator.parent() ?? declarator) === "variable_declaration";
	const scope = enclosing(declarator, hoisted ? FUNCTION_SCOPES : BLOCK_SCOPES);
	bindPattern(target, [], (name, path) => {
		const binding: Binding = value === null ? { kind: "opaque" } : { kind: "value", value, path };
		names.bind(scope, name, binding);
	});
}

function bindFunction(names: Names, node: SgNode): void {
	const opaque = (name: string) => names.bind(node, name, { kind: "opaque" });
	const parameters = node.field("parameters") ?? node.field("parameter");
	if (parameters !== null) bindPattern(parameters, [], opaque);
	const name = node.field("name");
	if (name === null || kindOf(node) === "method_definition") return;
	const inner = kindOf(node) === "function_expression" || kindOf(node) === "generator_function";
	names.bind(inner ? node : enclosing(node, BLOCK_SCOPES), name.text(), { kind: "opaque" });
}

function bindLoop(names: Names, node: SgNode): void {
	const left = node.field("left");
	const right = node.field("right");
	if (left === null || right === null) return;
	const elements = node.field("operator")?.text() === "of";
	bindPattern(left, [], (name, path) => {
		names.bind(node, name, elements && path.length === 0 ? { kind: "each", value: right } : { kind: "opaque" });
	});
}

function noteAssignment(names: Names, node: SgNode): void {
	const target = node.field("left") ?? node.field("argument");
	if (target !== null) bindPattern(target, [], (name) => names.reassign(name));
}

const HANDLERS: Readonly<Record<string, (names: Names, node: SgNode) => void>> = {
	import_statement: bindImport,
	variable_declarator: bindVariable,
	for_in_statement: bindLoop,
	assignment_expression: noteAssignment,
	augmented_assignment_expression: noteAssignment,
	update_expression: noteAssignment,
	class_declaration: (names, node) => {
		names.bind(enclosing(node, BLOCK_SCOPES), node.field("name")?.text() ?? "", { kind: "opaque" });
	},
	catch_clause: (names, node) => {
		const parameter = node.field("parameter");
		if (parameter !== null) bindPattern(parameter, [], (name) => names.bind(node, name, { kind: "opaque" }));
	},
	...Object.fromEntries(FUNCTIONS.map((kind) => [kind, bindFunction])),
};

export function collectNames(root: SgNode): Names {
	const names = new Names();
	for (const node of findKinds(root, Object.keys(HANDLERS))) HANDLERS[kindOf(node)]?.(names, node);
	return names;
}
