// Finding the lineage that a mutation names, with the refusals that teach.
import { isDamaged, type Lineage, type StoreReader } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { isPlainLine } from "../review/index.ts";

const STATUS_NEXT =
	"Run `gentle-ai review status --contract gentle-ai.review-integration/v2 --next-transition` and use what it prints";

export function damagedLineage(id: string): ReviewError {
	return new ReviewError("authority_corrupted", {
		message: "the record of this review cannot be verified",
		lineage: id,
		next: `Retire it with \`gentle-ai review end --lineage ${id} --damaged --reason <text>\`, then start again`,
	});
}

export function requireLineage(store: StoreReader, id: string): Lineage {
	const row = store.lineage(id);
	if (row === undefined) {
		const ended = store.ending(id);
		const rule = ended === undefined ? "the id of a review in this repository" : "a living review: it was ended";
		throw invalidInput("--lineage", id, rule, STATUS_NEXT);
	}
	if (isDamaged(row)) throw damagedLineage(id);
	return row;
}

export function requireRevision(lineage: Lineage, expected: string): void {
	if (lineage.revision === expected) return;
	throw new ReviewError("authority_revision_conflict", {
		message: "the review is at another revision than --expected-revision",
		field: "--expected-revision",
		value: expected,
		rule: "the current revision of the lineage",
		next: STATUS_NEXT,
		lineage: lineage.lineage_id,
	});
}

export function requireBinding(flag: string, given: string, wanted: string, rule: string): void {
	if (given !== wanted) throw invalidInput(flag, given, rule, STATUS_NEXT);
}

/** A name or reason as the authorization texts take it. */
export function requirePlain(flag: string, value: string): void {
	if (isPlainLine(value)) return;
	throw invalidInput(
		flag,
		value,
		"one trimmed line without control characters",
		"Pass it on one line, without blanks around it",
	);
}
