// Exact flags: parsed by the platform's parser over one table, with the refusals of the contract.
import { parseArgs } from "node:util";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { LIMITS, PATTERNS } from "../contract/limits.ts";
import { DEFAULT_FOCUS, LENSES, SHORT_LENSES, type ShortLens, shortLens } from "../contract/vocabulary.ts";

export type FlagSpec = {
	readonly name: string;
	readonly kind: "text" | "boolean";
	/** What stands for the value in the help. */
	readonly value?: string;
	readonly help: string;
	/** Refused when it is given twice; of other flags the last one wins. */
	readonly once?: boolean;
	/** Given any number of times; every value counts. */
	readonly many?: boolean;
};

export type Flags = {
	readonly text: (name: string) => string | undefined;
	/** Every value of a flag that may be repeated, in order. */
	readonly all: (name: string) => readonly string[];
	readonly given: (name: string) => boolean;
	/** `undefined` when the flag was not given. */
	readonly bool: (name: string) => boolean | undefined;
};

function helpHint(verb: string): string {
	return `Run \`gentle-ai review ${verb}${verb === "" ? "" : " "}--help\` to see the flags`;
}

/** The same flags, each refused when it is given twice. */
export function once(specs: readonly FlagSpec[]): FlagSpec[] {
	return specs.map((spec) => ({ ...spec, once: true }));
}

/** One dash is as good as two; a boolean may be written with `=true` or `=false`, and keeps its last value. */
function normalise(
	argv: readonly string[],
	specs: readonly FlagSpec[],
): { args: string[]; booleans: ReadonlyMap<string, boolean> } {
	const known = new Set(specs.filter(({ kind }) => kind === "boolean").map(({ name }) => name));
	const booleans = new Map<string, boolean>();
	const args: string[] = [];
	let previous: string | undefined;
	for (const [index, word] of argv.entries()) {
		if (word === "--") {
			args.push(...argv.slice(index));
			break;
		}
		const dashed = /^-[A-Za-z][A-Za-z-]+/.test(word) ? `-${word}` : word;
		if (previous !== undefined && known.has(previous) && (word === "true" || word === "false")) {
			throw invalidInput(`--${previous}`, word, "a detached value", `Write --${previous}=${word}`);
		}
		const [, name = "", value = "true"] = /^--([a-z-]+)(?:=(true|false))?$/.exec(dashed) ?? [];
		if (known.has(name)) booleans.set(name, value === "true");
		args.push(known.has(name) ? `--${name}` : dashed);
		previous = /^--([a-z-]+)$/.exec(dashed)?.[1];
	}
	return { args, booleans };
}

type ParseFailure = { readonly code: string; readonly message: string };

function isParseFailure(error: unknown): error is ParseFailure & Error {
	return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

function refusal(error: ParseFailure, verb: string): ReviewError {
	const flag = /'([^']*)'/.exec(error.message)?.[1] ?? "";
	switch (error.code) {
		case "ERR_PARSE_ARGS_UNKNOWN_OPTION":
			return invalidInput("flag", flag, "a flag of this command", helpHint(verb));
		case "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL":
			return invalidInput("argument", flag, "a flag: this command takes no bare arguments", helpHint(verb));
		default:
			return invalidInput("flag", flag, "followed by a value", helpHint(verb));
	}
}

function refuseRepetition(
	tokens: readonly { kind: string; name?: string }[],
	specs: readonly FlagSpec[],
	verb: string,
): void {
	const seen = new Set<string>();
	for (const token of tokens) {
		if (token.kind !== "option" || token.name === undefined) continue;
		const spec = specs.find(({ name }) => name === token.name);
		if (seen.has(token.name) && spec?.once === true) {
			throw invalidInput(`--${token.name}`, "given twice", "given once", helpHint(verb));
		}
		seen.add(token.name);
	}
}

export function parseFlags(verb: string, argv: readonly string[], specs: readonly FlagSpec[]): Flags {
	const { args, booleans } = normalise(argv, specs);
	const options = Object.fromEntries(
		specs.map(({ name, kind, many = false }) => [
			name,
			{ type: kind === "boolean" ? ("boolean" as const) : ("string" as const), multiple: many },
		]),
	);
	try {
		const { values, tokens } = parseArgs({ args, options, strict: true, allowPositionals: false, tokens: true });
		refuseRepetition(tokens, specs, verb);
		return {
			text: (name) => {
				const value = values[name];
				return typeof value === "string" ? value : undefined;
			},
			all: (name) => [values[name] ?? []].flat().filter((value) => typeof value === "string"),
			given: (name) => values[name] !== undefined,
			bool: (name) => booleans.get(name),
		};
	} catch (error) {
		if (isParseFailure(error)) throw refusal(error, verb);
		throw error;
	}
}

// ---- typed values -------------------------------------------------------------------------------------------------

const RULES = {
	sha256: { pattern: new RegExp(PATTERNS.sha256), rule: "`sha256:` and 64 lowercase hex digits" },
	lineage: {
		pattern: new RegExp(PATTERNS.lineage),
		rule: `a lineage id: lowercase words joined by single dashes, at most ${LIMITS.lineageIdBytes} bytes`,
	},
	handle: { pattern: new RegExp(PATTERNS.repositoryContext), rule: "a repository context: `rctx1_` and 64 hex digits" },
} as const;

const FROM_STATUS = "Use the value that STATUS or START prints";

function checked(name: string, value: string, kind: keyof typeof RULES): string {
	const { pattern, rule } = RULES[kind];
	if (!pattern.test(value) || (kind === "lineage" && value.length > LIMITS.lineageIdBytes)) {
		throw invalidInput(`--${name}`, value, rule, FROM_STATUS);
	}
	return value;
}

export function optional(flags: Flags, name: string, kind: keyof typeof RULES): string | undefined {
	const value = flags.text(name);
	return value === undefined ? undefined : checked(name, value, kind);
}

/** Every value of a flag that may be repeated, each in its form. */
export function all(flags: Flags, name: string, kind: keyof typeof RULES): string[] {
	return [...new Set(flags.all(name))].map((value) => checked(name, value, kind));
}

export function required(flags: Flags, name: string, kind: keyof typeof RULES): string {
	const value = optional(flags, name, kind);
	if (value === undefined) throw missing(name, RULES[kind].rule);
	return value;
}

export function requiredText(flags: Flags, name: string): string {
	const value = flags.text(name);
	if (value === undefined || value.trim() === "")
		throw missing(name, "some text", `Pass --${name} with a value; --help says what it takes`);
	return value;
}

export function missing(name: string, rule: string, next: string = FROM_STATUS): ReviewError {
	return new ReviewError("invalid_request", {
		message: `--${name} is missing`,
		field: `--${name}`,
		value: "",
		rule,
		next,
	});
}

export function oneOf<Value extends string>(flags: Flags, name: string, allowed: readonly Value[]): Value | undefined {
	const value = flags.text(name);
	if (value === undefined) return undefined;
	const known = allowed.find((candidate) => candidate === value);
	if (known === undefined) throw invalidInput(`--${name}`, value, `one of ${allowed.join(", ")}`, "Pass one of them");
	return known;
}

/** Every value of a flag that may be repeated; each of them once. */
export function manyOf<Value extends string>(flags: Flags, name: string, allowed: readonly Value[]): Value[] {
	const values = flags.all(name).map((value) => {
		const known = allowed.find((candidate) => candidate === value);
		if (known !== undefined) return known;
		throw invalidInput(`--${name}`, value, `one of ${allowed.join(", ")}`, "Pass one of them");
	});
	const twice = values.find((value, at) => values.indexOf(value) !== at);
	if (twice !== undefined) throw invalidInput(`--${name}`, twice, "named once", "Name each of them once");
	return values;
}

export function requiredOneOf<Value extends string>(flags: Flags, name: string, allowed: readonly Value[]): Value {
	const value = oneOf(flags, name, allowed);
	if (value === undefined) throw missing(name, `one of ${allowed.join(", ")}`);
	return value;
}

/** A whole number as decimal digits. */
export function wholeNumber(flags: Flags, name: string): number | undefined {
	const value = flags.text(name);
	if (value === undefined) return undefined;
	const number = Number(value);
	if (!/^[0-9]+$/.test(value) || !Number.isSafeInteger(number)) {
		throw invalidInput(`--${name}`, value, "a whole number", "Pass decimal digits");
	}
	return number;
}

/** The lens of a medium-risk candidate, in its short or long name. */
export function focusOf(flags: Flags): ShortLens {
	const focus = oneOf(flags, "focus", [...SHORT_LENSES, ...LENSES]) ?? DEFAULT_FOCUS;
	const long = LENSES.find((lens) => lens === focus);
	return long === undefined ? (SHORT_LENSES.find((lens) => lens === focus) ?? DEFAULT_FOCUS) : shortLens(long);
}
