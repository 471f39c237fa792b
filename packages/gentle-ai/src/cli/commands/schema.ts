// SCHEMA: prints what somebody outside has to write. It needs no repository.
import { invalidInput } from "../../contract/errors.ts";
import { SCHEMA_NAMES } from "../../contract/schema-names.ts";
import { schemaDocument } from "../../contract/validators.ts";
import { printDocument } from "../output.ts";
import type { Verb } from "../verb.ts";

export const schemaVerb: Verb = {
	name: "schema",
	summary: "print the schema of what a reviewer, refuter or validator answers",
	refusalExit: 1,
	words: SCHEMA_NAMES,
	flags: [],
	run: async (_, { word }) => {
		const name = SCHEMA_NAMES.find((known) => known === word);
		if (name === undefined) {
			throw invalidInput("name", "", `one of ${SCHEMA_NAMES.join(", ")}`, "Run `gentle-ai review schema <name>`");
		}
		printDocument(schemaDocument(name));
		return 0;
	},
};
