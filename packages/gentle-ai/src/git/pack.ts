// The kept pack: what only the candidate has, in the repository's own object store, where every plain git finds it and
// `git gc --prune=now` leaves it alone. No ref appears anywhere. When the review ends, the pack becomes an ordinary one.
import {
	closeSync,
	constants,
	copyFileSync,
	fsyncSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../contract/canonical.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

/** The file name of a pack without its ending; `undefined` when the candidate has no object of its own. */
export type PackName = string | undefined;

/** Git's own word for what is on its way: `git gc` drops what it finds under it, when it is old enough. */
const STAGING = "tmp_gentle_";
const KEEP_NOTE = "gentle-ai review ";
const PACK = /^pack-[0-9a-f]{40,64}$/;

function keepNote(lineage: string): string {
	return `${KEEP_NOTE}${lineage}\n`;
}

function sync(path: string): void {
	const file = openSync(path, "r");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

function syncFolder(path: string): void {
	// Windows refuses to sync folders; the contract claims no durability of the entry there.
	if (process.platform !== "win32") sync(path);
}

/** A pack that is whole and durable, but not yet where Git looks. */
export type StagedPack = {
	readonly name: PackName;
	/** Puts it into place; synchronous, so that it can happen under the store's lock. */
	readonly install: () => void;
	readonly discard: () => void;
};

/** A pack in the private folder of the operation: nobody may need it after all, so the repository holds nothing of it. */
export type BuiltPack = { readonly folder: string; readonly name: PackName };

/**
 * An object directory that only borrows. Git begins a pack beside its objects and renames it: in the repository that
 * would be a write of whoever only looks, and impossible when the private folder is on another file system.
 */
function borrowed(folder: string, repository: Repository): string {
	const objects = join(folder, "objects");
	mkdirSync(join(objects, "info"), { recursive: true, mode: 0o700 });
	writeFileSync(join(objects, "info", "alternates"), `${repository.objectsDir}\n`);
	return objects;
}

/** Packs what `candidate` reaches and `base` does not. */
export async function buildPack(
	session: GitSession,
	repository: Repository,
	trees: { readonly base: string; readonly candidate: string },
	objects: string | undefined,
): Promise<BuiltPack> {
	const folder = mkdtempSync(join(session.folder(), "pack-"));
	await session.read(
		repository,
		["pack-objects", "--revs", "--non-empty", "--delta-base-offset", "--quiet", join(folder, "pack")],
		{ stdin: Buffer.from(`${trees.candidate}\n^${trees.base}\n`), objects: objects ?? borrowed(folder, repository) },
	);
	const pack = readdirSync(folder).find((file) => file.endsWith(".pack"));
	return { folder, name: pack?.slice(0, -".pack".length) };
}

/** Copies a built pack beside its place and makes the bytes durable before it returns. */
export function stagePack(repository: Repository, { folder, name }: BuiltPack, lineage: string): StagedPack {
	if (name === undefined) return { name, install: () => {}, discard: () => {} };
	const packs = join(repository.objectsDir, "pack");
	mkdirSync(packs, { recursive: true });
	const staging = mkdtempSync(join(packs, `${STAGING}${builderTag()}_`));
	const discard = () => rmSync(staging, { recursive: true, force: true });
	try {
		const files = readdirSync(folder).filter((file) => file.startsWith("pack-"));
		for (const file of files) copyFileSync(join(folder, file), join(staging, file), constants.COPYFILE_FICLONE);
		writeFileSync(join(staging, `${name}.keep`), keepNote(lineage));
		for (const file of readdirSync(staging)) sync(join(staging, file));
		const install = () => {
			// The keep file first, the index last: a pack is visible only when it is protected and whole.
			const order = [`${name}.keep`, ...files.filter((file) => !file.endsWith(".idx")), `${name}.idx`];
			for (const file of order) renameSync(join(staging, file), join(packs, file));
			syncFolder(packs);
		};
		return { name, install, discard };
	} catch (error) {
		discard();
		throw error;
	}
}

function isThere(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Lets go of a kept pack: without its keep file it is a pack like any other, and `git gc` drops what nothing needs. It is
 * not deleted here: since it appeared, `git add` and `git commit` have found its objects and not written their own.
 */
export function releasePack(repository: Repository, name: string): void {
	if (!PACK.test(name)) return;
	rmSync(join(repository.objectsDir, "pack", `${name}.keep`), { force: true });
}

/** Our own packs whose review is unknown to the store: a crash between the pack and the commit left them. */
export function orphanedPacks(repository: Repository, isAlive: (pack: string) => boolean): string[] {
	const packs = join(repository.objectsDir, "pack");
	if (!isThere(packs)) return [];
	return readdirSync(packs)
		.filter((file) => file.endsWith(".keep"))
		.map((file) => file.slice(0, -".keep".length))
		.filter((name) => PACK.test(name) && !isAlive(name) && isOurs(join(packs, `${name}.keep`)));
}

const STALE_MS = 60 * 60 * 1_000;
const BUILDER = new RegExp(`^${STAGING}([0-9a-f]{8})_([0-9]+)_`);

function hostTag(): string {
	return sha256Hex(hostname()).slice(0, 8);
}

/** Who builds: the host, because process numbers mean nothing on another one, and the process. */
function builderTag(): string {
	return `${hostTag()}_${process.pid}`;
}

function isDead(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "ESRCH";
	}
}

function isAbandoned(name: string, ageMs: number): boolean {
	if (ageMs > STALE_MS) return true;
	const [, host, pid] = BUILDER.exec(name) ?? [];
	return host === hostTag() && isDead(Number(pid));
}

/** Removes what a killed START left half-built, once nobody can still be building it. */
export function sweepStaging(repository: Repository, now: number): void {
	const packs = join(repository.objectsDir, "pack");
	if (!isThere(packs)) return;
	for (const name of readdirSync(packs).filter((file) => file.startsWith(STAGING))) {
		const stat = statSync(join(packs, name), { throwIfNoEntry: false });
		if (stat !== undefined && isAbandoned(name, now - stat.mtimeMs)) {
			rmSync(join(packs, name), { recursive: true, force: true });
		}
	}
}

function isOurs(keep: string): boolean {
	try {
		return readFileSync(keep, "utf8").startsWith(KEEP_NOTE);
	} catch {
		return false;
	}
}
