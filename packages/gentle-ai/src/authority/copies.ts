// The immutable copies outside of the database: receipts, for hooks and CI, and captured results.
import { rmSync } from "node:fs";
import { sha256 } from "../contract/canonical.ts";
import { ReviewError } from "../contract/errors.ts";
import { envelopeBytes } from "../contract/identities.ts";
import { type Publication, publicationOf, publishImmutable } from "./files.ts";
import { receiptPath, resultPath, resultsFolder, stagingPath } from "./layout.ts";
import { type Lineage, type Row, type StoredResult, text } from "./rows.ts";

export type ReceiptCopy = { status: "absent" | "published" | "conflict"; identity?: string };

export function receiptStatus(commonDir: string, lineage: Lineage): ReceiptCopy {
	if (lineage.receipt === undefined) return { status: "absent" };
	const status = publicationOf(receiptPath(commonDir, lineage.lineage_id), lineage.receipt);
	return status === "published" ? { status, identity: sha256(lineage.receipt) } : { status };
}

export function publishReceipt(commonDir: string, lineage: Lineage): Publication {
	if (lineage.receipt === undefined) return "conflict";
	const path = receiptPath(commonDir, lineage.lineage_id);
	return publishImmutable(stagingPath(commonDir), path, lineage.receipt, 0o644);
}

export function publishResult(commonDir: string, lineage: string, order: number, stored: StoredResult): string {
	const path = resultPath(commonDir, lineage, order, stored.envelope.subject.lens);
	const published = publishImmutable(stagingPath(commonDir), path, envelopeBytes(stored.envelope), 0o600);
	if (published === "conflict") {
		throw new ReviewError("invalid_request", {
			message: "another file is in the place of this captured result",
			next: "Move the foreign file away, then capture the same result again",
		});
	}
	return path;
}

/** Removes the copy of one result that was taken out of its slot, unless another file is in its place. */
export function withdrawResult(commonDir: string, lineage: string, quarantined: Row): void {
	const path = resultPath(commonDir, lineage, Number(quarantined.selected_order), text(quarantined, "lens"));
	if (publicationOf(path, text(quarantined, "envelope")) === "published") rmSync(path);
}

/** Removes the published copies of an ended lineage. */
export function withdrawCopies(commonDir: string, lineage: string): void {
	rmSync(receiptPath(commonDir, lineage), { force: true });
	rmSync(resultsFolder(commonDir, lineage), { recursive: true, force: true });
}
