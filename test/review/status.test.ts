// Runs the published STATUS cases of the states that this version has.
import { describe, expect, it } from "vitest";
import { readSuite } from "../contract/data.ts";
import { type Decided, decide, factsOf, type Situation } from "./situations.ts";

const REPAIR = "classified repair is not in this version";

const SKIPPED: Readonly<Record<string, string>> = {
	"sta-corrupted-eligible": REPAIR,
	"sta-corrupted-authorized": REPAIR,
	"sta-journal-pending": "one database transaction replaces the journal, so no attempt stays incomplete",
	"sta-approved-pre-pr-sha": "pre-pr is not in this version",
	"sta-legacy-approved": "v1 histories are not in this version",
};

const { cases } = readSuite<Situation, Decided>("status");

describe("published behaviour: status", () => {
	for (const { id, input, expect: expected, why } of cases) {
		if (SKIPPED[id] === undefined) it(`${id}: ${why}`, () => expect(decide(factsOf(input))).toEqual(expected));
	}

	it("leaves out only cases that are published, each with its reason", () => {
		const ids = new Set(cases.map(({ id }) => id));
		expect(Object.keys(SKIPPED).filter((id) => !ids.has(id))).toEqual([]);
	});
});
