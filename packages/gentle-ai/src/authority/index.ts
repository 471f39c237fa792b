// The door of the room that keeps things. Everything durable that another room may use is named here.
export { contextHandle, publishContext, resolveContext } from "./contexts.ts";
export { withdrawCopies } from "./copies.ts";
export { quarantineStore } from "./damaged.ts";
export { warmUp } from "./database.ts";
export { readRegularFile } from "./files.ts";
export { markTold, wasToldOnce } from "./first-contact.ts";
export { receiptPath, resultPath, storePath } from "./layout.ts";
export { type ClassifiedSlot, maintainStore, slotDigests } from "./maintenance.ts";
export { type ModeReading, readMode, writeCloneMode, writeGlobalMode } from "./mode.ts";
export { type Pruned, pruneStore, quarantineName } from "./quarantine.ts";
export { readStore, type StoreReader } from "./reader.ts";
export { type DatedRow, isDamaged, type Lineage, type LineageRow, type SlotContent } from "./rows.ts";
export { type StoreWriter, writeStore } from "./writer.ts";
