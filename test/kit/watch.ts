// Loaded into the program by NODE_OPTIONS=--import: writes down every child that it starts and every file that it opens.
import { syncBuiltinESMExports } from "node:module";

const fs = process.getBuiltinModule("node:fs");
const children = process.getBuiltinModule("node:child_process");
const append = fs.appendFileSync.bind(fs);
const list = fs.readdirSync.bind(fs);

export type Seen =
	| { readonly kind: "open"; readonly path: string }
	| {
			readonly kind: "child";
			readonly file: string;
			readonly cwd: string;
			/** What lay in its folder when it started. */
			readonly beside: readonly string[];
			readonly env: Readonly<Record<string, string>>;
	  };

function note(seen: Seen): void {
	append(process.env.WATCH_LOG ?? "", `${JSON.stringify(seen)}\n`);
}

type Call = (...args: never[]) => unknown;

function watch(owner: object, name: string, told: (args: readonly unknown[]) => Seen | undefined): void {
	const original = Reflect.get(owner, name) as Call;
	Reflect.set(owner, name, function (this: unknown, ...args: never[]): unknown {
		const seen = told(args);
		if (seen !== undefined) note(seen);
		return Reflect.apply(original, this, args);
	});
}

const opened = ([path]: readonly unknown[]): Seen | undefined =>
	typeof path === "number" ? undefined : { kind: "open", path: String(path) };
for (const name of ["openSync", "readFileSync", "open", "readFile"]) watch(fs, name, opened);
for (const name of ["open", "readFile"]) watch(fs.promises, name, opened);

for (const name of ["spawn", "spawnSync", "execFile", "execFileSync"]) {
	watch(children, name, ([file, , options]) => {
		const { cwd = process.cwd(), env = process.env } = (options ?? {}) as { cwd?: string; env?: NodeJS.ProcessEnv };
		return { kind: "child", file: String(file), cwd, beside: list(cwd), env: env as Record<string, string> };
	});
}
syncBuiltinESMExports();
