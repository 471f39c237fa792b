// The door of the room of what people look at.
export { Progress } from "./progress.ts";
export { candidateLine, type Painter, painter, resultText, riskLines } from "./terminal.ts";
