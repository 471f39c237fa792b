// How an engine loads a package that may not be installed, and how it finds lines in text.
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";

export class MissingPackage extends Error {
	readonly package: string;
	constructor(name: string, options?: ErrorOptions) {
		super(`the package ${name} cannot be loaded`, options);
		this.package = name;
	}
}

/** Awaits `load` and blames `name` when it fails: not installed, or no build for this platform. */
export async function loaded<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
	try {
		return await load();
	} catch (cause) {
		throw new MissingPackage(name, { cause });
	}
}

/** `<name> <version>` of an installed package. */
export function nameAndVersion(name: string): string {
	const path = findPackageJSON(name, import.meta.url);
	if (path === undefined) throw new MissingPackage(name);
	return `${name} ${JSON.parse(readFileSync(path, "utf8")).version}`;
}

/** Turns offsets into 1-based lines; only LF ends a line, as in Git. */
export function lineFinder(content: string | Uint8Array): (offset: number) => number {
	const ends: number[] = [];
	const next = (from: number) =>
		typeof content === "string" ? content.indexOf("\n", from) : content.indexOf(0x0a, from);
	for (let at = next(0); at !== -1; at = next(at + 1)) ends.push(at);
	return (offset) => {
		let low = 0;
		let high = ends.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((ends[middle] ?? 0) < offset) low = middle + 1;
			else high = middle;
		}
		return low + 1;
	};
}
