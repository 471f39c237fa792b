// Comments that tell an analyser to look away. They are reported when they are new, and they are spoiled in the copies
// that the engines read: the author of a candidate must not be able to switch its reviewer off.

/** Rule name and what the comment says, without its comment sign. */
const DIRECTIVES: readonly (readonly [rule: string, words: string])[] = [
	["eslint-disable", "eslint-disable\\b"],
	["oxlint-disable", "oxlint-disable\\b"],
	["biome-ignore", "biome-ignore\\b"],
	["tslint-disable", "tslint:\\s?disable\\b"],
	["secretlint-disable", "secretlint-disable\\b"],
	["gitleaks-allow", "gitleaks:\\s?allow\\b"],
	["allowlist-secret", "pragma: allowlist (?:nextline )?secret\\b"],
	["noqa", "(?:(?:ruff|flake8): ?)?noqa\\b"],
	["nosec", "nosec\\b"],
	["nosemgrep", "nosem(?:grep)?\\b"],
	["nolint", "nolint(?:nextline|begin)?\\b"],
	["type-ignore", "type: ?ignore\\b"],
	["pyright-ignore", "pyright: ?ignore\\b"],
	["pylint-disable", "pylint: ?disable\\b"],
	["rubocop-disable", "rubocop: ?disable\\b"],
	["shellcheck-disable", "shellcheck disable="],
	["checkov-skip", "checkov:skip\\b"],
	["trivy-ignore", "(?:trivy|tfsec):ignore\\b"],
];

const COMMENT_SIGN = "(?:#|//|/\\*|<!--|--|;|^\\s*\\*)[ \\t!*]*";

const IN_COMMENT = DIRECTIVES.map(([rule, words]) => ({ rule, pattern: new RegExp(COMMENT_SIGN + words, "i") }));

/** The rules whose directive a line of text holds in a comment. */
export function directivesIn(line: string): string[] {
	return IN_COMMENT.filter(({ pattern }) => pattern.test(line)).map(({ rule }) => rule);
}

export const SUPPRESSION_RULES = DIRECTIVES.map(([rule]) => rule);

const HEEDED =
	/eslint-disable|oxlint-disable|biome-ignore|secretlint-disable|noqa|nosec|nosemgrep|nolint|type: ?ignore/gi;

/** The text with one letter of every directive replaced; length and lines stay as they are. */
export function neutralise(text: string): string {
	return text.replace(HEEDED, (words) => `${words.slice(0, -1)}_`);
}
