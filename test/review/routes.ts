// Asks for the next transition of a review, and takes it apart.
import type { ReviewState } from "../../packages/gentle-ai/src/contract/state.ts";
import type { Execution, Transition } from "../../packages/gentle-ai/src/contract/transition.ts";
import {
	type AuthorityView,
	nextTransition,
	type RouteFacts,
	type RouteRequest,
} from "../../packages/gentle-ai/src/review/index.ts";
import { fresh, SNAPSHOT } from "./states.ts";

export const REQUEST: RouteRequest = {
	contract: "gentle-ai.review-integration/v2",
	gate: "pre-commit",
	selector: false,
};

export function current(authority: AuthorityView): RouteFacts {
	return { applicability: "current_target", live: SNAPSHOT, authority };
}

export function next(authority: AuthorityView, request: Partial<RouteRequest> = {}): Transition {
	return nextTransition(current(authority), { ...REQUEST, ...request });
}

export function executed(transition: Transition): Execution {
	if (transition.kind !== "execute") throw new Error(`${transition.kind} ${transition.reason_code}`);
	return transition.execute;
}

export function named(args: readonly { readonly name: string; readonly value: string }[]): string[] {
	return args.map(({ name, value }) => `${name}=${value}`);
}

export function at(state: ReviewState["state"], changes: Partial<ReviewState> = {}, lenses = 4): ReviewState {
	return { ...fresh(lenses), state, ...changes };
}
