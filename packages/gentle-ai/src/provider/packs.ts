// Takes away the kept packs that no living review needs: after the end of a review, and after a crash that came between
// a pack and its row.
import { type StoreReader, type StoreWriter, writeStore } from "../authority/index.ts";
import { loosenPack, orphanedPacks, removePack } from "../git/index.ts";
import type { Workplace } from "./caller.ts";

/** Cheap when there is nothing to do: one look into the pack folder. */
export async function sweepPacks(place: Workplace, store: StoreReader, waitMs: number): Promise<void> {
	const { session, repository } = place;
	const orphans = orphanedPacks(repository, (name) => store.packIsAlive(name));
	for (const name of orphans) await loosenPack(session, repository, name);
	if (orphans.length === 0) return;
	const writer: StoreWriter = writeStore(repository.commonDir, waitMs);
	try {
		// Under the lock no START can be between its pack and its row.
		writer.underLock(() => {
			for (const name of orphans) if (!writer.packIsAlive(name)) removePack(repository, name);
		});
	} finally {
		writer.close();
	}
}
