// Pins the routes of STATUS where no review is, and what every route has in common.
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Transition } from "../../packages/gentle-ai/src/contract/transition.ts";
import { STATES } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import {
	isSameTarget,
	nextTransition,
	type RouteFacts,
	statusColumns,
} from "../../packages/gentle-ai/src/review/index.ts";
import { at, current, executed, named, next, REQUEST } from "./routes.ts";
import { digest, SNAPSHOT, view } from "./states.ts";

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
