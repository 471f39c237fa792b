// Risk of a live target: fetches exactly the bytes that the rules need, in one Git child, and asks the rules.
import { LIMITS } from "../contract/limits.ts";
import { type BlobAnswer, type BlobWish, readBlobs, type TreeChange } from "../git/index.ts";
import {
	assessRisk,
	type ChangedFile,
	type Content,
	contentNeed,
	looksBinary,
	type RiskAssessment,
} from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import type { FrozenTarget } from "./target.ts";

const REGULAR = new Set(["100644", "100755"]);

type SidePlan = { readonly change: TreeChange; readonly side: "base" | "candidate"; readonly need: "text" | "sniff" };

function plans(changes: readonly TreeChange[]): SidePlan[] {
	return changes.flatMap((change) => {
		const need = contentNeed(change.path);
		if (need === "none") return [];
		const sides: SidePlan[] = [];
		if (REGULAR.has(change.old_mode)) sides.push({ change, side: "base", need });
		if (REGULAR.has(change.new_mode)) sides.push({ change, side: "candidate", need });
		return sides;
	});
}

function wishes(planned: readonly SidePlan[]): BlobWish[] {
	let scanned = 0;
	return planned.map(({ change, side, need }) => ({
		id: side === "base" ? change.old_id : change.new_id,
		take: (size) => {
			if (need === "sniff") return "head";
			scanned += size;
			// Once the budget is spent, nothing after it is read: the order of paths decides, not the size of one.
			return scanned > LIMITS.contentScanBytes ? "none" : "all";
		},
	}));
}

function contentOf(need: "text" | "sniff", answer: BlobAnswer): Content {
	if (answer.bytes === undefined) return { kind: "over_limit", size: answer.size };
	if (need === "sniff") return { kind: "opaque", size: answer.size, has_nul: looksBinary(answer.bytes) };
	return { kind: "text", bytes: answer.bytes };
}

const ABSENT: Content = { kind: "absent" };
const OPAQUE: Content = { kind: "opaque", size: 0, has_nul: false };

export async function assessTarget(
	place: Workplace,
	target: Pick<FrozenTarget, "changes" | "manifest" | "objects">,
): Promise<RiskAssessment> {
	const planned = plans(target.changes);
	const answers = await readBlobs(
		place.session,
		place.repository,
		wishes(planned),
		LIMITS.binarySniffBytes,
		target.objects,
	);
	const contents = new Map(
		planned.map((plan, index) => {
			const answer = answers[index];
			return [`${plan.side} ${plan.change.path}`, answer === undefined ? OPAQUE : contentOf(plan.need, answer)];
		}),
	);
	const side = (change: TreeChange, name: "base" | "candidate"): Content => {
		const mode = name === "base" ? change.old_mode : change.new_mode;
		return mode === "000000" ? ABSENT : (contents.get(`${name} ${change.path}`) ?? OPAQUE);
	};
	const files: ChangedFile[] = target.changes.map((change, index) => ({
		path: change.path,
		status: change.status,
		old_mode: change.old_mode,
		new_mode: change.new_mode,
		mode_only: target.manifest[index]?.mode_only ?? false,
		additions: change.additions,
		deletions: change.deletions,
		base: side(change, "base"),
		candidate: side(change, "candidate"),
	}));
	return assessRisk(files);
}
