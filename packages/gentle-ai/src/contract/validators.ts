// The checks, interpreted from the schemas. In the bundled program the build puts compiled ones in the place of this file
// (build.ts), so that no schema is built before a value has failed its check.
import { Check } from "typebox/value";
import { CHECKED, type ShapeName } from "./checked.ts";

export { explain, schemaDocument } from "./explain.ts";

export function fits(name: ShapeName, value: unknown): boolean {
	return Check(CHECKED[name], value);
}
