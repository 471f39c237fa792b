// Pins the catalogue of refusals: every code with every column that a caller may decide on.
import { describe, expect, it } from "vitest";
import { explain, invalidInput, ReviewError } from "../../packages/gentle-ai/src/contract/errors.ts";
import {
	FAILURE_CODES,
	type FailureColumns,
	failureColumns,
	RECOVERY_INPUTS,
} from "../../packages/gentle-ai/src/contract/failures.ts";
import { isMutation, OPERATIONS, type Operation } from "../../packages/gentle-ai/src/contract/operations.ts";

type Row = readonly [
	code: string,
	phase: "PF" | "PN" | "NR" | "NC",
	outcome: "N" | "U" | "C",
	applicability: "-" | "cur" | "unrelated" | "ambiguous" | "corrupted",
	retry: boolean,
	replay: "NR" | "ER" | "SR" | "MA",
	nextAction: string,
	requiredInputs: readonly string[],
	causeCategory?: string,
];

const SIX = [
	"predecessor_lineage_id",
	"expected_predecessor_revision",
	"successor_lineage_id",
	"disposition",
	"reason",
	"actor",
];

// The published table, in its abbreviations. Nothing here may be changed to please the code.
const PUBLISHED: readonly Row[] = [
	["empty_contract", "PF", "N", "-", true, "NR", "correct_request", []],
	["unsupported_contract", "PF", "N", "-", true, "NR", "correct_request", []],
	["review_declined", "PN", "N", "-", true, "NR", "stop", []],
	["rdd_disabled", "PN", "N", "-", false, "NR", "stop", []],
	["final_verification_retry_denied", "PN", "N", "cur", false, "MA", "review.status", []],
	[
		"binding_revision_conflict",
		"PN",
		"N",
		"cur",
		true,
		"NR",
		"review.bind_sdd",
		["change", "lineage_id", "expected_binding_revision"],
	],
	["receipt_publication_conflict", "NC", "C", "cur", false, "MA", "explicit-maintainer-action", []],
	["receipt_publication_pending", "NC", "C", "cur", false, "ER", "review.finalize", ["lineage_id"]],
	["candidate_context_unavailable", "PN", "N", "-", false, "MA", "stop", []],
	["authority_lock_contention", "PN", "N", "-", true, "NR", "retry_with_bounded_backoff", []],
	["authority_revision_conflict", "PN", "N", "cur", true, "NR", "retry_with_bounded_backoff", []],
	["store_lock_unavailable", "PN", "N", "-", true, "MA", "retry_with_bounded_backoff", []],
	["git_command_timeout", "PN", "N", "-", false, "MA", "stop", []],
	["git_command_failed", "PN", "N", "-", false, "MA", "stop", []],
	["operation_timeout", "PN", "N", "-", false, "MA", "stop", []],
	["invalid_request", "PF", "N", "-", true, "NR", "correct_request", []],
	["stale_target_identity", "PF", "N", "-", true, "NR", "review.status", []],
	["empty_candidate_scope", "PF", "N", "-", true, "NR", "correct_request", ["base_ref"]],
	["authority_lock_timeout", "PN", "N", "-", true, "MA", "retry_with_bounded_backoff", []],
	["gate_scope_changed", "PF", "N", "cur", false, "MA", "explicit-maintainer-action", SIX],
	["gate_invalidated", "PF", "N", "cur", true, "MA", "explicit-maintainer-action", []],
	["gate_escalated", "PF", "N", "cur", true, "MA", "review.status", []],
	["receipt_missing", "PN", "N", "-", false, "MA", "review.status", []],
	["receipt_unrelated", "PN", "N", "unrelated", false, "MA", "review.status", []],
	["receipt_scope_changed", "PN", "N", "cur", false, "MA", "explicit-maintainer-action", SIX],
	["receipt_ambiguous", "PN", "N", "ambiguous", false, "MA", "review.status", ["lineage_id"]],
	["authority_corrupted", "PN", "N", "corrupted", false, "MA", "stop", [], "record_or_graph_invalid"],
	["operation_failed", "PN", "N", "-", true, "NR", "retry", []],
	["operation_outcome_unknown", "NR", "U", "-", false, "SR", "review.status", []],
];

/** Published rows whose operation is not in this version. */
const NOT_YET = [
	"finalize_request_mismatch",
	"binding_publication_pending",
	"repair_progress_pending",
	"untracked_scope_undiscoverable",
	"legacy_v1_read_only",
	"authority_lock_cancelled",
	"target_resolution_failed",
	"target_unresolvable",
];

const PHASE = { PF: "preflight", PN: "pre_native", NR: "native_running", NC: "native_committed" } as const;
const OUTCOME = { N: "not_started", U: "unknown", C: "committed" } as const;
const APPLICABILITY = {
	"-": "not_evaluated",
	cur: "current_target",
	unrelated: "unrelated",
	ambiguous: "ambiguous",
	corrupted: "corrupted",
} as const;
const REPLAY = {
	NR: "not_replayable",
	ER: "exact_replay_safe",
	SR: "status_required",
	MA: "manual_action_required",
} as const;

function columnsOf([, phase, outcome, applicability, retry_safe, replay, next_action, inputs, category]: Row): object {
	return {
		phase: PHASE[phase],
		mutation_outcome: OUTCOME[outcome],
		authority_applicability: APPLICABILITY[applicability],
		retry_safe,
		replayability: REPLAY[replay],
		required_inputs: inputs,
		next_action,
		...(category !== undefined && { cause_category: category }),
	};
}

function codeOf(name: string): (typeof FAILURE_CODES)[number] {
	const code = FAILURE_CODES.find((each) => each === name);
	if (code === undefined) throw new Error(`${name} is not in the catalogue`);
	return code;
}

const READS: readonly Operation[] = ["review.capabilities", "review.status", "review.validate"];
const MUTATIONS: readonly Operation[] = [
	"review.bind_sdd",
	"review.finalize",
	"review.repair",
	"review.retry_final_verification",
	"review.start",
];

const LOST: Row = ["", "NR", "U", "-", false, "SR", "review.status", []];
const AFTER_COMMIT: Row = ["", "NC", "U", "cur", false, "SR", "review.status", []];

describe("the catalogue of refusals", () => {
	it("holds exactly the published codes of this version, in their order", () => {
		expect(FAILURE_CODES).toEqual(PUBLISHED.map(([code]) => code));
	});

	it("holds none of the codes whose operations this version lacks", () => {
		expect(FAILURE_CODES.filter((code) => NOT_YET.includes(code))).toEqual([]);
	});

	it("spells every code as the published schema wants it", () => {
		for (const code of FAILURE_CODES) expect(code).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/);
	});

	it("knows the eight negotiated operations and which of them write", () => {
		expect([...OPERATIONS]).toEqual([...MUTATIONS, ...READS].sort());
		expect(OPERATIONS.filter(isMutation).sort()).toEqual([...MUTATIONS].sort());
	});

	it("names the six inputs of a recovery in contract order", () => {
		expect([...RECOVERY_INPUTS]).toEqual(SIX);
	});
});

describe("a failure that left nothing behind", () => {
	it.each(PUBLISHED.map((row) => [row[0], row] as const))("%s has its published columns", (name, row) => {
		for (const operation of READS) {
			expect(failureColumns(codeOf(name), operation, "not_started")).toEqual(columnsOf(row));
		}
	});

	it.each(PUBLISHED.filter(([code]) => code !== "operation_timeout").map((row) => [row[0], row] as const))(
		"%s has the same columns when the operation writes",
		(name, row) => {
			for (const operation of MUTATIONS) {
				expect(failureColumns(codeOf(name), operation, "not_started")).toEqual(columnsOf(row));
			}
		},
	);
});

describe("a failure after something durable", () => {
	it.each(["git_command_timeout", "git_command_failed", "operation_timeout", "operation_outcome_unknown"])(
		"%s of FINALIZE asks for STATUS and promises nothing",
		(name) => {
			expect(failureColumns(codeOf(name), "review.finalize", "committed")).toEqual(columnsOf(AFTER_COMMIT));
		},
	);

	it("START that cannot render its candidate names the lineage that now exists", () => {
		const row: Row = ["", "NC", "U", "cur", false, "SR", "review.status", ["lineage_id"]];
		expect(failureColumns("candidate_context_unavailable", "review.start", "committed")).toEqual(columnsOf(row));
	});

	it("publication codes keep their own columns", () => {
		for (const code of ["receipt_publication_conflict", "receipt_publication_pending"] as const) {
			expect(failureColumns(code, "review.finalize", "committed")).toEqual(
				failureColumns(code, "review.finalize", "not_started"),
			);
		}
	});
});

describe("a failure whose effect is unknown", () => {
	it("a time limit of an operation that writes has an unknown outcome", () => {
		for (const operation of ["review.start", "review.finalize"] as const) {
			expect(failureColumns("operation_timeout", operation, "unknown")).toEqual(columnsOf(LOST));
		}
	});

	it("a time limit of an operation that only reads has changed nothing", () => {
		const row: Row = ["", "PN", "N", "-", false, "MA", "stop", []];
		for (const operation of READS) {
			expect(failureColumns("operation_timeout", operation, "unknown")).toEqual(columnsOf(row));
		}
	});

	it("Git that fails while something may already be written never claims that nothing was", () => {
		for (const code of ["git_command_timeout", "git_command_failed"] as const) {
			const columns: FailureColumns = failureColumns(code, "review.finalize", "unknown");
			expect(columns.mutation_outcome, code).not.toBe("not_started");
		}
	});
});

describe("a refusal of one input", () => {
	it("names the field, shows the bounded value, states the rule and the next step", () => {
		const error = invalidInput("--lineage", `\u001b[31m${"x".repeat(500)}`, "a lineage id", "Drop it");
		expect(error).toBeInstanceOf(ReviewError);
		expect(error.code).toBe("invalid_request");
		expect(error.progress).toBe("not_started");
		expect(error.detail.field).toBe("--lineage");
		expect(error.detail.value).toHaveLength(80);
		expect(error.detail.value).toMatch(/^\\x1b\[31mx+…$/);
		expect(error.detail.rule).toBe("a lineage id");
		expect(error.detail.next).toBe("Drop it");
	});

	it("says so in one line of at most 240 characters", () => {
		const error = invalidInput("--reason", "a\nb", "x".repeat(400), "Drop it");
		expect(error.message.length).toBeLessThanOrEqual(240);
		expect(error.message).not.toMatch(/[\r\n]/);
		expect(explain(error)).toBe(`${error.message}. Drop it`);
	});
});
