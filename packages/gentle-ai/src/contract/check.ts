// The one place where a value from outside meets its schema.
import type { Static, TSchema } from "typebox";
import { Check, Errors } from "typebox/value";

export type SchemaProblem = { readonly pointer: string; readonly rule: string };

/** The value, typed, or the first field that breaks the schema. */
export function checkShape<Schema extends TSchema>(
	schema: Schema,
	value: unknown,
): { readonly ok: true; readonly value: Static<Schema> } | { readonly ok: false; readonly problem: SchemaProblem } {
	if (Check(schema, value)) return { ok: true, value: value as Static<Schema> };
	const errors = Errors(schema, value);
	const first = errors.find((error) => error.keyword !== "boolean") ?? errors[0];
	return {
		ok: false,
		problem: { pointer: first?.instancePath ?? "", rule: first?.message ?? "must match its schema" },
	};
}
