// argv in, exit code out. Finds the command, turns refusals into envelopes or sentences, and nothing else.
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { isMutation } from "../contract/operations.ts";
import { CONTRACTS, type ContractName } from "../contract/vocabulary.ts";
import { parseFlags } from "./flags.ts";
import { printDocument, printError, printNotice, printRefusal, printText } from "./output.ts";
import type { Verb } from "./verb.ts";
import { LATER, loadVerb, overview, VERBS, verbHelp } from "./verbs.ts";

/** The last `--contract` of the words, looked for before anything else can fail. */
function askedContract(argv: readonly string[]): string | undefined {
	let asked: string | undefined;
	for (const [index, word] of argv.entries()) {
		const match = /^--?contract(?:=(.*))?$/s.exec(word);
		if (match !== null) asked = match[1] ?? argv[index + 1] ?? "";
	}
	return asked;
}

function contractOf(argv: readonly string[]): ContractName | undefined {
	const asked = askedContract(argv);
	if (asked === undefined) return undefined;
	const known = CONTRACTS.find((contract) => contract === asked);
	if (known !== undefined) return known;
	const next = `Pass --contract ${CONTRACTS[1]}`;
	const rule = `one of ${CONTRACTS.join(", ")}`;
	throw asked === ""
		? new ReviewError("empty_contract", { message: "--contract has no value", field: "--contract", rule, next })
		: new ReviewError("unsupported_contract", {
				message: "--contract names a contract that this executable does not speak",
				field: "--contract",
				value: asked.slice(0, 80),
				rule,
				next,
			});
}

function lineageWord(argv: readonly string[]): string | undefined {
	const at = argv.findIndex((word) => /^--?(?:predecessor-)?lineage$/.test(word));
	if (at !== -1) return argv[at + 1];
	return argv.find((word) => /^--?(?:predecessor-)?lineage=/.test(word))?.replace(/^[^=]*=/, "");
}

const CONTRACT_CODES: ReadonlySet<string> = new Set(["empty_contract", "unsupported_contract"]);

async function refuse(
	verb: Verb,
	contract: ContractName | undefined,
	argv: readonly string[],
	error: ReviewError,
): Promise<number> {
	// Without a contract of the caller's, what is always negotiated answers in the first one.
	const always = verb.alwaysNegotiated === true || CONTRACT_CODES.has(error.code);
	const negotiated = contract ?? (always ? CONTRACTS[0] : undefined);
	if (verb.operation !== undefined && negotiated !== undefined) {
		const { renderFailure } = await import("../contract/wire/failure.ts");
		printDocument(renderFailure(negotiated, verb.operation, error, lineageWord(argv)));
	}
	printRefusal(error);
	return verb.refusalExit;
}

/** What kind of failure it was. Its words stay out: they may carry paths, and whatever the repository put into them. */
function kindOf(error: unknown): string {
	if (!(error instanceof Error)) return "unknown";
	return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** A broken machine or a bug of ours: told as such, in one line, never as a stack trace, never as "nothing happened". */
function unexpected(verb: Verb, error: unknown): ReviewError {
	if (process.env.GENTLE_AI_DEBUG === "1" && error instanceof Error) printNotice(`${error.stack}\n`);
	const mutation = verb.operation !== undefined && isMutation(verb.operation);
	return new ReviewError(
		mutation ? "operation_outcome_unknown" : "operation_failed",
		{
			message: `an unexpected failure (${kindOf(error)})`,
			next: "Run STATUS to see what is true now; GENTLE_AI_DEBUG=1 shows where it came from",
		},
		{ cause: error },
	);
}

async function runVerb(verb: Verb, argv: readonly string[]): Promise<number> {
	let contract: ContractName | undefined;
	try {
		if (verb.operation !== undefined) contract = contractOf(argv);
		if (verb.later) {
			const next = "Use a newer gentle-ai; the changelog says which version has it";
			throw invalidInput("operation", `review ${verb.name}`, "an operation of this version", next);
		}
		const [first] = argv;
		const word = verb.words !== undefined && first !== undefined && !first.startsWith("-") ? first : undefined;
		if (word !== undefined && verb.words?.includes(word) !== true) {
			throw invalidInput(
				"word",
				word,
				`one of ${verb.words?.join(", ")}`,
				`Run \`gentle-ai review ${verb.name} --help\``,
			);
		}
		const flags = parseFlags(verb.name, word === undefined ? argv : argv.slice(1), verb.flags);
		return await verb.run(flags, { contract, word, argv });
	} catch (error) {
		return refuse(verb, contract, argv, error instanceof ReviewError ? error : unexpected(verb, error));
	}
}

const HELP = new Set(["--help", "-h", "help"]);

async function main(argv: readonly string[]): Promise<number> {
	const [area, name] = argv;
	if (area === undefined || HELP.has(area)) {
		printText(overview());
		return 0;
	}
	if (area === "--version") {
		const { buildFacts } = await import("../provider/capabilities.ts");
		printText(buildFacts().version);
		return 0;
	}
	if (area !== "review") {
		printError(`unknown command ${JSON.stringify(area)}. Run \`gentle-ai --help\` to see the commands.`);
		return 2;
	}
	const named = name !== undefined && !name.startsWith("-");
	if (name === "help") {
		printText(overview());
		return 0;
	}
	const later = LATER.find((verb) => verb.name === name);
	if (later !== undefined) return runVerb(later, argv.slice(2));
	const entry = VERBS.find((verb) => verb.name === (named ? name : ""));
	if (entry === undefined) {
		printError(`unknown review command ${JSON.stringify(name)}`);
		return 1;
	}
	const rest = argv.slice(named ? 2 : 1);
	const verb = await loadVerb(entry);
	if (rest.some((word) => word === "--help" || word === "-h")) {
		printText(verbHelp(verb));
		return 0;
	}
	return runVerb(verb, rest);
}

// Node 22 announces node:sqlite as experimental on stderr; that one warning says nothing to our users.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
	if (warning.name !== "ExperimentalWarning" || !warning.message.includes("SQLite"))
		printNotice(`${warning.name}: ${warning.message}\n`);
});

/** Only a damaged installation gets here: every command answers for its own failures. */
function damaged(error: unknown): number {
	const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
	printError(`gentle-ai could not be started: ${reason}. Install it again.`);
	return 2;
}

// Everything is written synchronously; waiting for an idle event loop would only cost time.
main(process.argv.slice(2))
	.catch(damaged)
	.then((code) => process.exit(code));
