// The commands that continue a review which cannot go on by itself. Not negotiated; errors are text.
import { LIMITS, PROJECTIONS, RECOVERY_DISPOSITIONS } from "../../contract/vocabulary.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { readInput } from "../../provider/input.ts";
import { recover } from "../../provider/recover.ts";
import { focusOf, once, required, requiredOneOf, requiredText } from "../flags.ts";
import { printDocument } from "../output.ts";
import { CWD, SELECTOR_FLAGS, selectorFrom } from "../selector.ts";
import type { Verb } from "../verb.ts";

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
		{ name: "actor", kind: "text", value: "NAME", help: "the maintainer" },
		{ name: "maintainer-authorization", kind: "text", value: "TEXT", help: "the maintainer's exact authorization" },
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
			selector: selectorFrom(flags, false),
			selected: flags.given("base-ref"),
			focus: focusOf(flags),
			policy: policy === undefined ? undefined : readInput("policy", policy, LIMITS.policyBytes),
		};
		const { lineage, recovery } = await withRepository(processCaller(), flags.text("cwd") ?? ".", (place) =>
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
