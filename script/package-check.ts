// Packs the npm package into a temporary folder and compares what lies in it with the sources: every file of contracts/ by
// its SHA-256, the program that the package starts, and nothing that a user has no use for.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "contracts");

function filesBelow(folder: string): string[] {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
		.sort();
}

function digest(path: string): string {
	return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "absent";
}

/** The built package as npm would publish it, unpacked. */
function packed(folder: string): string {
	const args = ["pack", "--workspace", "packages/gentle-ai", "--ignore-scripts", "--pack-destination", folder];
	execFileSync("npm", [...args, "--silent"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
	const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
	execFileSync("tar", ["-xzf", join(folder, tarball), "-C", folder]);
	return join(folder, "package");
}

function problemsOf(folder: string): string[] {
	const contracts = join(folder, "contracts");
	const names = new Set([...filesBelow(source), ...filesBelow(contracts)]);
	const differing = [...names].filter((name) => digest(join(source, name)) !== digest(join(contracts, name)));
	const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { bin: Record<string, string> };
	const missing = Object.values(bin).filter((path) => !existsSync(join(folder, path)));
	const foreign = filesBelow(folder).filter((name) => /^(?:src|test|node_modules)\//.test(name));
	return [
		...differing.map((name) => `contracts/${name} in the package is not the published one; build again`),
		...missing.map((name) => `${name} is not in the package`),
		...foreign.map((name) => `${name} has no place in the package`),
	];
}

const folder = mkdtempSync(join(tmpdir(), "gentle-ai-package-"));
try {
	const problems = problemsOf(packed(folder));
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
	else console.log(`${filesBelow(source).length} contract files are in the package, byte for byte`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
