// A store that is no database any more: it is set aside, never deleted.
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { storePath } from "./layout.ts";

/** Moves a store that cannot be read out of the way; it is kept, and reviews start fresh. The path it went to. */
export function quarantineStore(commonDir: string, stamp: string): string {
	const path = storePath(commonDir);
	const folder = join(commonDir, "gentle-ai", "quarantine");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const to = join(folder, `authority-${stamp.replaceAll(/[^0-9A-Za-z]/g, "-")}.sqlite3`);
	renameSync(path, to);
	if (existsSync(`${path}-journal`)) renameSync(`${path}-journal`, `${to}-journal`);
	return to;
}
