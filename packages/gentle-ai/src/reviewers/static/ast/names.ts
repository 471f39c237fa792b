// Names and scopes of one source file: enough to know what a name stands for where it is used, in any language here.
import type { SgNode } from "@ast-grep/napi";

/**
 * What a name is bound to in one scope.
 * - `import`: `origin` says which thing of which module.
 * - `value`: the expression in `value`, or the part of it that `path` picks out.
 * - `each`: one of the elements of `value`.
 * - `opaque`: a parameter, a function, a class: something that is known to be local and nothing more.
 */
export type Binding =
	| { readonly kind: "import"; readonly origin: string }
	| { readonly kind: "value"; readonly value: SgNode; readonly path: readonly string[]; readonly type?: string }
	| { readonly kind: "each"; readonly value: SgNode }
	| { readonly kind: "opaque"; readonly type?: string };

export class Names {
	readonly #scopes = new Map<number, Map<string, Binding[]>>();
	readonly #known = new Set<string>();
	readonly #reassigned = new Set<string>();
	readonly #meaningful = new Set<string>();

	bind(scope: SgNode, name: string, binding: Binding): void {
		const names = this.#scopes.get(scope.id()) ?? new Map<string, Binding[]>();
		names.set(name, [...(names.get(name) ?? []), binding]);
		this.#scopes.set(scope.id(), names);
		this.#known.add(name);
		if (binding.kind === "import" || binding.kind === "value") this.#meaningful.add(name);
	}

	reassign(name: string): void {
		this.#reassigned.add(name);
	}

	/** Is the name a parameter or the like wherever the file binds it? Then no lookup can tell more. */
	isOnlyLocal(name: string): boolean {
		return this.#known.has(name) && !this.#meaningful.has(name);
	}

	/** The bindings of the nearest scope that has the name; undefined for a name that the file does not bind. */
	lookup(name: string, at: SgNode): readonly Binding[] | undefined {
		if (!this.#known.has(name)) return undefined;
		for (const scope of at.ancestors()) {
			const found = this.#scopes.get(scope.id())?.get(name);
			if (found !== undefined) return found;
		}
		return undefined;
	}

	/** The one binding that the name always has where it is used: bound once and never assigned again. */
	fixed(name: string, at: SgNode): Binding | undefined {
		const found = this.lookup(name, at);
		return found?.length === 1 && !this.#reassigned.has(name) ? found[0] : undefined;
	}
}

/** The nearest enclosing node of one of these kinds; the root when there is none. */
export function enclosing(node: SgNode, kinds: ReadonlySet<string>): SgNode {
	const ancestors = node.ancestors();
	return ancestors.find((ancestor) => kinds.has(String(ancestor.kind()))) ?? ancestors.at(-1) ?? node;
}

export function findKinds(root: SgNode, kinds: readonly string[]): SgNode[] {
	return root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
}

export function kindOf(node: SgNode): string {
	return String(node.kind());
}

/** 1-based line of a node's start. */
export function lineOf(node: SgNode): number {
	return node.range().start.line + 1;
}

/** Expressions deeper than this are taken for values; nobody writes a constant like that. */
export const MAX_DEPTH = 500;

/** Decides once for each node: names that stand for sums of names would otherwise be walked exponentially often. */
export class Verdicts {
	readonly #known = new Map<string, boolean>();

	of(node: SgNode, context: string, decide: () => boolean): boolean {
		const key = `${node.id()}${context}`;
		const known = this.#known.get(key);
		if (known !== undefined) return known;
		const verdict = decide();
		this.#known.set(key, verdict);
		return verdict;
	}
}

/** A name in capitals is a constant by convention, wherever it is defined. */
export function isConstantName(name: string): boolean {
	return /^[A-Z][A-Z0-9_]*$/.test(name);
}

/** Functions that make one shell word of anything. */
export function isQuoter(callee: string): boolean {
	const name = callee.slice(Math.max(callee.lastIndexOf("."), callee.lastIndexOf("::")) + 1);
	return (
		/^(?:quote|shell_?quote|shell_?escape|escape_?shell_?arg|shlex_?quote|Join)$/i.test(name) &&
		!/^strings?\./.test(callee)
	);
}

/** A sink that got a value: the rule, the call, and the part of it that is no literal. */
export type Sighting = { readonly rule: string; readonly call: SgNode; readonly value: SgNode };
