// What plain lines show: conflict markers and directives that switch analysers off.
import { isProse } from "../policy.ts";
import type { EngineAnswer, EngineFile, EngineRequest, Hit } from "../protocol.ts";
import { directivesIn, SUPPRESSION_RULES } from "../suppressions.ts";

const MARKERS = { ours: /^<{7}(?: |$)/, middle: /^={7}$/, theirs: /^>{7}(?: |$)/ } as const;

/** Complete triples only: a heading's underline or a lone marker in a text about merging is not a conflict. */
function conflicts(file: EngineFile, lines: readonly string[]): Hit[] {
	const hits: Hit[] = [];
	const prose = isProse(file.path);
	let fenced = false;
	let open: { at: number; fenced: boolean; middle: number | undefined } | undefined;
	for (const [index, line] of lines.entries()) {
		if (prose && /^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
		if (MARKERS.ours.test(line)) open = { at: index + 1, fenced, middle: undefined };
		else if (open !== undefined && MARKERS.middle.test(line)) open.middle = index + 1;
		else if (open?.middle !== undefined && MARKERS.theirs.test(line)) {
			hits.push({
				file: file.id,
				rule: "conflict-markers.triple",
				lines: [open.at, open.middle, index + 1],
				key: [open.at, open.at],
				certain: !open.fenced,
			});
			open = undefined;
		}
	}
	return hits;
}

function suppressions(file: EngineFile, lines: readonly string[]): Hit[] {
	if (isProse(file.path)) return [];
	return lines.flatMap((line, index) =>
		directivesIn(line.slice(0, 2_000)).map((rule) => ({
			file: file.id,
			rule: `suppression.${rule}`,
			lines: [index + 1],
			key: [index + 1, index + 1] as [number, number],
			certain: true,
		})),
	);
}

export async function runText(request: EngineRequest): Promise<EngineAnswer> {
	const hits = request.files.flatMap((file) => {
		const lines = file.text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
		return [...conflicts(file, lines), ...suppressions(file, lines)];
	});
	return { ok: true, version: "own text rules", rules: SUPPRESSION_RULES.length + 1, hits };
}
