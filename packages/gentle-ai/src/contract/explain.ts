// Everything that needs the schemas themselves: which field of a value breaks one, asked only once a check has failed, and
// the schemas as documents.
import { Errors, Pointer } from "typebox/value";
import { CHECKED, type ShapeName } from "./checked.ts";

export { schemaDocument } from "./schema-documents.ts";

export type SchemaProblem = { readonly pointer: string; readonly rule: string; readonly value: unknown };

export function explain(name: ShapeName, value: unknown): SchemaProblem {
	const [first] = Errors(CHECKED[name], value);
	const pointer = first?.instancePath ?? "";
	// A closed object says of its unknown field only that the schema there is false.
	const unknown = first?.keyword === "boolean";
	const rule = unknown ? "must not be there: no such field is known" : (first?.message ?? "must match its schema");
	return { pointer, rule, value: Pointer.Get(value, pointer) };
}
