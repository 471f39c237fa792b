// Bytes that a caller names: a regular file that is not a link, or stdin, never more than a limit.
import { readSync } from "node:fs";
import { readRegularFile } from "../authority/index.ts";
import { invalidInput } from "../contract/errors.ts";

const CHUNK = 64 * 1024;

function readStdin(maxBytes: number): Buffer | undefined {
	const chunks: Buffer[] = [];
	let total = 0;
	for (;;) {
		const chunk = Buffer.alloc(CHUNK);
		let read: number;
		try {
			read = readSync(0, chunk, 0, CHUNK, null);
		} catch (error) {
			const code = (error as NodeJS.ErrnoException).code;
			if (code === "EAGAIN") {
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
				continue;
			}
			if (code === "EOF") break;
			throw error;
		}
		if (read === 0) break;
		total += read;
		if (total > maxBytes) return undefined;
		chunks.push(chunk.subarray(0, read));
	}
	return Buffer.concat(chunks);
}

/** The bytes of `--<name> <value>`; `-` is stdin. */
export function readInput(name: string, value: string, maxBytes: number): Buffer {
	const next = "Pass a regular file, or - to read stdin";
	if (value === "-") {
		const bytes = readStdin(maxBytes);
		if (bytes === undefined) throw invalidInput(`--${name}`, "-", `at most ${maxBytes} bytes`, next);
		return bytes;
	}
	let bytes: Buffer | undefined;
	try {
		bytes = readRegularFile(value, maxBytes);
	} catch {
		throw invalidInput(`--${name}`, value, `a regular file of at most ${maxBytes} bytes`, next);
	}
	if (bytes === undefined) throw invalidInput(`--${name}`, value, "an existing file", next);
	return bytes;
}
