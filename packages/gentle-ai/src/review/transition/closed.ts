// Closed reviews: the receipt to publish, the gate to ask, the one retry of a verification that its tools spoiled.
import type { FinalVerificationRetry } from "../../contract/model.ts";
import { plainArgument, reviewCommand, tokenArgument } from "../../contract/tokens.ts";
import type { Transition } from "../../contract/transition.ts";
import type { AuthorityView, RouteRequest } from "./facts.ts";
import { type Current, finalize, stop } from "./parts.ts";

function retryRequired({ state, revision }: AuthorityView, retry: FinalVerificationRetry): Transition {
	const record = retry.failed_evidence_record_digest;
	return {
		kind: "collect",
		reason_code: "final_verification_retry_authorization_required",
		inputs: [
			{
				name: "final_verification_retry_authorization",
				schema: "gentle-ai.review-final-verification-retry-authorization/v1",
				capture_operation: "external.authorize_final_verification_retry",
				arguments: [
					plainArgument("predecessor-lineage", state.lineage_id),
					plainArgument("expected-predecessor-revision", revision),
					plainArgument("validating-revision", retry.validating_revision),
					plainArgument("target", retry.target_identity),
					plainArgument("failed-evidence-hash", retry.failed_evidence_hash),
					...(record === undefined ? [] : [plainArgument("failed-evidence-record-digest", record)]),
					plainArgument("finalize-request-digest", retry.finalize_request_digest),
					plainArgument("incident-schema", retry.incident_schema),
					plainArgument("incident-class", retry.incident_class),
				],
			},
		],
	};
}

export function closed(current: Current, request: RouteRequest): Transition {
	const { authority, target } = current;
	if (authority.receipt.status === "conflict") return stop("corrupted_or_unverifiable_authority");
	if (authority.receipt.status === "absent") {
		return finalize(
			current,
			"exact_receipt_replay",
			[],
			[plainArgument("state", authority.state.state), plainArgument("receipt", "publication_pending")],
		);
	}
	if (authority.state.state !== "approved") {
		return authority.retry === undefined ? stop("native_stop_required") : retryRequired(authority, authority.retry);
	}
	const args = [tokenArgument("lineage", authority.state.lineage_id), tokenArgument("gate", request.gate)];
	return {
		kind: "execute",
		reason_code: "approved_receipt_ready",
		execute: {
			operation: "review.validate",
			command: reviewCommand("validate", args),
			arguments: args,
			...(request.selector && { selector_arguments: [] }),
			preconditions: [plainArgument("state", "approved"), plainArgument("receipt", "present")],
			binding: { lineage_id: authority.state.lineage_id, revision: authority.revision, target_identity: target },
		},
	};
}
