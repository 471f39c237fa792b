// Was a person of this clone ever told that reviews happen here? Told once; a lost mark only tells again.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

function markPath(commonDir: string): string {
	return join(commonDir, "gentle-ai", "review-asked");
}

export function wasToldOnce(commonDir: string): boolean {
	return existsSync(markPath(commonDir));
}

export function markTold(commonDir: string): void {
	const path = markPath(commonDir);
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		writeFileSync(path, "", { flag: "a", mode: 0o600 });
	} catch {
		// Told again is all that a lost mark costs.
	}
}
