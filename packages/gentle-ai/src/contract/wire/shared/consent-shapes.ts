// The blocking question of START: the same words in every generation, but for what the decline keeps.
import type { Static } from "typebox";
import * as Type from "typebox";
import { NonEmpty, Sha256Schema } from "../../scalar-schemas.ts";
import { PROJECTIONS, TIERS } from "../../vocabulary.ts";
import { Count, closed } from "./parts.ts";

const consentFields = (choices: readonly [RegExp, RegExp]) => {
	const choice = <const Answer extends string>(answer: Answer, invocation: RegExp) =>
		Type.Object(
			{
				answer: Type.Literal(answer),
				label: NonEmpty,
				effect: NonEmpty,
				invocation: Type.String({ pattern: invocation.source }),
			},
			closed,
		);
	return {
		operation: Type.Literal("review.start"),
		action: Type.Literal("consent_required"),
		blocking: Type.Literal(true),
		target_identity: Sha256Schema,
		projection: Type.Enum(PROJECTIONS),
		risk_level: Type.Enum([TIERS[1], TIERS[2]]),
		changed_files: Count,
		changed_lines: Count,
		headline: NonEmpty,
		reason: NonEmpty,
		value: NonEmpty,
		risk_evidence: Type.Array(NonEmpty),
		choices: Type.Tuple([choice("granted", choices[0]), choice("declined", choices[1])]),
		off_path: Type.Object({ note: NonEmpty, command: Type.Literal("gentle-ai review mode disable") }, closed),
	};
};

export function consentShape<const Name extends string, Contract extends Type.TLiteral>(
	schema: Name,
	contract: Contract,
) {
	const asked = contract.const.toString().replaceAll(".", "\\.");
	const invocation = (answer: string) =>
		new RegExp(`^gentle-ai review start --contract ${asked} .* --consent ${answer}$`, "s");
	return Type.Object(
		{ schema: Type.Literal(schema), contract, ...consentFields([invocation("granted"), invocation("declined")]) },
		closed,
	);
}

export type ConsentBody = Static<Type.TObject<ReturnType<typeof consentFields>>>;
