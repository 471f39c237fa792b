// The id of a tree that nobody writes: a base tree with some entries changed, hashed in process. Only the folders on the
// way to a change are read, in one Git child. Writing the tree instead would touch objects that the repository has.
import { createHash } from "node:crypto";
import { ReviewError } from "../contract/errors.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

export type Entry = { readonly mode: string; readonly id: string };

/** A change of one path; `undefined` takes it away. */
export type EntryChange = { readonly path: string; readonly entry: Entry | undefined };

const FOLDER_MODE = "40000";
const LF = 0x0a;
const SPACE = 0x20;

function unreadable(): ReviewError {
	return new ReviewError("git_command_failed", { message: "a tree of the repository could not be read" });
}

/** Names are kept as Latin-1 text: one character a byte, so that nothing is lost and order is byte order. */
type Folder = {
	readonly entries: Map<string, Entry>;
	readonly changes: Map<string, Entry | undefined>;
	readonly folders: Map<string, Folder>;
};

function emptyFolder(): Folder {
	return { entries: new Map(), changes: new Map(), folders: new Map() };
}

function plan(changes: readonly EntryChange[], watched: readonly string[]): Folder {
	const root = emptyFolder();
	const folderOf = (names: readonly string[]) => {
		let folder = root;
		for (const name of names) {
			const next = folder.folders.get(name) ?? emptyFolder();
			folder.folders.set(name, next);
			folder = next;
		}
		return folder;
	};
	const split = (path: string) => Buffer.from(path).toString("latin1").split("/");
	for (const { path, entry } of changes) {
		const names = split(path);
		folderOf(names.slice(0, -1)).changes.set(names.at(-1) ?? "", entry);
	}
	for (const path of watched) folderOf(split(path).slice(0, -1));
	return root;
}

/** Old trees hold modes that Git no longer writes; a folder that is written again gets today's. */
function canonicalMode(mode: string): string {
	const bits = Number.parseInt(mode, 8);
	if ((bits & 0o170000) === 0o040000) return FOLDER_MODE;
	if ((bits & 0o170000) !== 0o100000) return mode;
	return (bits & 0o100) === 0 ? "100644" : "100755";
}

function parseTree(bytes: Buffer, idBytes: number): Map<string, Entry> {
	const entries = new Map<string, Entry>();
	for (let at = 0; at < bytes.length; ) {
		const space = bytes.indexOf(SPACE, at);
		const nul = bytes.indexOf(0, space);
		const end = nul + 1 + idBytes;
		if (space === -1 || nul === -1 || end > bytes.length) throw unreadable();
		entries.set(bytes.toString("latin1", space + 1, nul), {
			mode: canonicalMode(bytes.toString("latin1", at, space)),
			id: bytes.toString("hex", nul + 1, end),
		});
		at = end;
	}
	return entries;
}

/** Reads trees by id from one `cat-file --batch-command`, a batch at a time. */
class TreeReader {
	private buffered: Buffer[] = [];
	private size = 0;
	private wanted = 0;
	private found: Buffer[] = [];
	private resolve: ((trees: Buffer[]) => void) | undefined;
	write: (chunk: string) => void = () => {};
	end: () => void = () => {};

	ask(ids: readonly string[]): Promise<Buffer[]> {
		this.wanted = ids.length;
		this.found = [];
		return new Promise((resolve) => {
			this.resolve = resolve;
			this.write(`${ids.map((id) => `contents ${id}\n`).join("")}flush\n`);
		});
	}

	push(chunk: Buffer): void {
		this.buffered.push(chunk);
		this.size += chunk.length;
		let bytes = this.buffered.length === 1 ? chunk : Buffer.concat(this.buffered);
		for (let taken = this.take(bytes); taken !== undefined; taken = this.take(bytes)) bytes = bytes.subarray(taken);
		this.buffered = [bytes];
		this.size = bytes.length;
		if (this.wanted > 0 && this.found.length === this.wanted) {
			this.wanted = 0;
			this.resolve?.(this.found);
		}
	}

	/** How many bytes one whole answer took from the front, or undefined while it is incomplete. */
	private take(bytes: Buffer): number | undefined {
		const line = bytes.indexOf(LF);
		if (line === -1) return undefined;
		const match = /^[0-9a-f]+ tree ([0-9]+)$/.exec(bytes.toString("latin1", 0, line));
		if (match === null) throw unreadable();
		const end = line + 1 + Number(match[1]);
		if (bytes.length < end + 1) return undefined;
		this.found.push(Buffer.from(bytes.subarray(line + 1, end)));
		return end + 1;
	}
}

type Level = { readonly folder: Folder; readonly id: string };

/** Fills in what the base holds, level by level, for the folders that matter. */
async function fill(reader: TreeReader, root: Level, idBytes: number): Promise<void> {
	for (let level = [root]; level.length > 0; ) {
		const trees = await reader.ask(level.map(({ id }) => id));
		const next: Level[] = [];
		for (const [index, { folder }] of level.entries()) {
			const entries = parseTree(trees[index] ?? Buffer.alloc(0), idBytes);
			for (const [name, entry] of entries) folder.entries.set(name, entry);
			for (const [name, child] of folder.folders) {
				const entry = entries.get(name);
				if (entry?.mode === FOLDER_MODE) next.push({ folder: child, id: entry.id });
			}
		}
		level = next;
	}
}

function hashFolder(folder: Folder, format: "sha1" | "sha256"): Entry | undefined {
	const entries = new Map(folder.entries);
	// What leaves goes first: a file may make room for a folder of its name, and a folder for a file.
	for (const [name, entry] of folder.changes) if (entry === undefined) entries.delete(name);
	for (const [name, child] of folder.folders) {
		const hashed = hashFolder(child, format);
		if (hashed !== undefined) entries.set(name, hashed);
		else if (entries.get(name)?.mode === FOLDER_MODE) entries.delete(name);
	}
	for (const [name, entry] of folder.changes) if (entry !== undefined) entries.set(name, entry);
	if (entries.size === 0) return undefined;
	return { mode: FOLDER_MODE, id: treeId(entries, format) };
}

/** Git orders a folder as if its name ended in a slash. */
function treeId(entries: ReadonlyMap<string, Entry>, format: "sha1" | "sha256"): string {
	const sortName = (name: string, { mode }: Entry) => (mode === FOLDER_MODE ? `${name}/` : name);
	const rows = [...entries]
		.map(([name, entry]) => ({ name, entry, key: sortName(name, entry) }))
		.sort((left, right) => (left.key < right.key ? -1 : 1));
	const content = Buffer.concat(
		rows.flatMap(({ name, entry }) => [Buffer.from(`${entry.mode} ${name}\0`, "latin1"), Buffer.from(entry.id, "hex")]),
	);
	return createHash(format).update(`tree ${content.length}\0`).update(content).digest("hex");
}

function entryIn(root: Folder, path: string): Entry | undefined {
	const names = Buffer.from(path).toString("latin1").split("/");
	let folder: Folder | undefined = root;
	for (const name of names.slice(0, -1)) folder = folder?.folders.get(name);
	const name = names.at(-1) ?? "";
	return folder?.changes.has(name) ? folder.changes.get(name) : folder?.entries.get(name);
}

/** The id of `base` with `changes`, and the entries that the result has at the `watched` paths. */
export async function hashTree(
	session: GitSession,
	repository: Repository,
	base: string,
	changes: readonly EntryChange[],
	watched: readonly string[],
): Promise<{ readonly tree: string; readonly watched: readonly (Entry | undefined)[] }> {
	if (changes.length === 0 && watched.length === 0) return { tree: base, watched: [] };
	const root = plan(changes, watched);
	if (base !== repository.emptyTree) await readFolders(session, repository, root, base);
	const hashed = hashFolder(root, repository.objectFormat);
	return { tree: hashed?.id ?? repository.emptyTree, watched: watched.map((path) => entryIn(root, path)) };
}

async function readFolders(session: GitSession, repository: Repository, root: Folder, base: string): Promise<void> {
	const reader = new TreeReader();
	const idBytes = repository.objectFormat === "sha256" ? 32 : 20;
	let filled: Promise<void> = Promise.resolve();
	const child = session.read(repository, ["cat-file", "--batch-command", "--buffer"], {
		stdin: (write, end) => {
			reader.write = write;
			reader.end = end;
			filled = fill(reader, { folder: root, id: base }, idBytes).finally(end);
		},
		onStdout: (chunk) => reader.push(chunk),
		maxStdoutBytes: Number.MAX_SAFE_INTEGER,
	});
	// A child that dies leaves the filling without an answer: its failure is the one to tell.
	await Promise.race([child.then(() => filled), filled.then(() => child)]);
}
