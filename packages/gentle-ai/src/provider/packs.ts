// Lets go of the kept packs that no living review needs: after the end of a review, and after a crash that came between a
// pack and its row.
import type { StoreWriter } from "../authority/index.ts";
import { orphanedPacks, releasePack, sweepStaging } from "../git/index.ts";
import type { Workplace } from "./caller.ts";

/** One look into the pack folder. Under the store's lock no START can be between its pack and its row. */
export function sweepPacks({ repository, caller }: Workplace, store: StoreWriter): void {
	sweepStaging(repository, caller.now().getTime());
	store.underLock(() => {
		const alive = store.livingPacks();
		for (const name of orphanedPacks(repository, (pack) => alive.has(pack))) releasePack(repository, name);
	});
}
