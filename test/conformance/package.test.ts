// The package as npm would publish it holds every published contract, byte for byte.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const built = existsSync(resolve(root, "packages/gentle-ai/dist/gentle-ai.cjs"));

it.skipIf(!built)("the npm package carries the contracts that this checkout publishes", () => {
	const script = resolve(root, "script/package-check.ts");
	const said = execFileSync(process.execPath, [script], { cwd: root, encoding: "utf8" });
	expect(said).toMatch(/^\d+ contract files are in the package, byte for byte\n$/);
});
