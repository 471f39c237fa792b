// A reviewed candidate that waits for its verification.

import type { ReasonCode } from "../../contract/reason-codes.ts";
import { plainArgument, tokenArgument } from "../../contract/tokens.ts";
import type { Transition } from "../../contract/transition.ts";
import type { VerificationOutcome } from "../../contract/vocabulary.ts";
import { type Current, collectEvidence, finalize, stop } from "./parts.ts";

const EVIDENCE_REASON: Readonly<Record<VerificationOutcome, ReasonCode>> = {
	passed: "captured_verification_evidence_passed",
	verification_failed: "captured_verification_failed",
	procedural_tooling_failed: "captured_verification_tooling_failed",
};

export function validating(current: Current): Transition {
	const { authority } = current;
	const bound = { authority, target: authority.state.current_snapshot.identity };
	if (authority.evidence === "invalid") return stop("captured_verification_evidence_invalid");
	if (authority.evidence !== undefined) {
		return finalize(
			bound,
			EVIDENCE_REASON[authority.evidence],
			[tokenArgument("captured_evidence", "true")],
			[plainArgument("state", "validating"), plainArgument("verification_outcome", authority.evidence)],
		);
	}
	if (authority.state.risk_level === "low") {
		return finalize(
			bound,
			"native_low_risk_verification",
			[],
			[plainArgument("state", "validating"), plainArgument("risk_level", "low")],
		);
	}
	return collectEvidence(bound, "verification_evidence_required");
}
