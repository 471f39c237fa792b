// Which field of a value breaks its schema. Asked only once a check has failed.
import { Errors } from "typebox/value";
import { CHECKED, type ShapeName } from "./checked.ts";

export type SchemaProblem = { readonly pointer: string; readonly rule: string };

export function explain(name: ShapeName, value: unknown): SchemaProblem {
	const errors = Errors(CHECKED[name], value);
	const first = errors.find((error) => error.keyword !== "boolean") ?? errors[0];
	return { pointer: first?.instancePath ?? "", rule: first?.message ?? "must match its schema" };
}
