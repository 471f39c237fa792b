// The validator without a model: the analysers once more, on the corrected candidate. What a correction had to resolve
// must be gone, and nothing that blocks may be new.
import { visible } from "../../contract/paths.ts";
import type { AdmittedFinding } from "../../contract/state.ts";
import { isSevere } from "../../contract/vocabulary.ts";
import type { Check, Validation } from "../reviewer.ts";
import type { Analysis } from "./analyse.ts";
import type { NewFinding } from "./compare.ts";
import { describeFinding } from "./families.ts";

const SHOWN = 5;

function ruleKey(engine: string, family: string, rule: string): string {
	return `${engine} ${family}.${rule}`;
}

/** The rules behind frozen findings; undefined when one of them is of no rule here. */
function rulesOf(findings: readonly AdmittedFinding[]): ReadonlySet<string> | undefined {
	const keys = findings.map(({ id }) => {
		const known = describeFinding(id);
		return known && ruleKey(known.engine, known.family, known.rule);
	});
	return keys.includes(undefined) ? undefined : new Set(keys.flatMap((key) => key ?? []));
}

function told({ ruleId, input, line }: NewFinding): string {
	return `${ruleId} at ${visible(input.entry.path)}:${line}`;
}

function check(still: readonly NewFinding[], good: string, bad: string, engines: readonly string[]): Check {
	if (still.length === 0) return { passed: true, evidence: [good, ...engines] };
	const more = still.length > SHOWN ? [`and ${still.length - SHOWN} more`] : [];
	return { passed: false, evidence: [`${bad}: ${[...still.slice(0, SHOWN).map(told), ...more].join(", ")}`] };
}

export function validationOf(analysis: Analysis, findings: readonly AdmittedFinding[]): Validation | undefined {
	const rules = rulesOf(findings);
	if (rules === undefined) return undefined;
	const severe = analysis.findings.filter(({ severity }) => isSevere(severity));
	const isOriginal = ({ engine, rule }: NewFinding) => rules.has(ruleKey(engine, rule.family, rule.name));
	const engines = analysis.engines.map(({ evidence }) => evidence);
	const ids = findings.map(({ id }) => id).join(", ");
	return {
		original_criteria: check(
			severe.filter(isOriginal),
			`no rule behind ${ids} finds anything new in the corrected candidate`,
			"the corrected candidate still has what had to be corrected",
			engines,
		),
		correction_regression: check(
			severe.filter((finding) => !isOriginal(finding)),
			"no other rule finds anything severe that is new in the corrected candidate",
			"the correction brought something else that blocks",
			engines,
		),
	};
}
