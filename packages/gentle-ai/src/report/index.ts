// The door of the room of what people look at.
export { eventLines, lensProgress } from "./events.ts";
export { overviewText, pruneText } from "./maintenance.ts";
export { Progress } from "./progress.ts";
export { type Painter, painter, resultText } from "./terminal.ts";
