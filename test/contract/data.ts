// Reads the published conformance data that the tests of the pure rooms run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "data");

export function readData(...path: string[]): string {
	return readFileSync(join(ROOT, ...path), "utf8");
}

export type Vector = {
	readonly file: string;
	readonly name: string;
	readonly derivation: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly expected: string;
};

export function readVectors(): Vector[] {
	return readdirSync(join(ROOT, "vectors"))
		.filter((file) => file.endsWith(".json"))
		.sort()
		.flatMap((file) => {
			const { vectors } = JSON.parse(readData("vectors", file)) as { vectors: Omit<Vector, "file">[] };
			return vectors.map((vector) => ({ ...vector, file }));
		});
}

export type Case<Input, Expect> = {
	readonly id: string;
	readonly input: Input;
	readonly expect: Expect;
	readonly why: string;
};
export type Suite<Input, Expect, Defaults> = {
	readonly cases: readonly Case<Input, Expect>[];
	readonly defaults: Defaults;
};

export function parseSuite<Input, Expect, Defaults = undefined>(text: string): Suite<Input, Expect, Defaults> {
	return JSON.parse(text) as Suite<Input, Expect, Defaults>;
}

/** The cases of one published behaviour suite; the caller names the shape that the suite's notes give them. */
export function readSuite<Input, Expect, Defaults = undefined>(name: string): Suite<Input, Expect, Defaults> {
	return parseSuite(readData("behaviour", `${name}.json`));
}
