// Which paths Git hands to a clean filter of the user's before it takes their bytes (threat C4).
import { pathFromBytes, splitNul } from "./paths.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

const NO_DRIVER = new Set(["", "unspecified", "unset", "set"]);

/** Those of `paths` that name a filter, each with the name. What is frozen of them is what that filter answered. */
export async function filteredPaths(
	session: GitSession,
	repository: Repository,
	paths: readonly string[],
): Promise<{ readonly path: string; readonly filter: string }[]> {
	if (paths.length === 0) return [];
	const answer = await session.freeze(repository, ["check-attr", "-z", "--stdin", "filter"], {
		stdin: Buffer.from(paths.map((path) => `${path}\0`).join("")),
		maxStdoutBytes: Number.MAX_SAFE_INTEGER,
	});
	const fields = splitNul(answer.stdout);
	return paths.flatMap((_, index) => {
		const [path, , value] = fields.slice(index * 3, index * 3 + 3);
		const filter = value?.toString("utf8") ?? "unspecified";
		return path === undefined || NO_DRIVER.has(filter) ? [] : [{ path: pathFromBytes(path), filter }];
	});
}
