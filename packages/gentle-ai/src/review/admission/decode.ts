// The first checks: raw bytes become one object of the published shape, or nothing.
import { checkShape } from "../../contract/check.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { DecodedReviewerResult } from "../../contract/payloads.ts";
import { readStrictJson } from "../../contract/strict-json.ts";
import { extractObject } from "./extract.ts";
import { refuse } from "./refusal.ts";

export function decode(raw: Uint8Array): DecodedReviewerResult {
	if (raw.byteLength > LIMITS.reviewerPayloadBytes) throw refuse("payload_too_large", "", `${raw.byteLength} bytes`);
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(raw);
	} catch {
		throw refuse("payload_not_utf8", "", "");
	}
	if (text.trim() === "") throw refuse("empty_result", "", text);
	if (/<\/?task_result>/.test(text) && !readStrictJson(text.trim(), LIMITS.reviewerPayloadDepth).ok) {
		throw refuse("nested_envelope", "", text);
	}
	const extraction = extractObject(text);
	switch (extraction.found) {
		case "none":
			throw refuse("no_object", "", text);
		case "several":
			throw refuse("several_objects", "", text);
		case "unterminated":
			throw refuse("unterminated_object", "", text);
		case "one":
			break;
	}
	const strict = readStrictJson(extraction.text, LIMITS.reviewerPayloadDepth);
	if (!strict.ok)
		throw refuse("invalid_json", strict.problem.pointer, "", { hint: `Broken there: ${strict.problem.rule}` });
	const shape = checkShape("DecodedReviewerResult", strict.value);
	if (!shape.ok) {
		const { pointer, rule, value } = shape.problem;
		throw refuse("unknown_field_or_type", pointer, value, { hint: `It ${rule}` });
	}
	return shape.value;
}
