// The parts of a Python call, and the text of a Python string.
import type { SgNode } from "@ast-grep/napi";
import { kindOf } from "./names.ts";

/** A string literal without interpolation. */
export function pythonText(node: SgNode | undefined): string | undefined {
	if (node === undefined || kindOf(node) !== "string") return undefined;
	const children = node.namedChildren();
	if (children.some((child) => kindOf(child) === "interpolation")) return undefined;
	return children
		.filter((child) => kindOf(child) === "string_content")
		.map((child) => child.text())
		.join("");
}

/** Values of all arguments, keyword or not. */
export function given(call: SgNode): SgNode[] {
	return (call.field("arguments")?.namedChildren() ?? [])
		.filter((child) => kindOf(child) !== "comment")
		.map((child) => (kindOf(child) === "keyword_argument" ? (child.field("value") ?? child) : child));
}

export function positional(call: SgNode): SgNode[] {
	const list = call.field("arguments");
	if (list === null || kindOf(list) !== "argument_list") return [];
	return list.namedChildren().filter((child) => !/^(?:comment|keyword_argument|dictionary_splat)$/.test(kindOf(child)));
}

export function keyword(call: SgNode, name: string): SgNode | undefined {
	const found = call
		.field("arguments")
		?.namedChildren()
		.find((child) => kindOf(child) === "keyword_argument" && child.field("name")?.text() === name);
	return found?.field("value") ?? undefined;
}
