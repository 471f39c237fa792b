// The kept pack: what only the candidate has, in the repository's own object store, where every plain git finds it and
// `git gc --prune=now` leaves it alone. No ref appears anywhere. It goes away with the review; its objects become
// ordinary loose ones, which Git keeps for as long as something needs them.
import {
	closeSync,
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
import { join } from "node:path";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

/** The file name of a pack without its ending; `undefined` when the candidate has no object of its own. */
export type PackName = string | undefined;

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

/** Packs what `candidate` reaches and `base` does not, and makes the bytes durable before it returns. */
export async function stagePack(
	session: GitSession,
	repository: Repository,
	trees: { readonly base: string; readonly candidate: string },
	objects: string | undefined,
	lineage: string,
): Promise<StagedPack> {
	const packs = join(repository.objectsDir, "pack");
	mkdirSync(packs, { recursive: true });
	const staging = mkdtempSync(join(packs, STAGING));
	const discard = () => rmSync(staging, { recursive: true, force: true });
	try {
		await session.read(
			repository,
			["pack-objects", "--revs", "--non-empty", "--delta-base-offset", "--quiet", join(staging, "pack")],
			{ stdin: Buffer.from(`${trees.candidate}\n^${trees.base}\n`), ...(objects !== undefined && { objects }) },
		);
		const files = readdirSync(staging).filter((name) => !name.endsWith(".idx"));
		const name = files.find((file) => file.endsWith(".pack"))?.slice(0, -".pack".length);
		if (name === undefined) return { name, install: () => {}, discard };
		writeFileSync(join(staging, `${name}.keep`), keepNote(lineage));
		for (const file of readdirSync(staging)) sync(join(staging, file));
		const install = () => {
			// The keep file first, the index last: a pack is visible only when it is protected and whole.
			const order = [`${name}.keep`, ...files.filter((file) => file.startsWith(name)), `${name}.idx`];
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
 * Gives every object of a kept pack a loose copy. Since the pack appeared, `git add` and `git commit` have found its
 * objects there and not written their own: whoever takes the pack away without this takes the person's work away.
 */
export async function loosenPack(session: GitSession, repository: Repository, name: string): Promise<void> {
	const pack = join(repository.objectsDir, "pack", `${name}.pack`);
	if (!PACK.test(name) || !isThere(pack)) return;
	const staging = mkdtempSync(join(repository.objectsDir, STAGING));
	try {
		await session.read(repository, ["unpack-objects", "-q"], { stdin: readFileSync(pack), objects: staging });
		const fans = readdirSync(staging).filter((fan) => /^[0-9a-f]{2}$/.test(fan));
		for (const fan of fans) {
			const folder = join(repository.objectsDir, fan);
			mkdirSync(folder, { recursive: true });
			for (const file of readdirSync(join(staging, fan))) {
				if (isThere(join(folder, file))) continue;
				sync(join(staging, fan, file));
				renameSync(join(staging, fan, file), join(folder, file));
			}
			syncFolder(folder);
		}
	} finally {
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Removes a kept pack whose objects are loose. Without its index Git no longer sees it, so that goes first. */
export function removePack(repository: Repository, name: string): void {
	if (!PACK.test(name)) return;
	const packs = join(repository.objectsDir, "pack");
	for (const ending of [".idx", ".pack", ".rev", ".keep"]) rmSync(join(packs, `${name}${ending}`), { force: true });
	syncFolder(packs);
}

/** Our own packs whose review is unknown to the store: a crash between the pack and the commit left them. */
export function orphanedPacks(repository: Repository, isAlive: (pack: string) => boolean): string[] {
	const packs = join(repository.objectsDir, "pack");
	if (!isThere(packs)) return [];
	return readdirSync(packs)
		.filter((file) => file.endsWith(".keep"))
		.map((file) => file.slice(0, -".keep".length))
		.filter((name) => PACK.test(name) && isOurs(join(packs, `${name}.keep`)) && !isAlive(name));
}

function isOurs(keep: string): boolean {
	try {
		return readFileSync(keep, "utf8").startsWith(KEEP_NOTE);
	} catch {
		return false;
	}
}
