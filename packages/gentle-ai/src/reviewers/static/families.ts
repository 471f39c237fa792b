// The table of weaknesses: what a family means, how severe it is, and which paths it spares. A rule is named
// `<family>.<name>`, so that a finding's id alone tells its family, its engine and its rule.
import type { Severity, ShortLens } from "../../contract/vocabulary.ts";
import { OXLINT_RULES } from "./oxlint-rules.ts";
import type { EngineName } from "./protocol.ts";

export type Family = {
	readonly lens: ShortLens;
	readonly severity: Severity;
	/** One sentence that is true of every rule without a sentence of its own. */
	readonly claim: string;
	/** In code that never ships: the rule keeps its severity, becomes a warning, or is silent. */
	readonly tests: "keep" | "warn" | "drop";
};

export const FAMILIES = {
	"committed-secret": {
		lens: "risk",
		severity: "BLOCKER",
		claim: "A credential is written into a file of the candidate",
		tests: "warn",
	},
	"code-evaluation": {
		lens: "risk",
		severity: "BLOCKER",
		claim: "A value that is not a literal is run as program code",
		tests: "drop",
	},
	"shell-execution": {
		lens: "risk",
		severity: "BLOCKER",
		claim: "A value that is not a literal becomes part of a command line that a shell interprets",
		tests: "drop",
	},
	"conflict-markers": {
		lens: "reliability",
		severity: "BLOCKER",
		claim: "The markers of an unresolved merge conflict are left in the file",
		tests: "keep",
	},
	"broken-syntax": {
		lens: "reliability",
		severity: "BLOCKER",
		claim: "The file can no longer be parsed",
		tests: "keep",
	},
	"wrong-code": {
		lens: "reliability",
		severity: "WARNING",
		claim: "The code cannot do what it says",
		tests: "drop",
	},
	"swallowed-error": {
		lens: "resilience",
		severity: "WARNING",
		claim: "An empty block hides what happens there",
		tests: "drop",
	},
	"disabled-test": {
		lens: "reliability",
		severity: "WARNING",
		claim: "A test no longer runs, or keeps the other tests from running",
		tests: "keep",
	},
	suppression: {
		lens: "reliability",
		severity: "WARNING",
		claim: "A new comment tells an analyser to look away",
		tests: "drop",
	},
} as const satisfies Record<string, Family>;

type FamilyName = keyof typeof FAMILIES;

function isFamily(name: string): name is FamilyName {
	return Object.hasOwn(FAMILIES, name);
}

export type Rule = Family & { readonly family: FamilyName; readonly name: string };

/** The rule as it applies, or undefined when `id` names no family. */
export function ruleOf(id: string): Rule | undefined {
	const dot = id.indexOf(".");
	const family = id.slice(0, dot);
	const name = id.slice(dot + 1);
	if (dot < 1 || name === "" || !isFamily(family)) return undefined;
	const own = OXLINT_RULES.find((rule) => rule.id === id);
	return {
		...FAMILIES[family],
		...(own !== undefined && { claim: own.claim }),
		...(own?.severity !== undefined && { severity: own.severity }),
		...(name === "secretlint-disable" && { tests: "warn" }),
		family,
		name,
	};
}

type FindingFacts = {
	readonly family: FamilyName;
	readonly engine: EngineName;
	readonly rule: string;
	/** The finding is about a secret: nobody should print the line it points at. */
	readonly secret: boolean;
};

const FINDING_ID = /^R[1-4]-(secrets|oxlint|ast|text)-([a-z-]+)\.([A-Za-z0-9._-]+)-[0-9a-f]{8}$/;

/** What an id of a finding of the static reviewer says; undefined for an id of somebody else. */
export function describeFinding(id: string): FindingFacts | undefined {
	const [, engine, family = "", rule = ""] = FINDING_ID.exec(id) ?? [];
	if (engine === undefined || !isFamily(family)) return undefined;
	return { family, engine: engine as EngineName, rule, secret: family === "committed-secret" };
}
