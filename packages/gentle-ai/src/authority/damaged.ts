// A store that is no database any more: it is set aside, never deleted.
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { storePath } from "./layout.ts";

/**
 * Moves a store that cannot be read, and what it published, out of the way; all is kept, and reviews start fresh. The path
 * it went to.
 */
export function quarantineStore(commonDir: string, stamp: string): string {
	const path = storePath(commonDir);
	const folder = join(commonDir, "gentle-ai", "quarantine");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const name = stamp.replaceAll(/[^0-9A-Za-z]/g, "-");
	const to = join(folder, `authority-${name}.sqlite3`);
	// First what it published: a fresh review may get the name of one that nobody can read any more.
	for (const copies of ["receipts", "results"]) {
		const from = join(commonDir, "gentle-ai", copies);
		if (existsSync(from)) renameSync(from, join(folder, `${copies}-${name}`));
	}
	renameSync(path, to);
	if (existsSync(`${path}-journal`)) renameSync(`${path}-journal`, `${to}-journal`);
	return to;
}
