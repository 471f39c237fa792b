// Writes contracts/ from the shapes, renderers and tables of the source: `node script/contracts.ts`. With --check it
// writes nothing and fails when a published file is missing, foreign, or not what the code says.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ADMISSION_RULES } from "../packages/gentle-ai/src/review/index.ts";
import { fixtureFiles } from "./contracts/fixtures.ts";
import { schemaFiles } from "./contracts/schemas.ts";

const root = resolve(import.meta.dirname, "..", "contracts");

const files = new Map<string, string>([
	...schemaFiles(),
	...fixtureFiles(),
	["review-integration/v2/admission-rules.json", `${JSON.stringify(ADMISSION_RULES, null, "\t")}\n`],
]);

function published(): string[] {
	if (!existsSync(root)) return [];
	return readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}

const check = process.argv.includes("--check");

for (const name of published()) {
	if (files.has(name)) continue;
	if (check) {
		console.error(`contracts/${name} is published by nobody; run: node script/contracts.ts`);
		process.exitCode = 1;
	} else rmSync(join(root, name));
}

for (const [name, wanted] of files) {
	const path = join(root, name);
	if (!check) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, wanted);
	} else if (!existsSync(path) || readFileSync(path, "utf8") !== wanted) {
		console.error(`contracts/${name} is not what the code says; run: node script/contracts.ts`);
		process.exitCode = 1;
	}
}
