// Pins the routes of STATUS: for each situation the arguments, preconditions and bindings that the contract prints.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { correctionPlanRequestHash, stateRevision } from "../../packages/gentle-ai/src/contract/identities.ts";
import type { AdmittedFinding, ReviewState } from "../../packages/gentle-ai/src/contract/state.ts";
import type { Execution, Transition } from "../../packages/gentle-ai/src/contract/transition.ts";
import { STATES } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	type AuthorityView,
	isSameTarget,
	nextTransition,
	type RouteFacts,
	type RouteRequest,
	statusColumns,
} from "../../packages/gentle-ai/src/review/index.ts";
import { digest, fresh, MANIFEST, SNAPSHOT, view } from "./states.ts";

const REQUEST: RouteRequest = { contract: "gentle-ai.review-integration/v2", gate: "pre-commit", selector: false };

function current(authority: AuthorityView): RouteFacts {
	return { applicability: "current_target", live: SNAPSHOT, authority };
}

function next(authority: AuthorityView, request: Partial<RouteRequest> = {}): Transition {
	return nextTransition(current(authority), { ...REQUEST, ...request });
}

function executed(transition: Transition): Execution {
	if (transition.kind !== "execute") throw new Error(`${transition.kind} ${transition.reason_code}`);
	return transition.execute;
}

function collected(transition: Transition) {
	if (transition.kind !== "collect") throw new Error(`${transition.kind} ${transition.reason_code}`);
	return transition.inputs;
}

function named(args: readonly { readonly name: string; readonly value: string }[]): string[] {
	return args.map(({ name, value }) => `${name}=${value}`);
}

function at(state: ReviewState["state"], changes: Partial<ReviewState> = {}, lenses = 4): ReviewState {
	return { ...fresh(lenses), state, ...changes };
}

const BLOCKER: AdmittedFinding = {
	id: "R3-001",
	lens: "reliability",
	location: "tracked.txt:1",
	severity: "BLOCKER",
	claim: "it breaks",
	proof_refs: ["tracked.txt:1 changed hunk", "test output"],
	evidence_class: "deterministic",
	causal_disposition: "introduced",
};

describe("no review of this target", () => {
	const unrelated = (changes: object = {}, reviews_on = true): RouteFacts => ({
		applicability: "unrelated",
		live: { ...SNAPSHOT, ...changes },
		reviews_on,
		lineage: "review-1",
	});

	it.each([
		["current changes", {}, ["projection=workspace"]],
		["staged changes", { projection: "staged" }, ["projection=staged"]],
		[
			"a committed range",
			{ kind: "base-diff" },
			["projection=workspace", `base-ref=${SNAPSHOT.base_tree}`, "committed-only=true"],
		],
		[
			"a work tree over a base",
			{ kind: "base-workspace-overlay" },
			["projection=workspace", `base-ref=${SNAPSHOT.base_tree}`, "workspace-overlay=true"],
		],
	])("offers START with the exact target for %s", (_, changes, selector) => {
		const transition = nextTransition(unrelated(changes), REQUEST);
		expect(transition.reason_code).toBe("fresh_target_ready");
		const execution = executed(transition);
		expect(execution.operation).toBe("review.start");
		expect(named(execution.arguments)).toEqual([
			"contract=gentle-ai.review-integration/v2",
			`target=${SNAPSHOT.identity}`,
			...selector,
			"lineage=review-1",
		]);
		expect(execution.preconditions).toEqual([{ name: "target_identity", value: SNAPSHOT.identity }]);
		expect(execution.binding).toEqual({ lineage_id: "review-1", target_identity: SNAPSHOT.identity });
	});

	it("stops where reviews are switched off, for START would refuse", () => {
		expect(nextTransition(unrelated({}, false), REQUEST)).toEqual({ kind: "stop", reason_code: "rdd_disabled" });
	});

	it("asks for a base where there is nothing to review", () => {
		const transition = nextTransition(unrelated({ candidate_tree: SNAPSHOT.base_tree }), REQUEST);
		expect(transition).toEqual({
			kind: "collect",
			reason_code: "empty_candidate_base_ref_required",
			inputs: [
				{
					name: "base_ref",
					schema: "gentle-ai.review-base-ref-selection/v1",
					capture_operation: "external.select_base_ref",
					arguments: [
						{ name: "target_identity", value: SNAPSHOT.identity },
						{ name: "projection", value: "workspace" },
						{ name: "base_tree", value: SNAPSHOT.base_tree },
						{ name: "candidate_tree", value: SNAPSHOT.base_tree },
					],
				},
			],
		});
	});

	it("lists several candidates in byte order and chooses none", () => {
		const facts: RouteFacts = { applicability: "ambiguous", live: SNAPSHOT, candidates: ["b", "a-2", "a"] };
		expect(nextTransition(facts, REQUEST)).toEqual({
			kind: "collect",
			reason_code: "lineage_selection_required",
			inputs: [
				{
					name: "lineage_selection",
					schema: "gentle-ai.review-lineage-selection/v1",
					capture_operation: "external.select_lineage",
					arguments: [
						{ name: "target_identity", value: SNAPSHOT.identity },
						{ name: "projection", value: "workspace" },
						{ name: "base_tree", value: SNAPSHOT.base_tree },
						{ name: "candidate_tree", value: SNAPSHOT.candidate_tree },
						{ name: "candidates", value: "a,a-2,b" },
					],
				},
			],
		});
	});
});

describe("a review in progress", () => {
	it("asks for each open slot, and only for those, with what binds the answer to it", () => {
		const state = fresh(4);
		const authority = view(state, 1);
		const inputs = collected(next(authority));
		expect(inputs.map(({ slot }) => slot?.subject.lens)).toEqual(state.selected_lenses.slice(1));
		for (const [index, input] of inputs.entries()) {
			const subject = authority.subjects[index + 1];
			expect(input).toMatchObject({
				name: "reviewer_result",
				schema: "https://gentle-ai.dev/schema/review/reviewer/v1",
				capture_operation: "review.capture-result",
				slot: { subject, manifest: MANIFEST },
			});
			expect(input.arguments.map(({ token }) => token)).toEqual([
				"--lineage=review-1",
				`--expected-revision=${stateRevision(state)}`,
				`--target=${SNAPSHOT.identity}`,
				`--repository-context=rctx1_${"6".repeat(64)}`,
				`--lens=${subject?.lens}`,
				`--order=${index + 1}`,
				`--subject-hash=${subject?.subject_hash}`,
			]);
		}
	});

	it("with every slot filled is finalized from what was captured", () => {
		const state = fresh(4);
		const transition = next(view(state, 4));
		expect(transition.reason_code).toBe("captured_results_ready");
		const execution = executed(transition);
		expect(named(execution.arguments)).toEqual(["lineage=review-1", "captured_results=true"]);
		expect(named(execution.preconditions)).toEqual(["state=reviewing", "captured_artifacts=complete"]);
		expect(execution.binding).toEqual({
			lineage_id: "review-1",
			revision: stateRevision(state),
			target_identity: SNAPSHOT.identity,
		});
		expect(execution.artifacts?.map(({ lens }) => lens)).toEqual(state.selected_lenses);
	});

	it("waits for the refuter before it offers to finalize", () => {
		const inputs = collected(next(view(fresh(4), 4, { to_refute: ["R1-001", "R3-002"] })));
		expect(inputs).toMatchObject([
			{ name: "refuter_outcomes", schema: "https://gentle-ai.dev/schema/review/refuter/v1" },
		]);
		expect(inputs[0]?.capture_operation).toMatch(/^external\./);
		expect(inputs[0]?.arguments.every(({ token }) => token === undefined)).toBe(true);
	});

	it("asks no refuter while a slot is open", () => {
		expect(next(view(fresh(4), 3, { to_refute: ["R1-001"] })).reason_code).toBe("reviewer_results_required");
	});

	it("stops at one slot that no longer verifies, however full the others are", () => {
		const authority = view(fresh(4), 4);
		const slots = authority.slots.map((slot, order) => (order === 2 ? { status: "unverifiable" as const } : slot));
		expect(next({ ...authority, slots })).toEqual({ kind: "stop", reason_code: "captured_artifacts_unverifiable" });
	});
});

describe("a review with blockers", () => {
	const state = at("correction_required", { findings: [BLOCKER], fix_finding_ids: ["R3-001"] });

	it("collects the number of lines and says what must be fixed", () => {
		const transition = next(view(state, 4));
		if (transition.kind !== "collect") throw new Error(transition.kind);
		expect(transition.inputs).toMatchObject([
			{
				name: "correction_lines",
				schema: "gentle-ai.review-correction-plan/v1",
				capture_operation: "external.plan_correction",
			},
		]);
		expect(named(transition.inputs[0]?.arguments ?? [])).toEqual([
			"lineage=review-1",
			`expected-revision=${stateRevision(state)}`,
			`target=${SNAPSHOT.identity}`,
		]);
		const request = transition.correction_request;
		if (request === undefined) throw new Error("no request");
		const { request_hash, ...hashed } = request;
		expect(request_hash).toBe(correctionPlanRequestHash(hashed));
		expect(Object.keys(request)).toEqual([
			"schema",
			"request_hash",
			"lineage_id",
			"expected_revision",
			"target_identity",
			"correction_budget",
			"fix_finding_ids",
			"findings",
		]);
		expect(Object.keys(request.findings[0] ?? {})).toEqual([
			"id",
			"lens",
			"location",
			"severity",
			"claim",
			"proof_refs",
			"evidence",
			"evidence_class",
			"causal_disposition",
		]);
	});

	it("repeats the request while the candidate is still the frozen one", () => {
		const planned = { ...state, correction_forecast: 3 };
		expect(next(view(planned, 4))).toMatchObject({
			kind: "stop",
			reason_code: "corrected_candidate_unavailable",
			correction_request: { fix_finding_ids: ["R3-001"] },
		});
	});
});

describe("a review that waits for verification", () => {
	it("collects evidence for the candidate that was reviewed", () => {
		const state = at("validating");
		const facts: RouteFacts = {
			applicability: "current_target",
			live: { ...SNAPSHOT, identity: digest("9") },
			authority: view(state, 4),
		};
		const inputs = collected(nextTransition(facts, REQUEST));
		expect(inputs).toMatchObject([
			{
				name: "evidence",
				schema: "gentle-ai.review-verification-evidence/v2",
				capture_operation: "review.capture-evidence",
			},
		]);
		expect(inputs[0]?.arguments.map(({ token }) => token)).toEqual([
			"--lineage=review-1",
			`--expected-revision=${stateRevision(state)}`,
			`--target=${state.current_snapshot.identity}`,
		]);
	});

	it.each([
		["passed", "captured_verification_evidence_passed"],
		["verification_failed", "captured_verification_failed"],
		["procedural_tooling_failed", "captured_verification_tooling_failed"],
	] as const)("is finalized by evidence that says %s", (evidence, reason) => {
		const transition = next(view(at("validating"), 4, { evidence }));
		expect(transition.reason_code).toBe(reason);
		expect(named(executed(transition).arguments)).toEqual(["lineage=review-1", "captured_evidence=true"]);
		expect(named(executed(transition).preconditions)).toEqual(["state=validating", `verification_outcome=${evidence}`]);
	});

	it("of low risk needs no evidence", () => {
		const transition = next(view(at("validating", {}, 0)));
		expect(transition.reason_code).toBe("native_low_risk_verification");
		expect(named(executed(transition).arguments)).toEqual(["lineage=review-1"]);
		expect(named(executed(transition).preconditions)).toEqual(["state=validating", "risk_level=low"]);
	});
});

describe("a closed review", () => {
	const published = { status: "published", identity: digest("7") } as const;

	it("that approved offers the gate that STATUS was asked about", () => {
		const transition = next(view(at("approved"), 4, { receipt: published }), { gate: "post-apply", selector: true });
		expect(transition.reason_code).toBe("approved_receipt_ready");
		const execution = executed(transition);
		expect(named(execution.arguments)).toEqual(["lineage=review-1", "gate=post-apply"]);
		expect(execution.selector_arguments).toEqual([]);
		expect(named(execution.preconditions)).toEqual(["state=approved", "receipt=present"]);
	});

	it("without its receipt publishes it again", () => {
		const transition = next(view(at("approved"), 4));
		expect(transition.reason_code).toBe("exact_receipt_replay");
		expect(named(executed(transition).arguments)).toEqual(["lineage=review-1"]);
		expect(named(executed(transition).preconditions)).toEqual(["state=approved", "receipt=publication_pending"]);
	});

	it("whose receipt differs is corrupted", () => {
		expect(next(view(at("approved"), 4, { receipt: { status: "conflict" } }))).toEqual({
			kind: "stop",
			reason_code: "corrupted_or_unverifiable_authority",
		});
	});
});

describe("every transition", () => {
	const all: Transition[] = STATES.flatMap((state) =>
		[0, 1, 4].flatMap((lenses) =>
			[0, lenses].flatMap((filled) =>
				([undefined, "passed", "verification_failed", "invalid"] as const).flatMap((evidence) =>
					([{ status: "absent" }, { status: "published", identity: digest("7") }] as const).map((receipt) =>
						next(view({ ...at(state, {}, lenses) }, filled, { evidence, receipt })),
					),
				),
			),
		),
	);

	it("that executes prints a command that a shell splits into exactly its tokens", () => {
		const executions = all.flatMap((transition) => (transition.kind === "execute" ? [transition.execute] : []));
		expect(executions.length).toBeGreaterThan(0);
		for (const { command, arguments: args, operation } of executions) {
			const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" });
			const verb = operation.slice("review.".length);
			expect(stdout.split("\0").slice(0, -1)).toEqual(["gentle-ai", "review", verb, ...args.map(({ token }) => token)]);
		}
	});

	it("that executes has a token for each argument and none for a precondition", () => {
		const executions = all.flatMap((transition) => (transition.kind === "execute" ? [transition.execute] : []));
		for (const { arguments: args, preconditions } of executions) {
			for (const { name, value, token } of args) {
				expect(value).not.toBe("");
				expect(token).toBe(`--${name.replaceAll("_", "-")}=${value}`);
			}
			expect(preconditions.length).toBeGreaterThan(0);
			for (const precondition of preconditions) expect(precondition).not.toHaveProperty("token");
		}
	});

	it("that collects has tokens exactly where a command of ours takes the answer", () => {
		const inputs = all.flatMap((transition) => (transition.kind === "collect" ? transition.inputs : []));
		expect(inputs.length).toBeGreaterThan(0);
		for (const input of inputs) {
			const takes = input.capture_operation.startsWith("review.");
			expect(input.arguments.length).toBeGreaterThan(0);
			expect(input.arguments.map(({ token }) => token !== undefined)).toEqual(input.arguments.map(() => takes));
		}
	});

	it("carries a correction request exactly with the two codes that need one", () => {
		for (const transition of all) {
			const wants = ["correction_plan_required", "corrected_candidate_unavailable"].includes(transition.reason_code);
			expect("correction_request" in transition).toBe(wants);
		}
	});
});

describe("the columns of STATUS", () => {
	it("name the identity of a receipt exactly when it is published", () => {
		const receipt = { status: "published", identity: digest("7") } as const;
		expect(statusColumns(current(view(at("approved"), 4, { receipt }))).receipt).toEqual({
			status: "present",
			identity: digest("7"),
		});
		expect(statusColumns(current(view(at("approved"), 4))).receipt).toEqual({ status: "publication_pending" });
	});

	it("are those of a closed review for an escalation, published or not", () => {
		const receipt = { status: "published", identity: digest("7") } as const;
		expect(statusColumns(current(view(at("escalated"), 4, { receipt })))).toMatchObject({
			action: "stop",
			replayability: "manual_action_required",
		});
	});
});

describe("one target", () => {
	it("is the committed range and the work tree that it was committed from", () => {
		expect(isSameTarget(SNAPSHOT, { ...SNAPSHOT, kind: "base-diff" })).toBe(true);
		expect(isSameTarget({ ...SNAPSHOT, projection: "workspace" }, SNAPSHOT)).toBe(true);
	});

	it.each([
		["another base", { base_tree: "d".repeat(40) }],
		["another candidate", { candidate_tree: "d".repeat(40) }],
		["another projection", { projection: "staged" }],
		["an overlay", { kind: "base-workspace-overlay" }],
		["a correction", { kind: "fix-diff" }],
	] as const)("is not %s", (_, changes) => {
		expect(isSameTarget(SNAPSHOT, { ...SNAPSHOT, ...changes })).toBe(false);
		expect(isSameTarget({ ...SNAPSHOT, ...changes }, SNAPSHOT)).toBe(false);
	});
});
