// Which bytes the risk rules need to see, by path alone.
import { isConfiguration, isGolden, isPassivePath, isScanEligible, isSource } from "./paths.ts";

/** `text`: all of it, within the scan budget. `sniff`: enough to see a NUL. `none`: only its facts. */
export type ContentNeed = "text" | "sniff" | "none";

export function contentNeed(path: string): ContentNeed {
	if (isGolden(path)) return "none";
	if (isScanEligible(path) || isPassivePath(path, "prose") || isPassivePath(path, "mdx")) return "text";
	// Source and configuration count lines whatever a NUL says; the rest needs the question answered.
	return isSource(path) || isConfiguration(path) ? "none" : "sniff";
}
