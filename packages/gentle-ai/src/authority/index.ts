// The door of the room that keeps things. Everything durable that another room may use is named here.
export { contextHandle, publishContext, resolveContext } from "./contexts.ts";
export { warmUp } from "./database.ts";
export { readRegularFile } from "./files.ts";
export { markTold, wasToldOnce } from "./first-contact.ts";
export { type ClassifiedSlot, maintainStore, slotDigests } from "./maintenance.ts";
export { type ModeReading, readMode, writeCloneMode, writeGlobalMode } from "./mode.ts";
export { type Pruned, pruneStore, quarantineName } from "./quarantine.ts";
export {
	type DatedRow,
	isDamaged,
	type Lineage,
	type LineageRow,
	quarantineStore,
	readStore,
	receiptPath,
	resultPath,
	type SlotContent,
	type StoreReader,
	type StoreWriter,
	storePath,
	withdrawCopies,
	writeStore,
} from "./store.ts";
