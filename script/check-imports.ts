// Holds the direction of imports: cli, report → provider → (review, git, authority, reviewers) → contract. Prints every
// import that goes the other way, enters a room beside its door, or brings I/O into a room that must have none.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "packages", "gentle-ai", "src");

type Room = {
	/** Rooms that this one may import. */
	readonly from: readonly string[];
	/** Node modules that this room may use; `*` for all. */
	readonly node: readonly string[];
	/** The one file through which others enter, where a room has a door. */
	readonly door?: string;
};

const ROOMS: Readonly<Record<string, Room>> = {
	contract: { from: [], node: ["node:crypto"] },
	review: { from: ["contract"], node: [], door: "review/index.ts" },
	git: { from: ["contract"], node: ["*"], door: "git/index.ts" },
	authority: { from: ["contract"], node: ["*"], door: "authority/index.ts" },
	reviewers: { from: ["contract"], node: ["*"] },
	provider: { from: ["contract", "review", "git", "authority", "reviewers"], node: ["*"] },
	report: { from: ["contract", "review", "provider"], node: ["node:util"], door: "report/index.ts" },
	cli: { from: ["contract", "review", "provider", "report"], node: ["*"] },
	"": { from: ["contract", "provider", "reviewers"], node: [] },
};

/** Only these rooms may start processes or open the database. */
const GUARDED: Readonly<Record<string, readonly string[]>> = {
	"node:sqlite": ["authority"],
	"node:child_process": ["git", "provider", "reviewers"],
};

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
		.map((entry) => join(entry.parentPath, entry.name));
}

function roomOf(path: string): string {
	const parts = relative(source, path).split(sep);
	return parts.length === 1 ? "" : (parts[0] ?? "");
}

function problem(file: string, specifier: string): string | undefined {
	const from = roomOf(file);
	const room = ROOMS[from];
	if (room === undefined) return "is in no known room";
	if (specifier.startsWith("node:")) {
		const guarded = GUARDED[specifier];
		if (guarded !== undefined && !guarded.includes(from)) return `may only be used in ${guarded.join(", ")}`;
		return room.node.includes("*") || room.node.includes(specifier)
			? undefined
			: `brings I/O into ${from || "the door"}`;
	}
	if (!specifier.startsWith(".")) return undefined;
	const target = resolve(dirname(file), specifier);
	const to = roomOf(target);
	if (to === from) return undefined;
	if (!room.from.includes(to)) return `goes from ${from || "the door"} to ${to || "the door"}`;
	const door = ROOMS[to]?.door;
	return door === undefined || relative(source, target) === door.replaceAll("/", sep)
		? undefined
		: `enters ${to} beside its door`;
}

const IMPORT =
	/(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:import|getBuiltinModule)\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

const found = filesBelow(source).flatMap((file) =>
	[...readFileSync(file, "utf8").matchAll(IMPORT)].flatMap((match) => {
		const specifier = match[1] ?? match[2] ?? match[3] ?? "";
		const why = problem(file, specifier);
		return why === undefined ? [] : [`${relative(root, file)}: "${specifier}" ${why}`];
	}),
);

for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
