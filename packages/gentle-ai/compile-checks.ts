// Compiles the checks of stored and received shapes at build time, one module a schema, and puts them into the bundled
// program in the place of src/contract/validators.ts. The schemas stay the one definition.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Code } from "typebox/compile";
import { CHECKED, type ShapeName } from "./src/contract/checked.ts";

const interpreted = join(import.meta.dirname, "src", "contract", "validators.ts");
const PREFIX = "compiled-check:";

export const SHAPES = Object.keys(CHECKED) as ShapeName[];

/** A file of TypeBox by its place. Its public doors would bring the whole library along. */
function typeboxFile(...path: string[]): string {
	const door = fileURLToPath(import.meta.resolve("typebox"));
	return JSON.stringify(join(dirname(door), ...path).replaceAll("\\", "/"));
}

function literal(variable: unknown): string {
	if (variable instanceof RegExp) return String(variable);
	throw new Error("a schema needs something at run time that the build cannot write down");
}

/** A module that exports `Check` for one schema and needs nothing but two small files of TypeBox. */
export function compiledModule(name: ShapeName): string {
	const { Code: code, External: external } = Code(CHECKED[name]);
	return [
		code
			.replace(
				'import { Hashing } from "typebox/system"',
				`import * as Hashing from ${typeboxFile("system/hashing/hash.mjs")}`,
			)
			.replace('import { Guard } from "typebox/guard"', `import * as Guard from ${typeboxFile("guard/guard.mjs")}`),
		`External = [${external.variables.map(literal).join(", ")}]`,
	].join("\n");
}

/**
 * The twin of validators.ts. Explaining a refusal needs the schemas themselves; they stay in a file of their own beside the
 * program, which is loaded then, and only when it is the one of this build.
 */
function twin(explanationSha256: string): string {
	return [
		'import { createHash } from "node:crypto";',
		'import { readFileSync } from "node:fs";',
		'import { join } from "node:path";',
		...SHAPES.map((name) => `import { Check as ${name} } from "${PREFIX}${name}";`),
		`const checks = { ${SHAPES.join(", ")} };`,
		"export const fits = (name, value) => checks[name](value);",
		"function schemas() {",
		'	const file = join(__dirname, "explain.cjs");',
		'	const digest = createHash("sha256").update(readFileSync(file)).digest("hex");',
		`	if (digest !== "${explanationSha256}") throw new Error("explain.cjs is not the one of this build");`,
		"	return require(file);",
		"}",
		"export const explain = (name, value) => schemas().explain(name, value);",
		"export const schemaDocument = (name) => schemas().schemaDocument(name);",
	].join("\n");
}

/** For the bundler: swaps the module and serves the compiled ones. */
export function compiledChecks(explanationSha256: string) {
	return {
		name: "compiled-checks",
		resolveId: (source: string) => (source.startsWith(PREFIX) ? source : undefined),
		load: (id: string) => {
			if (id === interpreted) return { code: twin(explanationSha256), moduleType: "js" as const };
			const name = SHAPES.find((shape) => id === `${PREFIX}${shape}`);
			return name === undefined ? undefined : { code: compiledModule(name), moduleType: "js" as const };
		},
	};
}
