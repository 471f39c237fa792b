// Where a closed review's receipt is published.
import { receiptPath } from "../authority/index.ts";
import type { FinalizeOutcome } from "../contract/model.ts";
import type { Workplace } from "./caller.ts";

export function publishedReceipt({ repository }: Workplace, outcome: FinalizeOutcome): string | undefined {
	const closed = outcome.state === "approved" || outcome.state === "escalated";
	return closed ? receiptPath(repository.commonDir, outcome.lineage_id) : undefined;
}
