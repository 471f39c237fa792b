// The one place that opens the database. Rollback journal, full sync: a committed change survives power loss, an
// uncommitted one never happened.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ReviewError } from "../contract/errors.ts";
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/** "gent" in ASCII: tells our database from any other SQLite file. */
const APPLICATION_ID = 0x67656e74;

function versionOf(database: DatabaseSync): number {
	return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

function isOlder(database: DatabaseSync): boolean {
	const id = Number(database.prepare("PRAGMA application_id").get()?.application_id ?? 0);
	const version = versionOf(database);
	return id === APPLICATION_ID && version > 0 && version < SCHEMA_VERSION;
}

function migrate(database: DatabaseSync): void {
	for (let version = versionOf(database); version < SCHEMA_VERSION; version += 1) {
		database.exec(`${MIGRATIONS[version] ?? ""} PRAGMA user_version = ${version + 1};`);
	}
}

const QUARANTINE_NEXT =
	"Run `gentle-ai review end --store --reason <text>`: it moves the damaged store into quarantine, and reviews start fresh";

export function damagedStore(cause?: unknown): ReviewError {
	return new ReviewError(
		"authority_corrupted",
		{ message: "the review store of this repository is damaged", next: QUARANTINE_NEXT },
		{ cause },
	);
}

function errcode(error: unknown): number {
	return typeof error === "object" && error !== null && "errcode" in error ? Number(error.errcode) : 0;
}

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
/** SQLITE_READONLY_ROLLBACK: a journal is pending, and a read-only connection may not roll it back. */
const READONLY_ROLLBACK = 776;

/** SQLite's errors in our words; anything unknown stays a bug. */
export function storeError(error: unknown, waitedMs: number): unknown {
	if (error instanceof ReviewError) return error;
	const code = errcode(error);
	const primary = code & 0xff;
	if (primary === BUSY || primary === LOCKED) {
		return new ReviewError(
			"authority_lock_timeout",
			{
				message: `another process kept the review store locked for more than ${waitedMs} ms`,
				next: "Wait for the other review command to end, then run this one again",
			},
			{ cause: error },
		);
	}
	if (primary === CORRUPT || primary === NOT_A_DATABASE) return damagedStore(error);
	if (code !== 0 || isFilesystemError(error)) {
		return new ReviewError(
			"store_lock_unavailable",
			{
				message: "the review store could not be read or written",
				next: "Check free space and permissions of the repository's Git folder, then run the command again",
			},
			{ cause: error },
		);
	}
	return error;
}

/** What the platform says of a folder that cannot be made: no space, no permission, a file in its place. */
function isFilesystemError(error: unknown): boolean {
	return error instanceof Error && "syscall" in error;
}

function checkOwner(database: DatabaseSync): void {
	const id = Number(database.prepare("PRAGMA application_id").get()?.application_id ?? 0);
	const version = versionOf(database);
	if (id === APPLICATION_ID && version === SCHEMA_VERSION) return;
	if (id === APPLICATION_ID && version > SCHEMA_VERSION) {
		throw new ReviewError("store_lock_unavailable", {
			message: `the review store was written by a newer gentle-ai (store version ${version}, this one knows ${SCHEMA_VERSION})`,
			next: "Install the newer gentle-ai again, or end its reviews there first",
		});
	}
	throw damagedStore();
}

/** Loaded when a store is opened: most of what starts has none to open. */
function openDatabase(path: string, options: ConstructorParameters<typeof DatabaseSync>[1] = {}): DatabaseSync {
	return new (process.getBuiltinModule("node:sqlite").DatabaseSync)(path, options);
}

export type Connection = {
	readonly database: DatabaseSync;
	/** Sees what others commit later; a recovered copy does not. */
	readonly live: boolean;
	readonly close: () => void;
};

/** Loads what a store needs, for whoever waits for something else anyway. */
export function warmUp(): void {
	process.getBuiltinModule("node:sqlite");
}

/**
 * Opens for reading. Absent store: undefined. A pending journal is recovered, and a store of an older version brought up to
 * date, in a private copy and never in place.
 */
export function openForReading(path: string, waitMs: number): Connection | undefined {
	if (!existsSync(path)) return undefined;
	try {
		// An empty file is what a kill before the first commit leaves, with or without a journal: nothing was ever kept.
		if (statSync(path).size === 0) return undefined;
		const database = openDatabase(path, { readOnly: true, timeout: waitMs });
		try {
			if (isOlder(database)) {
				database.close();
				return openRecoveredCopy(path);
			}
			checkOwner(database);
			return { database, live: true, close: () => database.close() };
		} catch (error) {
			if (database.isOpen) database.close();
			if (errcode(error) === READONLY_ROLLBACK) return openRecoveredCopy(path);
			throw error;
		}
	} catch (error) {
		throw storeError(error, waitMs);
	}
}

function openRecoveredCopy(path: string): Connection | undefined {
	const folder = mkdtempSync(join(tmpdir(), "gentle-ai-store-"));
	const remove = () => rmSync(folder, { recursive: true, force: true });
	try {
		const copy = join(folder, "authority.sqlite3");
		copyFileSync(path, copy);
		if (existsSync(`${path}-journal`)) copyFileSync(`${path}-journal`, `${copy}-journal`);
		const database = openDatabase(copy);
		if (versionOf(database) === 0) {
			database.close();
			remove();
			return undefined;
		}
		if (isOlder(database)) inTransaction(database, () => migrate(database));
		checkOwner(database);
		return {
			database,
			live: false,
			close: () => {
				database.close();
				remove();
			},
		};
	} catch (error) {
		remove();
		throw error;
	}
}

/** Opens for one mutation, creating the store when it is the first. */
export function openForWriting(path: string, waitMs: number): Connection {
	try {
		mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
		const database = openDatabase(path, { timeout: waitMs, enableForeignKeyConstraints: true });
		try {
			database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;");
			inTransaction(database, () => {
				const empty = Number(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.n ?? 0) === 0;
				if (!empty) {
					if (isOlder(database)) migrate(database);
					return;
				}
				database.exec(SCHEMA);
				database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
			});
			checkOwner(database);
			return { database, live: true, close: () => database.close() };
		} catch (error) {
			database.close();
			throw error;
		}
	} catch (error) {
		throw storeError(error, waitMs);
	}
}

/** All or nothing, with the write lock taken at once so that no read is stale when the write comes. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	database.exec("BEGIN IMMEDIATE");
	try {
		const result = work();
		database.exec("COMMIT");
		return result;
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}
