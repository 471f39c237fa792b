// The store as lines for people: which reviews there are, and which of them can leave.
import type { ListedReview, Overview } from "../provider/overview.ts";
import type { PruneOutcome } from "../provider/prune.ts";

const UNITS = [
	["d", 86_400],
	["h", 3_600],
	["m", 60],
] as const;

function ageText(seconds: number): string {
	const unit = UNITS.find(([, size]) => seconds >= size);
	return unit === undefined ? `${seconds}s` : `${Math.floor(seconds / unit[1])}${unit[0]}`;
}

function columns(review: ListedReview): string[] {
	const { lineage_id, state, tier = "-", age_seconds, target = "-" } = review;
	return [lineage_id, state, tier, ageText(age_seconds), target];
}

export function overviewText({ reviews, complete }: Overview): string {
	if (reviews.length === 0) return "No review is kept here.";
	const rows = reviews.map(columns);
	const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
	const lines = rows.map((row, at) =>
		[...row.map((cell, column) => cell.padEnd(widths[column] ?? 0)), reviews[at]?.next ?? ""].join("  "),
	);
	return [...lines, ...(complete ? [] : [`Only the ${reviews.length} latest are shown.`])].join("\n");
}

export function pruneText({ reviews, applied }: PruneOutcome, asked: boolean): string {
	const lines = reviews.map(({ lineage_id, decision, explanation, quarantine }) => {
		if (decision === "keep") return `${lineage_id}  stays: ${explanation}`;
		return decision === "pruned" ? `${lineage_id}  moved to ${quarantine}` : `${lineage_id}  can move to ${quarantine}`;
	});
	const nothing = "Nothing was moved.";
	if (reviews.length === 0) return "No review is kept here.";
	if (applied) return lines.join("\n");
	const next = asked
		? `${nothing} Name only reviews that can move, while the repository stays as it is.`
		: `${nothing} Name reviews with --lineage and add --apply to move them.`;
	return [...lines, next].join("\n");
}
