// Where things lie below the Git common directory of a repository.
import { join } from "node:path";

export function storePath(commonDir: string): string {
	return join(commonDir, "gentle-ai", "authority.sqlite3");
}

export function receiptPath(commonDir: string, lineage: string): string {
	return join(commonDir, "gentle-ai", "receipts", `${lineage}.json`);
}

export function resultsFolder(commonDir: string, lineage: string): string {
	return join(commonDir, "gentle-ai", "results", lineage);
}

export function resultPath(commonDir: string, lineage: string, order: number, lens: string): string {
	return join(resultsFolder(commonDir, lineage), `${String(order).padStart(2, "0")}-${lens}.json`);
}

export function stagingPath(commonDir: string): string {
	return join(commonDir, "gentle-ai", "staging");
}
