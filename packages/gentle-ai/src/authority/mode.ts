// The mode switch: small files, so that it can be read and turned beside a broken database. A clone can only turn off.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson, indentedJson } from "../contract/canonical.ts";
import { keptShape } from "../contract/check.ts";
import { ReviewError } from "../contract/errors.ts";
import { modeOverrideRevision } from "../contract/handles.ts";
import type { CloneMode } from "../contract/local-schemas.ts";
import { MODES, type Mode, type ModeSource } from "../contract/vocabulary.ts";
import { publishImmutable, readRegularFile, replaceFile, sweepPublications } from "./files.ts";

export type ModeStatus = {
	readonly schema: "gentle-ai.rdd-mode-status/v1";
	readonly global: "on" | "off" | "unset";
	readonly clone_local: "off" | "inherit" | "unset";
	readonly effective: Mode;
	readonly source: ModeSource;
	readonly revision?: string;
};

/** A source that cannot be read counts as off for reviews, and as "not off" for gates; both need to know. */
export type ModeReading = ModeStatus & { readonly unreadable?: "global" | "clone_local" };

const RECORD_BYTES = 16 * 1024;

function globalPath(home: string): string {
	return join(home, ".gentle-ai", "state.json");
}

function cloneFolder(commonDir: string): string {
	return join(commonDir, "gentle-ai", "mode");
}

function readGlobalState(home: string): Record<string, unknown> {
	const bytes = readRegularFile(globalPath(home), RECORD_BYTES * 4);
	if (bytes === undefined) return {};
	const value: unknown = JSON.parse(bytes.toString("utf8"));
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
	return { ...value };
}

function readGlobal(home: string): "on" | "off" | "unset" | "unreadable" {
	try {
		const mode = readGlobalState(home).rdd_mode;
		if (mode === undefined) return "unset";
		return MODES.find((known) => known === mode) ?? "unreadable";
	} catch {
		return "unreadable";
	}
}

function cloneHead(commonDir: string): CloneMode | "unreadable" | undefined {
	const folder = cloneFolder(commonDir);
	if (!existsSync(folder)) return undefined;
	const name = readdirSync(folder)
		.filter((file) => /^gen-[0-9]{10}\.json$/.test(file))
		.sort()
		.at(-1);
	if (name === undefined) return undefined;
	try {
		const record = keptShape("CloneMode", JSON.parse(readFileSync(join(folder, name), "utf8")));
		return record !== undefined && modeOverrideRevision(record) === record.revision ? record : "unreadable";
	} catch {
		return "unreadable";
	}
}

export function readMode(home: string, commonDir: string | undefined): ModeReading {
	const global = readGlobal(home);
	const clone = commonDir === undefined ? undefined : cloneHead(commonDir);
	const unreadable = clone === "unreadable" ? "clone_local" : global === "unreadable" ? "global" : undefined;
	const cloneOff = clone !== undefined && clone !== "unreadable" && clone.mode === "off";
	const off = cloneOff || global === "off" || unreadable !== undefined;
	const source: ModeSource =
		cloneOff || unreadable === "clone_local" ? "clone_local" : global === "unset" ? "default" : "global";
	return {
		schema: "gentle-ai.rdd-mode-status/v1",
		global: global === "unreadable" ? "unset" : global,
		clone_local: clone === undefined || clone === "unreadable" ? "unset" : clone.mode,
		effective: off ? "off" : "on",
		source,
		...(clone !== undefined && clone !== "unreadable" && { revision: clone.revision }),
		...(unreadable !== undefined && { unreadable }),
	};
}

/** Sets the user's global mode; other fields of the state file stay. An unreadable file is replaced as a whole. */
export function writeGlobalMode(home: string, mode: Mode, now: string): void {
	let kept: Record<string, unknown> = {};
	try {
		kept = readGlobalState(home);
	} catch {
		// The command that calls this is the documented way to overwrite a broken switch.
	}
	const bytes = indentedJson({ ...kept, rdd_mode: mode, rdd_mode_recorded_at: now });
	replaceFile(join(home, ".gentle-ai", "staging"), globalPath(home), bytes, 0o600);
}

/** Appends the clone's override. `expected` is the revision that the caller saw, if it cares. */
export function writeCloneMode(
	commonDir: string,
	mode: "off" | "inherit",
	expected: string | undefined,
	now: string,
): void {
	const head = cloneHead(commonDir);
	const previous = head === "unreadable" ? undefined : head;
	if (expected !== undefined && expected !== (previous?.revision ?? "")) {
		throw new ReviewError("authority_revision_conflict", {
			message: "the clone's review mode was changed in the meantime",
			next: "Run `gentle-ai review mode status` and decide again",
		});
	}
	const staging = join(commonDir, "gentle-ai", "staging");
	if (previous?.mode === mode) {
		sweepPublications(staging);
		return;
	}
	const generation = nextGeneration(commonDir);
	const record = {
		schema: "gentle-ai.rdd-mode-override/v1",
		generation,
		...(previous !== undefined && { previous_revision: previous.revision }),
		mode,
		recorded_at: now,
	} as const;
	const bytes = `${canonicalJson({ ...record, revision: modeOverrideRevision(record) })}\n`;
	const path = join(cloneFolder(commonDir), `gen-${String(generation).padStart(10, "0")}.json`);
	if (publishImmutable(staging, path, bytes, 0o600) === "conflict") {
		throw new ReviewError("authority_revision_conflict", {
			message: "another process changed the clone's review mode at the same time",
			next: "Run `gentle-ai review mode status` and decide again",
		});
	}
}

function nextGeneration(commonDir: string): number {
	const folder = cloneFolder(commonDir);
	const names = existsSync(folder) ? readdirSync(folder) : [];
	return (
		names.reduce((highest, name) => Math.max(highest, Number(/^gen-([0-9]{10})\.json$/.exec(name)?.[1] ?? 0)), 0) + 1
	);
}
