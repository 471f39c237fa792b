// A lineage whose candidate moved on: the successor that may take it up, once a maintainer has said so exactly.

import type { Snapshot } from "../../contract/state.ts";
import { plainArgument, reviewCommand, type TransitionArgument, tokenArgument } from "../../contract/tokens.ts";
import type { Transition } from "../../contract/transition.ts";
import type { RecoveryDisposition } from "../../contract/vocabulary.ts";
import { recoveryAuthorization } from "../recovery.ts";
import type { AuthorityView, RecoveryAnswer, RouteRequest } from "./facts.ts";
import { bindingArguments, type Current, withoutTokens } from "./parts.ts";

/** The selectors that lead `review recover` to the same live target. */
function selectors(live: Snapshot): Required<TransitionArgument>[] {
	switch (live.kind) {
		case "base-diff":
			return [tokenArgument("base-ref", live.base_tree), tokenArgument("committed-only", "true")];
		case "base-workspace-overlay":
			return [tokenArgument("base-ref", live.base_tree), tokenArgument("workspace-overlay", "true")];
		default:
			return [];
	}
}

function isExact(
	{ state, revision }: AuthorityView,
	live: Snapshot,
	answer: RecoveryAnswer,
	request: RouteRequest,
): boolean {
	const text = recoveryAuthorization({
		predecessor_lineage: state.lineage_id,
		predecessor_revision: revision,
		target_identity: live.identity,
		...(request.selector && { successor_lineage: answer.successor_lineage }),
		actor: answer.actor,
		reason: answer.reason,
	});
	return text === answer.authorization;
}

function authorized(
	{ state, revision }: AuthorityView,
	live: Snapshot,
	disposition: RecoveryDisposition,
	answer: RecoveryAnswer,
): Transition {
	const chosen = selectors(live);
	const args = [
		tokenArgument("predecessor-lineage", state.lineage_id),
		tokenArgument("expected-predecessor-revision", revision),
		tokenArgument("successor-lineage", answer.successor_lineage),
		tokenArgument("disposition", disposition),
		tokenArgument("reason", answer.reason),
		tokenArgument("actor", answer.actor),
		tokenArgument("maintainer-authorization", answer.authorization),
		...chosen,
	];
	return {
		kind: "execute",
		reason_code: "recovery_authorized",
		execute: {
			operation: "review.recover",
			command: reviewCommand("recover", args),
			arguments: args,
			selector_arguments: withoutTokens(chosen),
			preconditions: [plainArgument("state", state.state), plainArgument("recovery_authorization", "provided")],
			binding: { lineage_id: state.lineage_id, revision, target_identity: live.identity },
		},
	};
}

export function recover(
	authority: AuthorityView,
	live: Snapshot,
	disposition: RecoveryDisposition,
	request: RouteRequest,
): Transition {
	const answer = request.recovery;
	if (answer !== undefined && isExact(authority, live, answer, request)) {
		return authorized(authority, live, disposition, answer);
	}
	const current: Current = { authority, target: live.identity };
	return {
		kind: "collect",
		reason_code: "recovery_authorization_required",
		inputs: [
			{
				name: "recovery_authorization",
				schema: "gentle-ai.review-recovery-authorization/v1",
				capture_operation: "external.authorize_recovery",
				arguments: [...withoutTokens(bindingArguments(current)), plainArgument("disposition", disposition)],
			},
		],
	};
}
