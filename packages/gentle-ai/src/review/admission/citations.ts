// What counts as evidence, and which parts of it cite a file of the frozen trees.
import { PROOF_KINDS, type ProofKind } from "../../contract/vocabulary.ts";

const SENTINELS = new Set("n/a na none todo tbd pass passed success placeholder".split(" "));

/** A whole string that says nothing. */
export function isSentinel(text: string): boolean {
	const word = text.trim().toLowerCase();
	return word === "" || SENTINELS.has(word);
}

const UNAVAILABLE = [
	"inspection blocked",
	"inspection was blocked",
	"access denied",
	"permission denied",
	"candidate unavailable",
	"candidate was unavailable",
	"immutable candidate unavailable",
	"could not inspect",
	"unable to inspect",
	"was not inspected",
	"not inspected",
	"no candidate contents were available",
	"no candidate content was available",
];

/** Quoted spans; the apostrophe inside an English word quotes nothing. */
const QUOTED = /(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|"[^"]*"|`[^`]*`/gu;

function saysUnavailable(text: string): boolean {
	const words = text.replace(QUOTED, " ").toLowerCase().replace(/\s+/g, " ");
	return UNAVAILABLE.some((phrase) => words.includes(phrase));
}

/** Words are a verdict only when nothing else was said: every string, without what it quotes, is such a statement. */
export function reportsUnavailableInspection(evidence: readonly string[]): boolean {
	return evidence.length > 0 && evidence.every(saysUnavailable);
}

type Token = { readonly text: string; readonly quoted: boolean };

function tokens(value: string): Token[] {
	const found: Token[] = [];
	let at = 0;
	while (at < value.length) {
		const char = value[at] ?? "";
		if (/\s/.test(char)) {
			at += 1;
			continue;
		}
		if (char === "'" || char === '"' || char === "`") {
			const close = value.indexOf(char, at + 1);
			if (close === -1) {
				at += 1;
				continue;
			}
			const after = /^:[0-9]+(?:-[0-9]+)?/.exec(value.slice(close + 1))?.[0] ?? "";
			found.push({ text: value.slice(at + 1, close) + after, quoted: true });
			at = close + 1 + after.length;
			continue;
		}
		const end = value.slice(at).search(/[\s'"`]/);
		const word = end === -1 ? value.slice(at) : value.slice(at, at + end);
		found.push({ text: word.replace(/^[([{<]+/, "").replace(/[)\]}>.,;!?]+$/, ""), quoted: false });
		at += word.length;
	}
	return found;
}

export function proofKind(text: string): ProofKind | undefined {
	return PROOF_KINDS.find((kind) => text.startsWith(`${kind}:`) || text.startsWith(`${kind} `));
}

function withoutKind(text: string): string {
	const kind = PROOF_KINDS.find((name) => text.startsWith(`${name}:`));
	return kind === undefined ? text : text.slice(kind.length + 1).trimStart();
}

/** `path:line` or `path:a-b` tokens whose path is exactly a file of the base or the candidate. All else is prose. */
export function citations(value: string, isFile: (path: string) => boolean): string[] {
	return tokens(withoutKind(value))
		.map(({ text, quoted }) => ({ text: withoutKind(text), quoted }))
		.filter(({ text, quoted }) => {
			const match = /^(.+):0*[1-9][0-9]*(?:-0*[1-9][0-9]*)?$/s.exec(text);
			const path = match?.[1] ?? "";
			return path !== "" && (quoted || /[/.]/.test(path)) && isFile(path);
		})
		.map(({ text }) => text);
}
