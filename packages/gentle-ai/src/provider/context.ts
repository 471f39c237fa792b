// Where a capture goes: a folder that the caller names, or the handle that the authority issued for exactly this slot.
import { resolveContext } from "../authority/index.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import type { Caller } from "./caller.ts";

export type ContextRequest = {
	readonly cwd: string | undefined;
	readonly handle: string | undefined;
	readonly lineage: string | undefined;
	readonly target: string | undefined;
	readonly expected_revision: string | undefined;
};

function refused(message: string, rule: string): ReviewError {
	return new ReviewError("invalid_request", {
		message,
		field: "--repository-context",
		rule,
		next: "Run STATUS in the repository and use the values that it prints together",
	});
}

/** The folder to work in, and whether the answer must name no path. */
export function capturePlace(caller: Caller, request: ContextRequest): { cwd: string; opaque: boolean } {
	if (request.handle === undefined) return { cwd: request.cwd ?? ".", opaque: false };
	if (request.cwd !== undefined) {
		throw invalidInput("--cwd", request.cwd, "accepted together with --repository-context", "Pass one of the two");
	}
	const locator = resolveContext(caller.home, request.handle);
	if (locator === undefined) {
		throw refused(
			"this repository context is not known here (repository_context_unavailable)",
			"a context that START issued on this machine",
		);
	}
	if (
		locator.lineage_id !== request.lineage ||
		locator.target_identity !== request.target ||
		locator.revision !== request.expected_revision
	) {
		throw refused(
			"this repository context belongs to another slot (repository_context_binding_mismatch)",
			"used with the lineage, target and revision that it was issued for",
		);
	}
	return { cwd: locator.repository_root, opaque: true };
}
