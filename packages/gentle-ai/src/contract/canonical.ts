// Canonical bytes, their order and their digests: what every identity of the contract is made of.
import { createHash } from "node:crypto";

/** `sha256:` and 64 lowercase hex digits. */
export type Sha256 = string;

/** SHA-256 of zero bytes: the digest of "nothing here" (no correction, no findings, no evidence). */
export const EMPTY_DIGEST: Sha256 = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const ESCAPED = /[<>&\u2028\u2029]/g;

function escapeForWire(text: string): string {
	return text.replace(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Compact JSON in declared key order, with `<`, `>`, `&` and the two line separators escaped. */
export function canonicalJson(value: unknown): string {
	return escapeForWire(JSON.stringify(value));
}

/** The form of every document on stdout and of every published file: two-space indent, one trailing LF. */
export function indentedJson(value: unknown): string {
	return `${escapeForWire(JSON.stringify(value, null, 2))}\n`;
}

export function sha256Hex(bytes: string | Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

export function sha256(bytes: string | Uint8Array): Sha256 {
	return `sha256:${sha256Hex(bytes)}`;
}

/** Unsigned order of UTF-8 bytes, the only order of the contract. UTF-16 order differs above the basic plane. */
export function compareBytes(left: string, right: string): number {
	return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}

export function sortedByBytes(values: Iterable<string>): string[] {
	return [...values].sort(compareBytes);
}

/** A genuine map (not a record of declared fields): its keys are in byte order. */
export function sortedRecord<Value>(entries: Iterable<readonly [string, Value]>): Record<string, Value> {
	return Object.fromEntries([...entries].sort(([left], [right]) => compareBytes(left, right)));
}

export function lengthPrefixed(value: string): string {
	return `${Buffer.byteLength(value)}\0${value}\0`;
}

export function digestOfValues(domain: string, values: readonly string[]): Sha256 {
	return sha256(`${domain}\0${values.map(lengthPrefixed).join("")}`);
}

export function digestOfJson(domain: string, value: unknown): Sha256 {
	return sha256(`${domain}\0${canonicalJson(value)}`);
}
