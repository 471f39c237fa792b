// The second phase: lets the reviewer answer every open slot, captures the answers, and closes them.
import { type Lineage, readStore } from "../../authority/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { RunFinding } from "../../contract/wire/run.ts";
import { artifactSubjects } from "../../review/index.ts";
import type { ReviewerSession } from "../../reviewers/reviewer.ts";
import { withRepository } from "../caller.ts";
import { captureResult } from "../capture-result.ts";
import { finalize } from "../finalize.ts";
import { addNotes, FINALIZE, type Run, reload, timed, viewOf } from "./context.ts";
import { runFindings } from "./document.ts";

async function openSlots(run: Run, lineage: Lineage): Promise<ReadonlySet<number>> {
	return withRepository(run.caller, run.root, async (place) => {
		const store = readStore(place.repository.commonDir, LIMITS.startLockWaitMs);
		try {
			const orders = lineage.state.selected_lenses.map((_, order) => order);
			return new Set(orders.filter((order) => store.slot(lineage.lineage_id, order) === undefined));
		} finally {
			store.close();
		}
	});
}

async function answerSlots(run: Run, lineage: Lineage, session: ReviewerSession): Promise<void> {
	const { options, caller } = run;
	const open = await openSlots(run, lineage);
	const subjects = artifactSubjects(lineage.state, lineage.frozen.manifest);
	const consolidated = subjects.length === 1;
	const answers = subjects
		.filter(({ selected_order }) => open.has(selected_order))
		.map(async (subject) => {
			const { lens, selected_order, subject_hash } = subject;
			const tell = ({ text }: { text: string }) => options.onEvent({ type: "lens", lens, text });
			const answer = await session.answer({ lens, selected_order, subject_hash, consolidated }, tell, options.signal);
			return { subject, answer };
		});
	// The reviewers work side by side; their answers are captured one by one, because one writer at a time is the rule.
	for (const pending of await Promise.all(answers)) {
		const { lens, selected_order, subject_hash } = pending.subject;
		const raw = Buffer.from(pending.answer);
		await withRepository(caller, run.root, (place) =>
			captureResult(
				place,
				{
					lineage: lineage.lineage_id,
					target: lineage.state.initial_snapshot.identity,
					lens,
					order: selected_order,
					expected_revision: lineage.revision,
					subject_hash,
					opaque: true,
				},
				raw,
			),
		);
		options.onEvent({ type: "lens-done", lens, findings: countFindings(pending.answer) });
	}
}

function countFindings(answer: string): number {
	const value: unknown = JSON.parse(answer);
	const findings = typeof value === "object" && value !== null && "findings" in value ? value.findings : [];
	return Array.isArray(findings) ? findings.length : 0;
}

export async function review(run: Run, lineage: Lineage): Promise<Lineage> {
	if (lineage.state.state !== "reviewing") return lineage;
	const { options, draft } = run;
	const reviewed = lineage.state.selected_lenses.length > 0;
	if (reviewed) {
		draft.reviewer = options.reviewer.name;
		const session = options.reviewer.open(await viewOf(run, lineage));
		await timed(run, "review", () => answerSlots(run, lineage, session));
		addNotes(run, ...session.notes());
	}
	await timed(run, "finalize", () =>
		withRepository(run.caller, run.root, (place) =>
			finalize(place, { ...FINALIZE, lineage: lineage.lineage_id, captured_results: reviewed }),
		),
	);
	return reload(run, lineage.lineage_id);
}

export async function tellFindings(run: Run, lineage: Lineage): Promise<readonly RunFinding[]> {
	const { lens_results, findings } = lineage.state;
	if (findings.length === 0) return [];
	const results = lens_results.map(({ lens }) => ({
		lens,
		findings: findings.filter((finding) => `review-${finding.lens}` === lens),
	}));
	return runFindings(await viewOf(run, lineage), results);
}
