// Which git runs, and what its children see. The reviewed repository must not choose either (threats C8, C9).
import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import { ReviewError } from "../contract/errors.ts";

const PROCESS_ESSENTIALS = ["COMSPEC", "PATHEXT", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "WINDIR"];
/** Where user configuration lives; only the profile that must freeze what a commit would write may read it. */
const USER_ESSENTIALS = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA", "USER", "LOGNAME"];

export type Environment = Readonly<Record<string, string | undefined>>;

export function isInside(folder: string, path: string): boolean {
	const rest = relative(folder, path);
	return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** The nearest folder at or above `cwd` that looks like a work tree; only a bound for PATH, never an answer. */
function nearestWorktree(cwd: string): string | undefined {
	for (let folder = cwd; ; folder = dirname(folder)) {
		if (existsSync(join(folder, ".git"))) return folder;
		if (dirname(folder) === folder) return undefined;
	}
}

function resolved(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

/** Absolute PATH entries outside the reviewed work tree. */
function trustedPath(cwd: string, environment: Environment): string[] {
	const worktree = nearestWorktree(cwd);
	return (environment.PATH ?? "").split(delimiter).filter((entry) => {
		if (!isAbsolute(entry)) return false;
		const real = resolved(entry);
		return real !== undefined && (worktree === undefined || !isInside(worktree, real));
	});
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

export type GitProgram = {
	/** Absolute path of the git executable. */
	readonly path: string;
	/** The environment of the profile that reads trees and blobs only. */
	readonly read: Readonly<Record<string, string>>;
	/** The environment of the profile that must see what `git commit` would see. */
	readonly freeze: Readonly<Record<string, string>>;
};

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
	const picked: Record<string, string> = {};
	for (const name of names) {
		const value = environment[name];
		if (value !== undefined) picked[name] = value;
	}
	return picked;
}

/** Finds git once, for a canonical folder. */
export function locateGit(cwd: string, environment: Environment): GitProgram {
	const folders = trustedPath(cwd, environment);
	const names = process.platform === "win32" ? ["git.exe"] : ["git"];
	const path = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
	if (path === undefined) {
		throw new ReviewError("git_command_failed", {
			message: "git was not found in a folder of PATH outside the reviewed repository",
			next: "Install git 2.36 or newer, or put its folder into PATH",
		});
	}
	const common = {
		...pick(environment, PROCESS_ESSENTIALS),
		PATH: folders.join(delimiter),
		LC_ALL: "C",
		LANG: "C",
		GIT_TERMINAL_PROMPT: "0",
		GIT_OPTIONAL_LOCKS: "0",
		GIT_NO_LAZY_FETCH: "1",
		// A git too old to know the variable above is kept from fetching by having no protocol to do it with.
		GIT_ALLOW_PROTOCOL: "none",
		GIT_NO_REPLACE_OBJECTS: "1",
		// A path below no folder: nothing is ever there. With grafts, HEAD~1 would be whatever they say (D4).
		GIT_GRAFT_FILE: "/dev/null/no-grafts",
		GIT_LITERAL_PATHSPECS: "1",
	};
	return {
		path,
		read: {
			...common,
			GIT_CONFIG_NOSYSTEM: "1",
			GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
			GIT_ATTR_NOSYSTEM: "1",
		},
		freeze: { ...common, ...pick(environment, USER_ESSENTIALS) },
	};
}
