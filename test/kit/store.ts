// The store as another process sees it: for damage, locks and questions that the program offers no command for.
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
