// The one place that writes to the terminal. stdout holds documents and answers; stderr holds everything else.
import { writeSync } from "node:fs";
import { indentedJson } from "../contract/canonical.ts";
import { explain, type ReviewError } from "../contract/errors.ts";
import { visible } from "../contract/paths.ts";

/** Writes all of it, also into a pipe that is slow or full; a reader that went away ends the output quietly. */
function writeAll(descriptor: 1 | 2, text: string): void {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; ) {
		try {
			at += writeSync(descriptor, bytes, at);
		} catch (error) {
			const code = (error as NodeJS.ErrnoException).code;
			if (code === "EPIPE") return;
			if (code !== "EAGAIN") throw error;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
		}
	}
}

export function printDocument(value: unknown): void {
	writeAll(1, indentedJson(value));
}

export function printText(text: string): void {
	writeAll(1, text.endsWith("\n") ? text : `${text}\n`);
}

export function printError(text: string): void {
	writeAll(2, `Error: ${text}\n`);
}

export function printNotice(text: string): void {
	writeAll(2, text);
}

export function printRefusal(error: ReviewError): void {
	printError(`${visible(explain(error))} [${error.code}]`);
}
