// What a reviewer may find in one printed slot: at a line that plain git says was changed.
import { blocker, type Finding, warning } from "../kit/answers.ts";
import type { Input, Status } from "../kit/documents.ts";
import { argument } from "../kit/drive.ts";
import type { TestRepo } from "../kit/repo.ts";
import type { Dice } from "./dice.ts";

/** `path:line` of one added line between two trees; undefined where nothing was added that has lines. */
function changedLine(repo: TestRepo, base: string, candidate: string, paths: readonly string[]): string | undefined {
	for (const path of paths) {
		const words = ["diff-tree", "-p", "-U0", "--no-renames", "--no-ext-diff", base, candidate, "--", path];
		const patch = repo.gitWith({ env: { GIT_LITERAL_PATHSPECS: "1" } }, ...words).toString("utf8");
		const hunk = /^@@ -\S+ \+(\d+)(?:,([1-9]\d*))? @@/m.exec(patch);
		if (hunk?.[1] !== undefined) return `${path}:${hunk[1]}`;
	}
	return undefined;
}

type Kind = "nothing" | "warning" | "deterministic" | "inferential" | "unknown" | "insufficient" | "elsewhere";

const KINDS: readonly [Kind, ...Kind[]] = [
	"nothing",
	"deterministic",
	"inferential",
	"deterministic",
	"warning",
	"unknown",
	"insufficient",
	"elsewhere",
];

function finding(kind: Kind, at: string): Finding | undefined {
	switch (kind) {
		case "nothing":
			return undefined;
		case "warning":
			return warning(at);
		case "deterministic":
			return blocker(at);
		case "inferential":
			return blocker(at, { evidence_class: "inferential" });
		case "unknown":
			return blocker(at, { causal_disposition: "unknown" });
		case "insufficient":
			return blocker(at, { evidence_class: "insufficient" });
		case "elsewhere":
			return blocker(at, { causal_disposition: "pre-existing" });
	}
}

export function findingsFor(
	repo: TestRepo,
	{ projection }: Status,
	input: Input,
	dice: Dice,
): { told: string; findings: Finding[] } {
	const kind = dice.pick(KINDS);
	const paths = (input.changed_path_manifest ?? []).map(({ path }) => path);
	if (kind === "nothing") return { told: "nothing", findings: [] };
	const at = changedLine(repo, projection.base_tree, projection.initial_review_tree, paths);
	const found = at === undefined ? undefined : finding(kind, at);
	const told = `${argument(input, "lens")} ${found === undefined ? "nothing" : `${kind} at ${at}`}`;
	return { told, findings: found === undefined ? [] : [found] };
}
