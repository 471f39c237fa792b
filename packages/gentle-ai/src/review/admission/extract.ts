// Finding the one JSON object in what a reviewer wrote. Prose around it is fine; none, several or half of one is not.

export type Extraction =
	| { readonly found: "one"; readonly text: string }
	| { readonly found: "none" | "several" | "unterminated" };

/** The index after the object that opens at `start`, or -1 when it never closes. Braces in strings do not count. */
function endOfObject(text: string, start: number): number {
	let depth = 0;
	let inString = false;
	for (let at = start; at < text.length; at += 1) {
		const char = text[at];
		if (inString) {
			if (char === "\\") at += 1;
			else if (char === '"') inString = false;
			continue;
		}
		if (char === '"') inString = true;
		else if (char === "{") depth += 1;
		else if (char === "}") {
			depth -= 1;
			if (depth === 0) return at + 1;
		}
	}
	return -1;
}

function isJsonObject(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

export function extractObject(text: string): Extraction {
	const objects: string[] = [];
	for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at)) {
		const end = endOfObject(text, at);
		if (end === -1) return { found: "unterminated" };
		const fragment = text.slice(at, end);
		if (isJsonObject(fragment)) objects.push(fragment);
		at = end;
	}
	const [only, second] = objects;
	if (only === undefined) return { found: "none" };
	return second === undefined ? { found: "one", text: only } : { found: "several" };
}
