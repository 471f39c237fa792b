// Reviewer slots as the published suites describe them.
import type { Lens } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import type { AdmissionSlot } from "../../packages/gentle-ai/src/review/index.ts";

export type SlotContext = {
	readonly lens: Lens;
	readonly subject_hash: string;
	readonly manifest_paths: readonly string[];
	readonly changed_hunks: Readonly<Record<string, readonly (readonly [first: number, count: number])[]>>;
	readonly candidate_line_counts: Readonly<Record<string, number>>;
};

export function slotOf(context: SlotContext, lens: Lens = context.lens): AdmissionSlot {
	return {
		lens,
		subject_hash: context.subject_hash,
		manifest_paths: context.manifest_paths,
		changed_lines: (path) => {
			const hunks = context.changed_hunks[path];
			return hunks && { candidate: hunks.map(([start, count]) => ({ start, count })), base: [] };
		},
		candidate_line_count: (path) => context.candidate_line_counts[path],
	};
}

export const SUBJECT = `sha256:${"a".repeat(64)}`;

/** Two files; the candidate changed lines 2, 3 and 10 of the first, lines 1 to 5 of the second. */
export const CONTEXT: SlotContext = {
	lens: "review-reliability",
	subject_hash: SUBJECT,
	manifest_paths: ["internal/a.go", "internal/b.go"],
	changed_hunks: {
		"internal/a.go": [
			[2, 2],
			[10, 1],
		],
		"internal/b.go": [[1, 5]],
	},
	candidate_line_counts: { "internal/a.go": 12, "internal/b.go": 5 },
};

/** A complete answer without findings; `changes` replaces or adds top-level fields. */
export function answer(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
	return {
		subject_hash: SUBJECT,
		inspection: { status: "completed", paths: ["internal/a.go", "internal/b.go"] },
		findings: [],
		evidence: ["inspected internal/a.go:2 and internal/b.go:1"],
		...changes,
	};
}

export function finding(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
	return {
		location: "internal/a.go:2",
		severity: "WARNING",
		claim: "the retry error is lost",
		proof_refs: ["diff: internal/a.go:2"],
		...changes,
	};
}

export function blocker(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
	return finding({
		severity: "BLOCKER",
		evidence_class: "deterministic",
		causal_disposition: "introduced",
		...changes,
	});
}
