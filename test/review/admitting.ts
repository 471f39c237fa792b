// Asks admission about one answer, and takes only the outcome that the test expects.
import type { Lens } from "../../packages/gentle-ai/src/contract/vocabulary.ts";
import { type AdmissionRefusal, type Admitted, admitResult } from "../../packages/gentle-ai/src/review/index.ts";
import { CONTEXT, type SlotContext, slotOf } from "./slots.ts";

export function admit(
	raw: string | Uint8Array,
	context: SlotContext = CONTEXT,
	lens?: Lens,
): Admitted | AdmissionRefusal {
	return admitResult(typeof raw === "string" ? Buffer.from(raw) : raw, slotOf(context, lens));
}

export function admitted(value: object | string): Admitted {
	const outcome = admit(typeof value === "string" ? value : JSON.stringify(value));
	if (!outcome.admitted) throw new Error(`refused: ${JSON.stringify(outcome)}`);
	return outcome;
}

export function refusal(value: object | string | Uint8Array): AdmissionRefusal {
	const raw = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
	const outcome = admit(raw);
	if (outcome.admitted) throw new Error(`admitted: ${JSON.stringify(outcome.result)}`);
	return outcome;
}
