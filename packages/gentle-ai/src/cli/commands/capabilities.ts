// `review capabilities`: kept apart so that it loads nothing but itself.
import { CONTRACTS } from "../../contract/vocabulary.ts";
import { capabilities } from "../../provider/capabilities.ts";
import { printDocument } from "../output.ts";
import { CONTRACT, type Verb } from "../verb.ts";

export const capabilitiesVerb: Verb = {
	name: "capabilities",
	summary: "what this executable can do; needs no repository",
	operation: "review.capabilities",
	alwaysNegotiated: true,
	refusalExit: 1,
	flags: [CONTRACT],
	run: async (_flags, { contract }) => {
		printDocument(capabilities(contract ?? CONTRACTS[0]));
		return 0;
	},
};
