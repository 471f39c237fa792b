// What FINALIZE is handed by flags: answers and manifests as files or as text. One of them may read stdin.
import { checkShape } from "../contract/check.ts";
import type { Shape, ShapeName } from "../contract/checked.ts";
import { invalidInput, ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";
import { bounded } from "../contract/paths.ts";
import { readStrictJson } from "../contract/strict-json.ts";
import type { Handed } from "../provider/handed.ts";
import { readInput } from "../provider/input.ts";
import type { FlagSpec, Flags } from "./flags.ts";

const RESULT_SOURCES = ["captured-results", "result-artifact", "result-artifact-file", "result"] as const;
const EVIDENCE_SOURCES = ["captured-evidence", "evidence"] as const;

export const HANDED: readonly FlagSpec[] = [
	{ name: "captured-results", kind: "boolean", help: "use every captured reviewer result" },
	{
		name: "result-artifact",
		kind: "text",
		value: "JSON",
		many: true,
		help: "or: the manifest of each captured result, in lens order",
	},
	{ name: "result-artifact-file", kind: "text", value: "FILE", many: true, help: "or: each manifest as a file" },
	{
		name: "result",
		kind: "text",
		value: "FILE",
		many: true,
		help: "or: each reviewer's answer, in lens order; admitted like a capture, or refused",
	},
	{ name: "captured-evidence", kind: "boolean", help: "use the captured verification evidence" },
	{
		name: "evidence",
		kind: "text",
		value: "FILE",
		help: "or: the output of the verification, passed unless --failed; - is stdin",
	},
	{ name: "failed", kind: "boolean", help: "the verdict of --evidence; must agree with a captured outcome" },
	{ name: "refuter", kind: "text", value: "FILE", help: "the refuter's answers; - is stdin" },
	{ name: "validation", kind: "text", value: "FILE", help: "the targeted validator's answer; - is stdin" },
];

const REFUTER_NEXT =
	'Answer exactly the findings that STATUS names, as in `{"results":[{"finding_id":...,"outcome":...,"proof_refs":[...]}]}`';
const VALIDATOR_NEXT = "Answer the request that STATUS prints, in the shape of `gentle-ai review schema validator`";
const ARTIFACT_NEXT = "Pass what `gentle-ai review capture-result` printed, unchanged";

/** Strict JSON of exactly one shape. */
function decoded<Name extends ShapeName>(flag: string, text: string, shape: Name, next: string): Shape<Name> {
	const json = readStrictJson(text, LIMITS.reviewerPayloadDepth);
	if (!json.ok) throw invalidInput(`${flag}${json.problem.pointer}`, "", json.problem.rule, next);
	const checked = checkShape(shape, json.value);
	if (checked.ok) return checked.value;
	const { pointer, rule, value } = checked.problem;
	const field = bounded(`${flag}${pointer}`, LIMITS.boundedValueChars);
	const message = bounded(`${field} is refused: it ${rule}`, LIMITS.failureMessageChars);
	const shown = bounded(JSON.stringify(value) ?? "", LIMITS.boundedValueChars);
	throw new ReviewError("invalid_request", { message, field, value: shown, rule, next });
}

/** A lossy reader would let two different answers be one. */
function utf8(flag: string, bytes: Uint8Array, next: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw invalidInput(flag, `${bytes.byteLength} bytes`, "UTF-8", next);
	}
}

function payloadOf<Name extends ShapeName>(
	flags: Flags,
	name: string,
	shape: Name,
	next: string,
): Shape<Name> | undefined {
	const file = flags.text(name);
	if (file === undefined) return undefined;
	return decoded(`--${name}`, utf8(`--${name}`, readInput(name, file, LIMITS.reviewerPayloadBytes), next), shape, next);
}

function requireOneSource(flags: Flags, sources: readonly string[]): void {
	const [first, second] = sources.filter((name) => flags.given(name) && flags.bool(name) !== false);
	if (second === undefined) return;
	throw invalidInput(`--${second}`, "given", `given without --${first}`, "Pass one of them");
}

/** stdin is one: of all inputs that may read it, one does, once. */
function requireOneStdin(flags: Flags): void {
	const readers = HANDED.filter(({ value }) => value === "FILE").flatMap(({ name, many }) =>
		(many === true ? flags.all(name) : [flags.text(name)]).flatMap((file) => (file === "-" ? name : [])),
	);
	const [first, second] = readers;
	if (second === undefined) return;
	throw invalidInput(`--${second}`, "-", `a file: --${first} reads stdin`, "Pass a file for one of them");
}

function withoutByteOrderMark(text: string): string {
	return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function artifactsOf(flags: Flags): Pick<Handed, "artifacts" | "artifact_flag"> {
	const artifact_flag = flags.given("result-artifact-file") ? "--result-artifact-file" : "--result-artifact";
	const texts = [
		...flags.all("result-artifact"),
		...flags.all("result-artifact-file").map((file) => {
			return withoutByteOrderMark(
				readInput("result-artifact-file", file, LIMITS.reviewerPayloadBytes).toString("utf8"),
			);
		}),
	];
	const artifacts = texts.map((text) => decoded(artifact_flag, text, "ResultArtifact", ARTIFACT_NEXT));
	return { artifacts, artifact_flag };
}

function handedOf(flags: Flags): Handed {
	const evidence = flags.text("evidence");
	return {
		results: flags.all("result").map((file) => readInput("result", file, LIMITS.reviewerPayloadBytes)),
		...artifactsOf(flags),
		evidence: evidence === undefined ? undefined : readInput("evidence", evidence, LIMITS.verificationPayloadBytes),
	};
}

/** Everything that a FINALIZE was handed, read and of the right shape. */
export function handedIn(flags: Flags) {
	requireOneSource(flags, RESULT_SOURCES);
	requireOneSource(flags, EVIDENCE_SOURCES);
	requireOneStdin(flags);
	return {
		captured_results: flags.bool("captured-results") === true,
		captured_evidence: flags.bool("captured-evidence") === true,
		failed: flags.bool("failed"),
		refuter: payloadOf(flags, "refuter", "RefuterBatch", REFUTER_NEXT)?.results,
		validation: payloadOf(flags, "validation", "ValidatorResult", VALIDATOR_NEXT),
		handed: handedOf(flags),
	} as const;
}
