// The one place where a value from outside meets its schema.
import type { Shape, ShapeName } from "./checked.ts";
import type { SchemaProblem } from "./explain.ts";
import { explain, fits } from "./validators.ts";

/** The value, typed, or the first field that breaks the schema. */
export function checkShape<Name extends ShapeName>(
	name: Name,
	value: unknown,
): { readonly ok: true; readonly value: Shape<Name> } | { readonly ok: false; readonly problem: SchemaProblem } {
	if (fits(name, value)) return { ok: true, value: value as Shape<Name> };
	return { ok: false, problem: explain(name, value) };
}

/** The same for a value of our own keeping, where nobody asks what is wrong with it. */
export function keptShape<Name extends ShapeName>(name: Name, value: unknown): Shape<Name> | undefined {
	return fits(name, value) ? (value as Shape<Name>) : undefined;
}
