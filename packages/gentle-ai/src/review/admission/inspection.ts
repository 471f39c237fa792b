// Did the reviewer look at every path of the frozen manifest, and at no other?
import { isLogicalPath } from "../../contract/paths.ts";
import type { DecodedReviewerResult } from "../../contract/payloads.ts";
import { refuse } from "./refusal.ts";

export function checkInspection(
	decoded: DecodedReviewerResult,
	slot: { readonly manifest_paths: readonly string[] },
): void {
	const inspection = decoded.inspection;
	if (inspection?.status !== "completed") {
		throw refuse("inspection_not_completed", "/inspection/status", inspection?.status ?? "");
	}
	const seen = new Set<string>();
	for (const [index, path] of inspection.paths.entries()) {
		if (!isLogicalPath(path) || seen.has(path)) {
			throw refuse("inspection_path_invalid", `/inspection/paths/${index}`, path);
		}
		seen.add(path);
	}
	const manifest = new Set(slot.manifest_paths);
	const missing = slot.manifest_paths.filter((path) => !seen.has(path));
	const foreign = inspection.paths.filter((path) => !manifest.has(path));
	const counts = {
		...(missing.length > 0 && { missing_path_count: missing.length }),
		...(foreign.length > 0 && { foreign_path_count: foreign.length }),
	};
	if (foreign.length > 0) {
		const reason = missing.length > 0 ? "missing_and_foreign_inspection_paths" : "foreign_inspection_paths";
		throw refuse("inspection_paths_foreign", "/inspection/paths", foreign[0], {
			diagnostic: { code: "inspection_coverage", reason, ...counts },
		});
	}
	if (missing.length > 0) {
		throw refuse("inspection_paths_missing", "/inspection/paths", missing[0], {
			diagnostic: { code: "inspection_coverage", reason: "missing_frozen_manifest_paths", ...counts },
		});
	}
}
