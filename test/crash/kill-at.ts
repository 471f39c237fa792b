// Loaded into the program by NODE_OPTIONS=--import: names every step that makes something durable or visible, and ends
// the process with SIGKILL right before or right after one of them. The program itself knows nothing of this.
import { syncBuiltinESMExports } from "node:module";

const fs = process.getBuiltinModule("node:fs");
const children = process.getBuiltinModule("node:child_process");
const sqlite = process.getBuiltinModule("node:sqlite");

const at = Number(process.env.CRASH_AT ?? 0);
const after = process.env.CRASH_PHASE === "after";
const trace = process.env.CRASH_TRACE;
/** Only what lies below these folders outlives the process. */
const kept = (process.env.CRASH_FOLDERS ?? "").split(":");
const append = fs.appendFileSync.bind(fs);
const files = new Map<number, string>();
let count = 0;

type Call = (...args: never[]) => unknown;

/** The name of a path that is the same in every run; undefined for one that nobody sees afterwards. */
function shown(path: unknown): string | undefined {
	const text = typeof path === "number" ? files.get(path) : String(path);
	const folder = kept.find((each) => text?.startsWith(`${each}/`));
	if (text === undefined || folder === undefined) return undefined;
	return text
		.slice(folder.length + 1)
		.replace(/tmp_gentle_\w*/g, "tmp_gentle_*")
		.replace(/[0-9a-f]{24}\.tmp/g, "*.tmp")
		.replace(/rctx1[\w-]+/g, "rctx1*")
		.replace(/pack-[0-9a-f]{40,64}/g, "pack-*");
}

function step<Result>(name: string, work: () => Result): Result {
	count += 1;
	if (trace !== undefined) append(trace, `${name}\n`);
	if (count === at && !after) process.kill(process.pid, "SIGKILL");
	const result = work();
	if (count === at && after) process.kill(process.pid, "SIGKILL");
	return result;
}

function wrap(owner: object, name: string, nameOf: (args: readonly unknown[]) => string | undefined): void {
	const original = Reflect.get(owner, name) as Call;
	const replacement = function (this: unknown, ...args: never[]): unknown {
		const said = nameOf(args);
		const work = () => Reflect.apply(original, this, args);
		return said === undefined ? work() : step(said, work);
	};
	Reflect.set(owner, name, replacement);
}

const open = fs.openSync;
Reflect.set(fs, "openSync", (...args: Parameters<typeof open>) => {
	const creates = typeof args[1] === "string" && args[1] !== "r";
	const name = shown(args[0]);
	const work = () => open(...args);
	const handle = creates && name !== undefined ? step(`open ${name}`, work) : work();
	files.set(handle, String(args[0]));
	return handle;
});

const PATHS = ["fsyncSync", "mkdirSync", "mkdtempSync", "rmSync", "unlinkSync", "utimesSync"];
for (const name of [...PATHS, "writeFileSync", "appendFileSync", "ftruncateSync"]) {
	wrap(fs, name, ([path]) => {
		const said = shown(path);
		return said === undefined ? undefined : `${name.replace("Sync", "")} ${said}`;
	});
}
for (const name of ["renameSync", "linkSync", "copyFileSync"]) {
	wrap(fs, name, ([, to]) => {
		const said = shown(to);
		return said === undefined ? undefined : `${name.replace("Sync", "")} ${said}`;
	});
}
wrap(fs, "writeSync", ([handle]) => {
	if (handle === 1) return "print";
	const said = typeof handle === "number" && handle > 2 ? shown(handle) : undefined;
	return said === undefined ? undefined : `write ${said}`;
});

/** Git children that write into the repository's own object store. */
function gitStep([, words]: readonly unknown[]): string | undefined {
	const list: readonly unknown[] = Array.isArray(words) ? words : [];
	const found = list.find((word) => word === "pack-objects" || word === "unpack-objects");
	return found === undefined ? undefined : `git ${String(found)}`;
}
for (const name of ["spawn", "spawnSync"]) wrap(children, name, gitStep);

/** The first words of a statement; reading ones are no step. */
function sqlStep(sql: string): string | undefined {
	const words = sql.trim().split(/\s+/).slice(0, 3).join(" ");
	return /^(SELECT|ROLLBACK)/i.test(words) ? undefined : `sql ${words}`;
}
wrap(sqlite.DatabaseSync.prototype, "exec", ([sql]) => sqlStep(String(sql)));
const statements = new WeakMap<object, string>();
const prepare = sqlite.DatabaseSync.prototype.prepare;
Reflect.set(
	sqlite.DatabaseSync.prototype,
	"prepare",
	function (this: InstanceType<typeof sqlite.DatabaseSync>, sql: string) {
		const statement = prepare.call(this, sql);
		statements.set(statement, sql);
		return statement;
	},
);
const run = sqlite.StatementSync.prototype.run;
Reflect.set(sqlite.StatementSync.prototype, "run", function (this: object, ...args: Parameters<typeof run>) {
	return step(sqlStep(statements.get(this) ?? "") ?? "sql", () => Reflect.apply(run, this, args));
});

syncBuiltinESMExports();
