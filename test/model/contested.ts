// A repository whose bytes two reviews may be corrected by: the one state that no single walk comes to in time.
import { blocker } from "../kit/answers.ts";
import { captureAll, finalized, startPrinted } from "../kit/drive.ts";
import type { TestRepo } from "../kit/repo.ts";

/** Reviews what differs from HEAD until a blocker in `path` asks for its correction. */
async function blockedAt(repo: TestRepo, path: string): Promise<void> {
	const { lineage_id } = await startPrinted(repo);
	await captureAll(repo, () => [blocker(`${path}:1`)]);
	await finalized(repo, lineage_id, "--captured-results");
}

/** One review of each of two paths, and one of both; then one path changes again and belongs to two of them. */
export async function contest(repo: TestRepo, one: string, other: string): Promise<TestRepo> {
	const text = (n: number) => `export const contested = ${n};\n`.repeat(4);
	repo.write(one, text(2));
	await blockedAt(repo, one);
	repo.git("checkout", "--quiet", "--", one);
	repo.write(other, text(2));
	await blockedAt(repo, other);
	repo.write(one, text(3));
	await blockedAt(repo, one);
	repo.git("checkout", "--quiet", "--", other);
	repo.write(one, text(4));
	return repo;
}
