// Listings that prove that nothing changed: every entry below a folder with its type, mode, time and bytes.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestRepo } from "./repo.ts";

function describe(path: string): string {
	const stat = lstatSync(path, { bigint: true });
	const mode = (stat.mode & 0o7777n).toString(8);
	const when = stat.mtimeNs.toString();
	if (stat.isSymbolicLink()) return `link ${mode} ${readlinkSync(path)}`;
	if (stat.isDirectory()) return `folder ${mode} ${when}`;
	if (!stat.isFile()) return `other ${mode} ${when}`;
	return `file ${mode} ${when} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}

/** Path to description, for everything below `folder` including itself. */
export function listing(folder: string): Record<string, string> {
	const entries: Record<string, string> = {};
	const visit = (path: string, name: string) => {
		entries[name] = describe(path);
		if (!lstatSync(path).isDirectory()) return;
		for (const child of readdirSync(path).sort()) visit(join(path, child), `${name}/${child}`);
	};
	if (existsSync(folder)) visit(folder, ".");
	return entries;
}

/** The same without times: what a mutation that had nothing to add may still touch. */
export function contentsOf(repo: TestRepo): Record<string, string> {
	const timeless = ([name, text]: [string, string]) => [name, text.replace(/^(file|folder|other) (\d+) \d+/, "$1 $2")];
	return Object.fromEntries(Object.entries(listing(repo.folder)).map(timeless));
}

/** The work tree with its Git folder, the user's home, and the folder for temporary files. */
export function worldOf(repo: TestRepo): Record<string, Record<string, string>> {
	const { ".": _, ...temporary } = listing(repo.tmp);
	return { repository: listing(repo.root), home: listing(repo.home), temporary };
}
