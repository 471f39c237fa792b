// The store as another process sees it: for damage, locks and questions that the program offers no command for.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestRepo } from "./repo.ts";

export function storePath(repo: TestRepo): string {
	return join(repo.root, ".git", "gentle-ai", "authority.sqlite3");
}

export function receiptPath(repo: TestRepo, lineage: string): string {
	return join(repo.root, ".git", "gentle-ai", "receipts", `${lineage}.json`);
}

/** Runs statements on the store, as someone who can write the file but is not the program. */
export function alterStore(repo: TestRepo, sql: string): void {
	const database = new DatabaseSync(storePath(repo));
	try {
		database.exec(sql);
	} finally {
		database.close();
	}
}

export function queryStore(repo: TestRepo, sql: string): Record<string, unknown>[] {
	const database = new DatabaseSync(storePath(repo), { readOnly: true });
	try {
		return database.prepare(sql).all();
	} finally {
		database.close();
	}
}

/** Cuts the stored record of one review after twenty bytes. */
export function damageRecord(repo: TestRepo, lineage: string): void {
	alterStore(repo, `UPDATE lineages SET state_json = substr(state_json, 1, 20) WHERE lineage_id = '${lineage}'`);
}

export type StoreHolder = { readonly release: () => Promise<void> };

/** Another process that holds a transaction open until it is told to let go. */
export function holdStore(repo: TestRepo, begin: "BEGIN IMMEDIATE" | "BEGIN EXCLUSIVE"): Promise<StoreHolder> {
	const script = `
		const { DatabaseSync } = require("node:sqlite");
		const database = new DatabaseSync(process.argv[1]);
		database.exec(process.argv[2]);
		process.stdout.write("held");
		process.stdin.on("data", () => {}).on("end", () => { database.exec("ROLLBACK"); database.close(); });`;
	const child = spawn(process.execPath, ["-e", script, storePath(repo), begin], { stdio: ["pipe", "pipe", "ignore"] });
	const ended = new Promise<void>((done) => child.on("close", () => done()));
	return new Promise((held, failed) => {
		child.on("error", failed);
		child.stdout.once("data", () => {
			held({
				release: () => {
					child.stdin.end();
					return ended;
				},
			});
		});
	});
}

/** A process that is killed when its transaction has reached the file, but not its end. */
export async function killInTransaction(repo: TestRepo): Promise<void> {
	const script = `
		const { DatabaseSync } = require("node:sqlite");
		const database = new DatabaseSync(process.argv[1]);
		database.exec("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE");
		database.exec("UPDATE lineages SET state = 'approved', state_json = '{}', revision = 'torn'");
		const row = database.prepare("INSERT INTO transitions VALUES ('torn', ?, ?, 'torn', 'torn')");
		for (let at = 0; at < 500; at += 1) row.run(at, "x".repeat(3000));
		process.kill(process.pid, "SIGKILL");`;
	const child = spawn(process.execPath, ["-e", script, storePath(repo)], { stdio: "ignore" });
	await new Promise<void>((done) => child.on("close", () => done()));
	if (!existsSync(`${storePath(repo)}-journal`)) throw new Error("the killed process left no journal");
}

/** Takes back what version 3 brought. */
const TO_VERSION_2 = `
	DROP TABLE quarantined_results;
	DROP INDEX endings_by_predecessor;
	ALTER TABLE endings DROP COLUMN predecessor;
	ALTER TABLE endings DROP COLUMN disposition;
	ALTER TABLE endings DROP COLUMN authorization;
	PRAGMA user_version = 2;`;

/** Takes back what version 2 brought, too. */
const TO_VERSION_1 = `
	${TO_VERSION_2}
	DROP TABLE attempts;
	DROP INDEX lineages_by_scope;
	DROP INDEX lineages_by_predecessor;
	ALTER TABLE lineages DROP COLUMN paths_digest;
	ALTER TABLE lineages DROP COLUMN predecessor;
	PRAGMA user_version = 1;`;

/** The earlier versions of the store, and what makes one of the current store. */
export const EARLIER_STORES = [
	["2", TO_VERSION_2],
	["1", TO_VERSION_1],
] as const;
