// The candidate as one patch, byte for byte the same on every machine: what contract v1 shows to reviewers.
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { type CandidateDiff, candidateDiffOf } from "../contract/patch.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

const OPTIONS = [
	"--binary",
	"--full-index",
	"--no-color",
	"--no-renames",
	"--no-ext-diff",
	"--no-textconv",
	"--diff-algorithm=myers",
	"--no-indent-heuristic",
	"--unified=3",
	"--ignore-submodules=none",
	"--src-prefix=a/",
	"--dst-prefix=b/",
];

function tooLarge(): ReviewError {
	return new ReviewError("candidate_context_unavailable", {
		message: `the patch of this candidate is larger than ${LIMITS.candidateDiffBytes} bytes, more than contract v1 transports`,
		next: "Review the change in smaller parts, or use contract gentle-ai.review-integration/v2, which names trees",
	});
}

/** `objects` is where the candidate's own objects are while they are not in the repository. */
export async function candidateDiff(
	session: GitSession,
	repository: Repository,
	base: string,
	candidate: string,
	objects?: string,
): Promise<CandidateDiff> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	await session.read(repository, ["diff", ...OPTIONS, base, candidate, "--"], {
		onStdout: (chunk) => {
			bytes += chunk.length;
			if (bytes > LIMITS.candidateDiffBytes) throw tooLarge();
			chunks.push(chunk);
		},
		maxStdoutBytes: LIMITS.patchStreamBytes,
		...(objects !== undefined && { objects }),
	});
	return candidateDiffOf(Buffer.concat(chunks));
}
