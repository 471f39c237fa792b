// Immutable files: written in a staging folder, synced, then linked without ever replacing what is there.

import { randomBytes } from "node:crypto";
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	fsyncSync,
	linkSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	readSync,
	renameSync,
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

/** What killed publications left behind. A publisher that lives writes its file again when this takes it away. */
export function sweepPublications(staging: string): void {
	const names = existsSync(staging) ? readdirSync(staging) : [];
	for (const name of names) rmSync(join(staging, name), { force: true });
}

function stage(staging: string, bytes: string, mode: number): string {
	mkdirSync(staging, { recursive: true, mode: 0o700 });
	const staged = join(staging, `${randomBytes(12).toString("hex")}.tmp`);
	const handle = openSync(staged, "wx", mode);
	try {
		writeFileSync(handle, bytes);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	return staged;
}

/** Others may sweep the staged file away at any time; whoever is swept this often is not alone by accident. */
const STAGINGS = 8;

/** Writes `bytes` durably into the staging folder and lets `put` bring them to their place. */
function deliver<Result>(staging: string, bytes: string, mode: number, put: (staged: string) => Result): Result {
	for (let attempt = 1; ; attempt += 1) {
		const staged = stage(staging, bytes, mode);
		try {
			return put(staged);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === STAGINGS) throw error;
		} finally {
			rmSync(staged, { force: true });
		}
	}
}

function linkNew(staged: string, path: string): boolean {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	try {
		linkSync(staged, path);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw error;
	}
}

/**
 * Publishes `bytes` at `path` unless something else is there. Durable when it returns. `staging` is a folder of the same
 * file system that holds nothing but files on their way.
 */
export function publishImmutable(staging: string, path: string, bytes: string, mode: number): Publication {
	sweepPublications(staging);
	const before = publicationOf(path, bytes);
	if (before !== "absent") return before === "published" ? "already_there" : "conflict";
	if (!deliver(staging, bytes, mode, (staged) => linkNew(staged, path))) {
		return publicationOf(path, bytes) === "published" ? "already_there" : "conflict";
	}
	syncFolder(dirname(path));
	return "published";
}

/** Puts `bytes` in the place of whatever is at `path`; a reader sees the old bytes or the new ones. */
export function replaceFile(staging: string, path: string, bytes: string, mode: number): void {
	sweepPublications(staging);
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	deliver(staging, bytes, mode, (staged) => renameSync(staged, path));
	syncFolder(dirname(path));
}
