// The commands that continue a review which cannot go on by itself. Only the retry is negotiated; elsewhere errors are text.

import { LIMITS } from "../../contract/limits.ts";
import { CONTRACTS, PROJECTIONS, RECOVERY_DISPOSITIONS } from "../../contract/vocabulary.ts";
import { codecOf } from "../../contract/wire/index.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { readInput } from "../../provider/input.ts";
import { invalidate } from "../../provider/invalidate.ts";
import { recover } from "../../provider/recover.ts";
import { retryFinalVerification } from "../../provider/retry-verification.ts";
import { type FlagSpec, focusOf, once, required, requiredOneOf, requiredText } from "../flags.ts";
import { printDocument } from "../output.ts";
import { CWD, cwdOf, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import { CONTRACT, type Verb } from "../verb.ts";

export const ACTOR: FlagSpec = { name: "actor", kind: "text", value: "NAME", help: "the maintainer" };
export const AUTHORIZATION: FlagSpec = {
	name: "maintainer-authorization",
	kind: "text",
	value: "TEXT",
	help: "the maintainer's exact authorization",
};

export const recoverVerb: Verb = {
	name: "recover",
	summary: "open the successor of a review whose candidate moved on",
	refusalExit: 1,
	flags: [
		CWD,
		{ name: "predecessor-lineage", kind: "text", value: "ID", help: "the review that is continued" },
		{ name: "expected-predecessor-revision", kind: "text", value: "SHA256", help: "its revision that STATUS printed" },
		{ name: "successor-lineage", kind: "text", value: "ID", help: "the name of the review that continues" },
		{ name: "disposition", kind: "text", value: RECOVERY_DISPOSITIONS.join("|"), help: "what STATUS said of it" },
		{ name: "reason", kind: "text", value: "TEXT", help: "why it continues" },
		ACTOR,
		AUTHORIZATION,
		{ name: "policy", kind: "text", value: "FILE", help: "policy text; its bytes are hashed, not interpreted" },
		{ name: "focus", kind: "text", value: "LENS", help: "the lens of a medium-risk candidate (default: reliability)" },
		...once(SELECTOR_FLAGS),
	],
	run: async (flags) => {
		const policy = flags.text("policy");
		const request = {
			predecessor_lineage: required(flags, "predecessor-lineage", "lineage"),
			expected_predecessor_revision: required(flags, "expected-predecessor-revision", "sha256"),
			successor_lineage: required(flags, "successor-lineage", "lineage"),
			disposition: requiredOneOf(flags, "disposition", RECOVERY_DISPOSITIONS),
			reason: requiredText(flags, "reason"),
			actor: requiredText(flags, "actor"),
			authorization: flags.text("maintainer-authorization"),
			selector: SELECTOR_FLAGS.some(({ name }) => flags.given(name)) ? selectorFrom(flags, false) : undefined,
			selected: flags.given("base-ref"),
			focus: focusOf(flags),
			policy: policy === undefined ? undefined : readInput("policy", policy, LIMITS.policyBytes),
		};
		const { lineage, recovery } = await withRepository(processCaller(), cwdOf(flags), (place) =>
			recover(place, request),
		);
		const { state, revision } = lineage;
		printDocument({
			operation: "review/recover",
			lineage_id: lineage.lineage_id,
			state: state.state,
			store_revision: revision,
			projection: state.initial_snapshot.projection ?? PROJECTIONS[1],
			target_identity: state.initial_snapshot.identity,
			recovery,
		});
		return 0;
	},
};

export const retryVerb: Verb = {
	name: "retry-final-verification",
	summary: "verify once more what a verification without its tools closed",
	operation: "review.retry_final_verification",
	alwaysNegotiated: true,
	refusalExit: 1,
	flags: [
		CWD,
		CONTRACT,
		{ name: "predecessor-lineage", kind: "text", value: "ID", help: "the review whose verification is repeated" },
		{ name: "expected-predecessor-revision", kind: "text", value: "SHA256", help: "its revision that STATUS printed" },
		{ name: "successor-lineage", kind: "text", value: "ID", help: "the name of the review that verifies again" },
		{ name: "incident", kind: "text", value: "FILE", help: "the exact incident, one line of JSON; - is stdin" },
		ACTOR,
		{ name: "reason", kind: "text", value: "TEXT", help: "what kept the tools from running" },
		AUTHORIZATION,
	],
	run: async (flags, context) => {
		const contract = context.contract ?? CONTRACTS[0];
		const request = {
			predecessor_lineage: required(flags, "predecessor-lineage", "lineage"),
			expected_predecessor_revision: required(flags, "expected-predecessor-revision", "sha256"),
			successor_lineage: required(flags, "successor-lineage", "lineage"),
			actor: requiredText(flags, "actor"),
			reason: requiredText(flags, "reason"),
			authorization: requiredText(flags, "maintainer-authorization"),
			incident: readInput("incident", requiredText(flags, "incident"), LIMITS.incidentBytes),
		};
		const outcome = await withRepository(processCaller(), cwdOf(flags), (place) =>
			retryFinalVerification(place, request),
		);
		printDocument(codecOf(contract).renderRetry(outcome));
		return 0;
	},
};

export const REVISION: FlagSpec = {
	name: "expected-revision",
	kind: "text",
	value: "SHA256",
	help: "the revision that STATUS printed",
};

export const invalidateVerb: Verb = {
	name: "invalidate",
	summary: "give up a review that nobody has answered, so that another can take it up",
	refusalExit: 1,
	flags: [
		CWD,
		{ name: "lineage", kind: "text", value: "ID", help: "the review" },
		REVISION,
		{ name: "reason", kind: "text", value: "TEXT", help: "why; kept with the review" },
	],
	run: async (flags) => {
		const request = {
			lineage: required(flags, "lineage", "lineage"),
			expected_revision: required(flags, "expected-revision", "sha256"),
			reason: requiredText(flags, "reason"),
		};
		const { lineage_id, state, revision } = await withRepository(processCaller(), cwdOf(flags), (place) =>
			invalidate(place, request),
		);
		printDocument({ operation: "review/invalidate", lineage_id, state, store_revision: revision });
		return 0;
	},
};
