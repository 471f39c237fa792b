// START and STATUS as they answer without a contract: older shapes that gained nothing since.
import { invalidInput } from "../../contract/errors.ts";
import { LIMITS } from "../../contract/limits.ts";
import { renderDeclined } from "../../contract/wire/shared/consent.ts";
import { renderAuthorityStatus, renderPlainStart } from "../../contract/wire/unnegotiated.ts";
import { processCaller, withRepository } from "../../provider/caller.ts";
import { requireCommitted } from "../../provider/committed.ts";
import { readInput } from "../../provider/input.ts";
import { listAuthority } from "../../provider/listing.ts";
import { start } from "../../provider/start.ts";
import { reasonPhrase } from "../../review/index.ts";
import { type FlagSpec, type Flags, focusOf, missing, optional } from "../flags.ts";
import { printDocument } from "../output.ts";
import { cwdOf, selectorFrom } from "../selector.ts";
import { budgetOf, firstContact } from "../terminal.ts";
import { traced } from "../trace.ts";

/** What only a negotiated call may say. */
const NEGOTIATED = ["target", "consent", "locale"];

export async function startUnnegotiated(flags: Flags): Promise<number> {
	const negotiated = NEGOTIATED.find((name) => flags.given(name));
	if (negotiated !== undefined) throw missing("contract", `given with --${negotiated}`);
	const policy = flags.text("policy");
	const selector = selectorFrom(flags, flags.bool("workspace-overlay") === true);
	const request = {
		contract: undefined,
		selector,
		target: undefined,
		lineage: optional(flags, "lineage", "lineage"),
		focus: focusOf(flags),
		policy: policy === undefined ? undefined : readInput("policy", policy, LIMITS.policyBytes),
		consent: undefined,
		first_contact: firstContact(),
		locale: "en",
		invocation: [],
	} as const;
	const answer = await traced(flags, "review.start", (caller) =>
		withRepository(
			caller,
			cwdOf(flags),
			async (place) => {
				if (selector.kind === "base-diff" && flags.bool("committed-only") !== true) await requireCommitted(place);
				return start(place, request);
			},
			budgetOf(undefined),
		),
	);
	if (answer.kind === "consent") throw new Error("a call without a contract asks nobody");
	if (answer.kind === "declined") printDocument(renderDeclined(answer.outcome));
	else {
		const phrases = answer.outcome.risk_reasons.flatMap((reason) => reasonPhrase(reason, "en") ?? []);
		printDocument(renderPlainStart(answer.outcome, phrases));
	}
	return 0;
}

/** Every review of the repository at once; a question about one target needs a contract. */
export async function statusUnnegotiated(flags: Flags, known: readonly FlagSpec[]): Promise<number> {
	const other = known.find(({ name }) => name !== "cwd" && flags.given(name));
	if (other !== undefined) {
		const value = flags.text(other.name) ?? "true";
		throw invalidInput(`--${other.name}`, value, "accepted without --contract", "Pass --contract as well");
	}
	printDocument(renderAuthorityStatus(await withRepository(processCaller(), cwdOf(flags), listAuthority)));
	return 0;
}
