// Risk: a pure function of the two frozen trees. Model, profile, file count and caller hints are not inputs.
import { compareBytes } from "../../contract/canonical.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { RiskReason } from "../../contract/state.ts";
import type { Tier } from "../../contract/vocabulary.ts";
import type { ChangedFile } from "./change.ts";
import { isBinary, isPassiveProse, isStaticMdx, startsProcesses } from "./content.ts";
import {
	hotPathSignals,
	isConfiguration,
	isGolden,
	isNameEligible,
	isPassivePath,
	isScanEligible,
	isShellSource,
	namesServiceToken,
} from "./paths.ts";

export type RiskAssessment = {
	readonly tier: Tier;
	readonly reasons: readonly RiskReason[];
	/** Authored lines: added plus removed, without generated, binary and mode-only entries. */
	readonly changed_lines: number;
	/** Large documentation without any code: the one lens is readability whatever the focus. */
	readonly large_documentation: boolean;
};

/** The size rule of the contract; a change of exactly the limit is not large. */
export function isLargeChange(lines: number): boolean {
	return lines > LIMITS.largeChangeLines;
}

function countsLines(file: ChangedFile): boolean {
	return !isGolden(file.path) && !file.mode_only && !isBinary(file);
}

export function authoredLines(files: readonly ChangedFile[]): number {
	return files.filter(countsLines).reduce((sum, file) => sum + file.additions + file.deletions, 0);
}

function hasPassiveModes(file: ChangedFile): boolean {
	return [file.old_mode, file.new_mode].every((mode) => mode === "000000" || mode === "100644");
}

function isPassive(file: ChangedFile): boolean {
	return (
		isPassivePath(file.path, "prose") &&
		!file.mode_only &&
		hasPassiveModes(file) &&
		isPassiveProse(file.base) &&
		isPassiveProse(file.candidate)
	);
}

/** Static MDX is never low, but it is documentation when only the size of a change speaks against it. */
function isDocumentation(file: ChangedFile): boolean {
	if (isPassive(file)) return true;
	return (
		isPassivePath(file.path, "mdx") &&
		!file.mode_only &&
		hasPassiveModes(file) &&
		isStaticMdx(file.base) &&
		isStaticMdx(file.candidate)
	);
}

function executableBitsDiffer(file: ChangedFile): boolean {
	const bits = (mode: string) => Number.parseInt(mode, 8) & 0o111;
	return bits(file.old_mode) !== bits(file.new_mode);
}

function isTextChange(file: ChangedFile): boolean {
	return file.additions + file.deletions > 0 && countsLines(file);
}

function overScanLimit(file: ChangedFile): boolean {
	return file.base.kind === "over_limit" || file.candidate.kind === "over_limit";
}

function nameReasons(file: ChangedFile): RiskReason[] {
	const { path, old_mode, new_mode } = file;
	const reasons: RiskReason[] = hotPathSignals(path).map((signal) => ({ code: "hot_path", signal, path }));
	if (isNameEligible(path) && isTextChange(file)) {
		if (namesServiceToken(path)) reasons.push({ code: "service_token", signal: "auth", path });
		if (isShellSource(path)) reasons.push({ code: "shell_source", signal: "shell_process", path });
	}
	if (executableBitsDiffer(file)) {
		reasons.push({ code: "executable_mode", signal: "permissions", path, old_mode, new_mode });
	}
	return reasons;
}

function contentReasons(file: ChangedFile): RiskReason[] {
	const { path } = file;
	if (!isScanEligible(path) || !isTextChange(file)) return [];
	if (overScanLimit(file)) return [{ code: "process_scan_limit", signal: "shell_process", path }];
	return startsProcesses(file.base) || startsProcesses(file.candidate)
		? [{ code: "process_boundary", signal: "shell_process", path }]
		: [];
}

function isEmptyContent(file: ChangedFile): boolean {
	return (
		(file.status === "A" || file.status === "D") &&
		!file.mode_only &&
		!isBinary(file) &&
		file.additions + file.deletions === 0 &&
		[file.old_mode, file.new_mode].every((mode) => mode === "000000" || mode.startsWith("100"))
	);
}

/** The first path in order that is configuration or not passive decides; all passive is the one low reason. */
function fallbackReason(files: readonly ChangedFile[]): RiskReason {
	for (const file of files) {
		if (isGolden(file.path)) continue;
		if (isConfiguration(file.path)) return { code: "configuration_change", path: file.path };
		if (isPassive(file)) continue;
		return { code: isEmptyContent(file) ? "empty_content" : "executable_change", path: file.path };
	}
	return { code: "non_executable_only" };
}

function compareReasons(left: RiskReason, right: RiskReason): number {
	for (const field of ["code", "signal", "path", "old_mode", "new_mode"] as const) {
		const order = compareBytes(left[field] ?? "", right[field] ?? "");
		if (order !== 0) return order;
	}
	return 0;
}

/** Canonical order, then one reason a (code, signal) pair: the one with the smallest path. */
function canonicalReasons(reasons: readonly RiskReason[]): RiskReason[] {
	const seen = new Set<string>();
	return [...reasons].sort(compareReasons).filter((reason) => {
		const pair = `${reason.code} ${reason.signal ?? ""}`;
		return seen.size < seen.add(pair).size;
	});
}

/** `files` in canonical path order. */
export function assessRisk(files: readonly ChangedFile[]): RiskAssessment {
	const changed_lines = authoredLines(files);
	const signals = files.flatMap((file) => [...nameReasons(file), ...contentReasons(file)]);
	const large = isLargeChange(changed_lines);
	const authored = files.filter((file) => !isGolden(file.path));
	const documentation = authored.every(isDocumentation) && !authored.some((file) => isConfiguration(file.path));
	const assessment = (tier: Tier, reasons: readonly RiskReason[], large_documentation = false) => ({
		tier,
		reasons: canonicalReasons(reasons),
		changed_lines,
		large_documentation,
	});

	if (signals.length > 0) return assessment("high", large ? [...signals, { code: "large_change" }] : signals);
	if (large) {
		return documentation
			? assessment("medium", [{ code: "large_change" }, { code: "non_executable_only" }], true)
			: assessment("high", [{ code: "large_change" }]);
	}
	const reason = fallbackReason(files);
	return assessment(reason.code === "non_executable_only" ? "low" : "medium", [reason]);
}
