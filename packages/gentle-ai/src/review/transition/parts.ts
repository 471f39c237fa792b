// The pieces that transitions share: stops, bindings, and the one FINALIZE call.

import type { ReasonCode } from "../../contract/reason-codes.ts";
import type { Snapshot } from "../../contract/state.ts";
import { plainArgument, reviewCommand, type TransitionArgument, tokenArgument } from "../../contract/tokens.ts";
import type { Execution, Transition } from "../../contract/transition.ts";
import type { AuthorityView } from "./facts.ts";

export function projectionOf(snapshot: Snapshot): "workspace" | "staged" {
	return snapshot.projection ?? "workspace";
}

export function stop(reason_code: ReasonCode): Transition {
	return { kind: "stop", reason_code };
}

/** An authority, and the identity that its inputs are bound to. */
export type Current = { readonly authority: AuthorityView; readonly target: string };

export function bindingArguments({ authority, target }: Current): Required<TransitionArgument>[] {
	return [
		tokenArgument("lineage", authority.state.lineage_id),
		tokenArgument("expected-revision", authority.revision),
		tokenArgument("target", target),
	];
}

export function withoutTokens(args: readonly Required<TransitionArgument>[]): TransitionArgument[] {
	return args.map(({ name, value }) => plainArgument(name, value));
}

export function finalize(
	current: Current,
	reason_code: ReasonCode,
	flags: readonly Required<TransitionArgument>[],
	preconditions: readonly TransitionArgument[],
	artifacts?: Execution["artifacts"],
): Transition {
	const { authority, target } = current;
	const args = [tokenArgument("lineage", authority.state.lineage_id), ...flags];
	return {
		kind: "execute",
		reason_code,
		execute: {
			operation: "review.finalize",
			command: reviewCommand("finalize", args),
			arguments: args,
			preconditions,
			binding: { lineage_id: authority.state.lineage_id, revision: authority.revision, target_identity: target },
			...(artifacts !== undefined && { artifacts }),
		},
	};
}

/** Verification evidence for one target, through the command that captures it. */
export function collectEvidence(current: Current, reason_code: ReasonCode): Transition {
	return {
		kind: "collect",
		reason_code,
		inputs: [
			{
				name: "evidence",
				schema: "gentle-ai.review-verification-evidence/v2",
				capture_operation: "review.capture-evidence",
				arguments: bindingArguments(current),
			},
		],
	};
}
