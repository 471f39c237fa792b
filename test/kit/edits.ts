// Random edits of a work tree and its index, for properties: names of every kind, and everything Git can see of them.
import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { TestRepo } from "./repo.ts";

const PATHS = [
	"a.ts",
	"b.ts",
	"dir",
	"dir/c.ts",
	"dir/sub/d.ts",
	"dir/sub",
	"name with space.txt",
	"tab\there.txt",
	"new\nline.txt",
	'quo"te.txt',
	"it's.txt",
	"ünïcödé-\u{1f600}.md",
	"-dash.ts",
	":(glob)x.ts",
	"[a-z]*.ts",
	"ignored.log",
	"dir/ignored.log",
	"#comment",
	" lead",
];
// Few texts of one length: edits within one second that only the bytes tell apart.
const TEXTS = ["aaaa\n", "bbbb\n", "cccc\n", ""];

const path = fc.constantFrom(...PATHS);
const edit = fc.oneof(
	fc.record({ op: fc.constant("write" as const), path, text: fc.constantFrom(...TEXTS) }),
	fc.record({ op: fc.constant("delete" as const), path }),
	fc.record({ op: fc.constant("chmod" as const), path }),
	fc.record({
		op: fc.constant("symlink" as const),
		path,
		target: fc.constantFrom("a.ts", "dir", "nowhere", "../outside"),
	}),
	fc.record({ op: fc.constant("rename" as const), path, to: path }),
	fc.record({ op: fc.constant("folder" as const), path, text: fc.constantFrom(...TEXTS) }),
	fc.record({ op: fc.constant("intend" as const), path }),
	fc.record({ op: fc.constant("stage" as const), path }),
	fc.record({ op: fc.constant("unstage" as const), path }),
	fc.record({ op: fc.constant("stage all" as const) }),
	fc.record({ op: fc.constant("commit" as const) }),
);
export type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** A folder itself, not a link to one. */
function isFolder(file: string): boolean {
	return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes room: a file or a link in the way of a folder goes, and so does what was at the path itself. */
function clear(repo: TestRepo, name: string): string {
	const parts = name.split("/");
	for (let depth = 1; depth < parts.length; depth += 1) {
		const parent = repo.path(...parts.slice(0, depth));
		if (!isFolder(parent)) rmSync(parent, { force: true });
	}
	const file = repo.path(name);
	mkdirSync(dirname(file), { recursive: true });
	return file;
}

function there(repo: TestRepo, name: string): boolean {
	return lstatSync(repo.path(name), { throwIfNoEntry: false }) !== undefined;
}

/** Plain git by literal name; what it refuses (an ignored path, a path that is not there) changes nothing. */
function tryGit(repo: TestRepo, ...args: string[]): void {
	try {
		repo.gitWith({ env: { GIT_LITERAL_PATHSPECS: "1" } }, ...args);
	} catch {
		// The edit was not possible; the next one is tried.
	}
}

export function applyEdit(repo: TestRepo, step: Edit): void {
	switch (step.op) {
		case "write":
			if (!isFolder(repo.path(step.path))) {
				const file = clear(repo, step.path);
				rmSync(file, { force: true });
				writeFileSync(file, step.text);
			}
			return;
		case "delete":
			repo.remove(step.path);
			return;
		case "chmod":
			if (there(repo, step.path) && lstatSync(repo.path(step.path)).isFile()) {
				chmodSync(repo.path(step.path), (lstatSync(repo.path(step.path)).mode & 0o111) === 0 ? 0o755 : 0o644);
			}
			return;
		case "symlink": {
			const file = clear(repo, step.path);
			rmSync(file, { recursive: true, force: true });
			symlinkSync(step.target, file);
			return;
		}
		case "rename":
			if (there(repo, step.path) && !step.to.startsWith(`${step.path}/`) && !step.path.startsWith(`${step.to}/`)) {
				const to = clear(repo, step.to);
				if (there(repo, step.path) && step.to !== step.path) {
					rmSync(to, { recursive: true, force: true });
					renameSync(repo.path(step.path), to);
				}
			}
			return;
		case "folder": {
			const file = clear(repo, step.path);
			if (!isFolder(file)) rmSync(file, { force: true });
			mkdirSync(file, { recursive: true });
			writeFileSync(join(file, "inner.ts"), step.text);
			return;
		}
		case "intend":
			tryGit(repo, "add", "--intent-to-add", "--", step.path);
			return;
		case "stage":
			tryGit(repo, "add", "--", step.path);
			return;
		case "unstage":
			tryGit(repo, "rm", "-r", "--quiet", "--cached", "--", step.path);
			return;
		case "stage all":
			tryGit(repo, "add", "--all");
			return;
		case "commit":
			tryGit(repo, "commit", "--quiet", "--allow-empty", "--no-verify", "--message", "x");
			return;
	}
}

/** Up to fourteen edits in a row. */
export const edits = fc.array(edit, { minLength: 1, maxLength: 14 });

/** The first commit of the repositories that are edited. */
export const EDITED = {
	".gitignore": "*.log\n",
	"a.ts": "aaaa\n",
	"dir/c.ts": "aaaa\n",
	"dir/sub/d.ts": "bbbb\n",
	"name with space.txt": "bbbb\n",
} as const;
