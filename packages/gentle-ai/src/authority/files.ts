// Immutable files: written beside their place, synced, then linked without ever replacing what is there.

import { randomBytes } from "node:crypto";
import {
	closeSync,
	constants,
	fstatSync,
	fsyncSync,
	linkSync,
	lstatSync,
	mkdirSync,
	openSync,
	readSync,
	rmSync,
	type Stats,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const CHUNK = 64 * 1024;

export type Publication = "published" | "already_there" | "conflict";

function syncFolder(folder: string): void {
	// Windows refuses to sync folders; no durability of the entry is claimed there.
	if (process.platform === "win32") return;
	const handle = openSync(folder, "r");
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

/** Its size says little of a file that grows while it is read, and nothing of one that the system makes up. */
function readAtMost(handle: number, maxBytes: number): Buffer {
	const chunks: Buffer[] = [];
	for (let total = 0; ; ) {
		const chunk = Buffer.alloc(CHUNK);
		const read = readSync(handle, chunk);
		if (read === 0) return Buffer.concat(chunks);
		total += read;
		if (total > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
		chunks.push(chunk.subarray(0, read));
	}
}

/** The bytes of a regular file that is not a link and not larger than `maxBytes`; undefined when it is absent. */
export function readRegularFile(path: string, maxBytes: number): Buffer | undefined {
	let handle: number;
	let named: Stats;
	try {
		named = lstatSync(path);
		if (!named.isFile()) throw new Error("not a regular file");
		handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
		throw error;
	}
	try {
		const stat = fstatSync(handle);
		if (!stat.isFile() || stat.ino !== named.ino || stat.dev !== named.dev) throw new Error("not a regular file");
		if (stat.size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
		return readAtMost(handle, maxBytes);
	} finally {
		closeSync(handle);
	}
}

export function publicationOf(path: string, bytes: string): "absent" | "published" | "conflict" {
	try {
		const there = readRegularFile(path, 16 * 1024 * 1024);
		if (there === undefined) return "absent";
		return there.equals(Buffer.from(bytes)) ? "published" : "conflict";
	} catch {
		return "conflict";
	}
}

/** Publishes `bytes` at `path` unless something else is there. Durable when it returns. */
export function publishImmutable(path: string, bytes: string, mode: number): Publication {
	const folder = dirname(path);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const before = publicationOf(path, bytes);
	if (before !== "absent") return before === "published" ? "already_there" : "conflict";
	const staged = join(folder, `.${randomBytes(12).toString("hex")}.tmp`);
	const handle = openSync(staged, "wx", mode);
	try {
		writeFileSync(handle, bytes);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	try {
		linkSync(staged, path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		return publicationOf(path, bytes) === "published" ? "already_there" : "conflict";
	} finally {
		rmSync(staged, { force: true });
	}
	syncFolder(folder);
	return "published";
}
