// A refusal on its way to whoever asked: what it tells, and the sentences that a person reads.
import type { FailureCode, Progress } from "./failures.ts";
import { LIMITS } from "./limits.ts";
import { bounded } from "./paths.ts";

/** What a refusal tells: the offending input, the rule that it breaks, and what to do next. */
export type RefusalDetail = {
	/** One sentence, at most 240 characters, written by us. */
	readonly message: string;
	/** The flag, field or JSON pointer at fault. */
	readonly field?: string;
	/** The offending value, cut and made visible. */
	readonly value?: string;
	readonly rule?: string;
	/** The command or the edit that helps. */
	readonly next?: string;
	readonly lineage?: string;
	readonly requiredInputs?: readonly string[];
	readonly requestDigest?: string;
	readonly scopeChange?: ScopeChange;
	/** Empty strings stand for "no binding yet". */
	readonly bindingRevision?: { readonly expected: string; readonly current: string };
};

export type ScopeChange = {
	readonly expected: { readonly candidate_tree: string; readonly paths_digest: string };
	readonly actual: { readonly candidate_tree: string; readonly paths_digest: string };
	readonly differing_paths: readonly string[];
	readonly differing_paths_digest: string;
	readonly predecessor_lineage_id: string;
	readonly predecessor_revision: string;
};

/** An expected refusal on its way to the boundary, where it becomes an envelope or a sentence. Never a bug. */
export class ReviewError extends Error {
	readonly code: FailureCode;
	readonly detail: RefusalDetail;
	/** Set by the operation that had made something durable before it failed. */
	progress: Progress = "not_started";

	constructor(code: FailureCode, detail: RefusalDetail, options?: ErrorOptions) {
		super(detail.message, options);
		this.name = "ReviewError";
		this.code = code;
		this.detail = detail;
	}
}

/** A refusal of one input: names it, shows the bounded value, states the rule and the next step. */
export function invalidInput(field: string, value: string, rule: string, next: string): ReviewError {
	const shown = bounded(value, LIMITS.boundedValueChars);
	const message = bounded(`${field} is refused: ${JSON.stringify(shown)} is not ${rule}`, LIMITS.failureMessageChars);
	return new ReviewError("invalid_request", { message, field, value: shown, rule, next });
}

/** The parts of a refusal as the sentences that a person reads. */
export function explain(error: ReviewError): string {
	const { message, value, next } = error.detail;
	const quoted = value === undefined || value === "" ? "" : JSON.stringify(value);
	const told = message.includes(quoted) ? message : `${message}; value: ${quoted}`;
	return next === undefined ? told : `${told}. ${next}`;
}
