// The linter rules that are used: an explicit list, because the linter's own categories are too noisy to be believed.
// Each row gives the linter's name for the rule, the family it belongs to and the one sentence that it claims.
import type { Severity } from "../../contract/vocabulary.ts";

type Row = readonly [linter: string, claim: string, severity?: Severity];

const WRONG_CODE: readonly Row[] = [
	["eslint/constructor-super", "A constructor calls super where it must not, or does not where it must"],
	["eslint/for-direction", "A loop counts away from its end"],
	["eslint/getter-return", "A getter has a path that returns nothing"],
	["eslint/no-async-promise-executor", "A promise executor is async, so its errors are lost"],
	["eslint/no-class-assign", "A class name is assigned to"],
	["eslint/no-compare-neg-zero", "A comparison with -0 does not tell -0 from 0"],
	["eslint/no-cond-assign", "A condition assigns where a comparison is meant", "CRITICAL"],
	["eslint/no-const-assign", "A constant is assigned to"],
	["eslint/no-constant-binary-expression", "An operation always gives the same result"],
	["eslint/no-debugger", "A debugger statement is left in"],
	["eslint/no-delete-var", "A variable is deleted"],
	["eslint/no-dupe-class-members", "A class declares one member twice, so the first is lost"],
	["eslint/no-dupe-else-if", "A branch repeats an earlier condition and can never run"],
	["eslint/no-dupe-keys", "An object literal gives one key twice, so the first value is lost", "CRITICAL"],
	["eslint/no-duplicate-case", "A switch repeats a case, so the second can never run"],
	["eslint/no-empty-character-class", "A regular expression holds an empty class and can never match"],
	["eslint/no-empty-pattern", "A destructuring pattern binds nothing"],
	["eslint/no-ex-assign", "A caught error is overwritten"],
	["eslint/no-func-assign", "A function name is assigned to"],
	["eslint/no-global-assign", "A built-in global is overwritten"],
	["eslint/no-import-assign", "An imported name is assigned to"],
	["eslint/no-invalid-regexp", "A regular expression is invalid and throws"],
	["eslint/no-loss-of-precision", "A number literal cannot be represented as written"],
	["eslint/no-new-native-nonconstructor", "Something that is not a constructor is constructed"],
	["eslint/no-obj-calls", "A namespace object is called as a function"],
	["eslint/no-self-assign", "A value is assigned to itself"],
	["eslint/no-setter-return", "A setter returns a value that nobody can get"],
	["eslint/no-this-before-super", "A constructor uses this before super"],
	["eslint/no-unreachable", "Code can never be reached"],
	["eslint/no-unsafe-finally", "A finally block overrides what was returned or thrown"],
	["eslint/no-unsafe-negation", "A negation applies to the left operand only"],
	["eslint/no-unsafe-optional-chaining", "An optional chain is used where undefined throws"],
	["eslint/no-useless-backreference", "A back reference in a regular expression can never match anything"],
	["eslint/use-isnan", "A comparison with NaN is never true"],
	["eslint/valid-typeof", "typeof is compared with a word that it never gives"],
	["typescript/no-duplicate-enum-values", "An enum gives one value twice"],
	["typescript/no-extra-non-null-assertion", "A non-null assertion is doubled"],
	["typescript/no-misused-new", "A type declares a constructor that is none"],
	["typescript/no-non-null-asserted-optional-chain", "An optional chain is asserted to be present"],
	["typescript/no-unsafe-declaration-merging", "A class and an interface of one name are merged unchecked"],
	["oxc/bad-array-method-on-arguments", "An array method is called on arguments, which has none"],
	["oxc/bad-char-at-comparison", "A single character is compared with a longer string"],
	["oxc/bad-comparison-sequence", "Comparisons are chained, which does not compare all operands"],
	["oxc/bad-min-max-func", "Nested Math.min and Math.max give a constant"],
	["oxc/bad-object-literal-comparison", "A comparison with a new object or array is never equal"],
	["oxc/bad-replace-all-arg", "replaceAll gets a pattern without the global flag and throws"],
	["oxc/const-comparisons", "Comparisons with constants contradict or repeat each other"],
	["oxc/erasing-op", "An operation always gives zero"],
	["oxc/missing-throw", "An error is constructed and not thrown"],
	["oxc/number-arg-out-of-range", "A number method gets an argument outside its range and throws"],
	["oxc/uninvoked-array-callback", "A callback over a sparse new array is never called"],
	["unicorn/no-await-in-promise-methods", "A promise inside Promise.all and its kin is awaited one by one"],
	["unicorn/no-invalid-fetch-options", "fetch gets a body with a method that cannot have one and throws"],
	["unicorn/no-invalid-remove-event-listener", "A listener is removed that was never added"],
	["unicorn/no-thenable", "An object declares then and is taken for a promise"],
];

const OTHER_FAMILIES: readonly (readonly [family: string, row: Row])[] = [
	["swallowed-error", ["eslint/no-empty", "An empty block hides what happens there"]],
	["suppression", ["typescript/ban-ts-comment", "A new comment tells the type checker to look away"]],
	["disabled-test", ["jest/no-focused-tests", "A focused test keeps the other tests from running"]],
	["disabled-test", ["jest/no-disabled-tests", "A test is switched off"]],
	["disabled-test", ["vitest/no-focused-tests", "A focused test keeps the other tests from running"]],
	["disabled-test", ["vitest/no-disabled-tests", "A test is switched off"]],
];

export type OxlintRule = {
	/** `<family>.<rule>`; two plug-ins may share one. */
	readonly id: string;
	/** `<plug-in>/<rule>` as the linter calls it. */
	readonly linter: string;
	readonly claim: string;
	readonly severity: Severity | undefined;
};

function rule(family: string, [linter, claim, severity]: Row): OxlintRule {
	return { id: `${family}.${linter.slice(linter.indexOf("/") + 1)}`, linter, claim, severity };
}

export const OXLINT_RULES: readonly OxlintRule[] = [
	...WRONG_CODE.map((row) => rule("wrong-code", row)),
	...OTHER_FAMILIES.map(([family, row]) => rule(family, row)),
];

export const OXLINT_PLUGINS = ["typescript", "unicorn", "oxc", "jest", "vitest"] as const;
