// The uniform failure envelope: the same columns in both contracts, under each contract's own name.
import type { Static } from "typebox";
import type { RefusalDetail, ReviewError, ScopeChange } from "../errors.ts";
import { failureColumns, RECOVERY_INPUTS } from "../failures.ts";
import { LIMITS, PATTERNS } from "../limits.ts";
import type { Operation } from "../operations.ts";
import { bounded, withoutMachinePaths } from "../paths.ts";
import type { ContractName } from "../vocabulary.ts";
import type { FailureV1 } from "./v1/shapes.ts";
import type { FailureV2 } from "./v2/shapes.ts";

const LINEAGE = new RegExp(PATTERNS.lineage);

/** One line without any path of this machine. */
function scrub(text: string, limit: number): string {
	return bounded(withoutMachinePaths(text.replace(/\s+/g, " ")).trim(), limit);
}

/** The field, the bounded value, the rule and the next step, on one line; no path of this machine. */
function causeOf(error: ReviewError): string | undefined {
	const { field, value, rule, next, scopeChange } = error.detail;
	const parts = [
		value !== undefined && value !== "" && `value: ${value}`,
		rule !== undefined && `rule: ${rule}`,
		scopeChange !== undefined && `differing paths: ${scopeChange.differing_paths.join(", ")}`,
		next !== undefined && `next: ${next}`,
	].filter((part) => part !== false);
	// A field is a flag of ours or a pointer into what was handed in: it looks like a path and is none.
	const named = field === undefined || field === "" ? [] : [`field: ${field.replace(/\s+/g, " ")}`];
	const told = [...named, ...(parts.length === 0 ? [] : [scrub(parts.join("; "), LIMITS.failureCauseChars)])];
	return told.length === 0 ? undefined : bounded(told.join("; "), LIMITS.failureCauseChars);
}

type Failure = Static<typeof FailureV1> | Static<typeof FailureV2>;

function contextOf({ scopeChange, bindingRevision }: RefusalDetail): Pick<Failure, "context"> {
	if (bindingRevision !== undefined) return { context: { binding_revision: bindingRevision } };
	return scopeChange === undefined ? {} : { context: scopeChangeContext(scopeChange) };
}

function scopeChangeContext(change: ScopeChange): NonNullable<Failure["context"]> {
	return {
		scope_change: {
			expected: change.expected,
			actual: change.actual,
			differing_path_count: change.differing_paths.length,
			differing_paths_digest: change.differing_paths_digest,
			predecessor_lineage_id: change.predecessor_lineage_id,
			predecessor_revision: change.predecessor_revision,
			recovery_operation: "review.recover",
			recovery_required_inputs: RECOVERY_INPUTS as unknown as [...typeof RECOVERY_INPUTS],
		},
	};
}

/** `lineage` is what the caller passed; only a canonical one is echoed. */
export function renderFailure(
	contract: ContractName,
	operation: Operation,
	error: ReviewError,
	lineage?: string,
): Failure {
	const columns = failureColumns(error.code, operation, error.progress);
	const known = error.detail.lineage ?? lineage;
	const canonical = known !== undefined && LINEAGE.test(known) && known.length <= LIMITS.lineageIdBytes;
	// The contract's catch-all of what reads tells no cause: nothing is known of it.
	const cause = error.code === "operation_failed" ? undefined : causeOf(error);
	const body: Omit<Failure, "schema" | "contract"> = {
		operation,
		phase: columns.phase,
		code: error.code,
		message: scrub(error.detail.message, LIMITS.failureMessageChars),
		mutation_outcome: columns.mutation_outcome,
		authority_applicability: columns.authority_applicability,
		retry_safe: columns.retry_safe,
		replayability: columns.replayability,
		...(canonical && { lineage_id: known }),
		...(error.detail.requestDigest !== undefined && { request_digest: error.detail.requestDigest }),
		required_inputs: [...(error.detail.requiredInputs ?? columns.required_inputs)] as Failure["required_inputs"],
		next_action: columns.next_action,
		...(columns.cause_category !== undefined && { cause_category: columns.cause_category }),
		...(cause !== undefined && { cause }),
		...contextOf(error.detail),
	};
	return contract === "gentle-ai.review-integration/v2"
		? { schema: "gentle-ai.review-integration.failure/v2", contract, ...body }
		: { schema: "gentle-ai.review-integration.failure/v1", contract, ...body };
}
