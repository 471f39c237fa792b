// The one place where a value from outside meets its schema.
import type { Static, TSchema } from "typebox";
import { Check, Errors, Pointer } from "typebox/value";

export type SchemaProblem = { readonly pointer: string; readonly rule: string; readonly value: unknown };

/** The value, typed, or the first field that breaks the schema. */
export function checkShape<Schema extends TSchema>(
	schema: Schema,
	value: unknown,
): { readonly ok: true; readonly value: Static<Schema> } | { readonly ok: false; readonly problem: SchemaProblem } {
	if (Check(schema, value)) return { ok: true, value: value as Static<Schema> };
	const [first] = Errors(schema, value);
	const pointer = first?.instancePath ?? "";
	// A closed object says of its unknown field only that the schema there is false.
	const unknown = first?.keyword === "boolean";
	const rule = unknown ? "must not be there: no such field is known" : (first?.message ?? "must match its schema");
	return { ok: false, problem: { pointer, rule, value: Pointer.Get(value, pointer) } };
}
