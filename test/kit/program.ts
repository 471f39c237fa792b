// The program under test as a real child process: which one, in which environment, and what it said.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const main = resolve(import.meta.dirname, "../..");

function program(): string[] {
	const named = process.env.GENTLE_AI_PROGRAM;
	if (named !== undefined) return JSON.parse(named) as string[];
	const bundle = resolve(main, "packages/gentle-ai/dist/gentle-ai.cjs");
	if (existsSync(bundle)) return [process.execPath, bundle];
	return [process.execPath, resolve(main, "packages/gentle-ai/src/cli/main.ts")];
}

export const PROGRAM: readonly string[] = program();

export type RunOptions = {
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	readonly stdin?: string | Uint8Array;
	readonly onSpawn?: (pid: number) => void;
};

export class RunResult {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;

	constructor(code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string) {
		this.code = code;
		this.signal = signal;
		this.stdout = stdout;
		this.stderr = stderr;
	}

	/** The one document on stdout. The caller says which shape it expects; conformance tests check it. */
	json<Document>(): Document {
		try {
			return JSON.parse(this.stdout) as Document;
		} catch {
			throw new Error(`no JSON document on stdout (exit ${this.code}): ${this.stdout}\n${this.stderr}`);
		}
	}
}

/** Runs one command line without a shell and waits for it. */
export function execute(argv: readonly string[], options: RunOptions): Promise<RunResult> {
	const [file = "", ...args] = argv;
	return new Promise((done, failed) => {
		const child = spawn(file, args, { cwd: options.cwd, env: options.env, stdio: ["pipe", "pipe", "pipe"] });
		const out: Buffer[] = [];
		const err: Buffer[] = [];
		child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
		child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
		child.stdin.on("error", () => {});
		child.on("error", failed);
		child.on("close", (code, signal) => {
			done(new RunResult(code, signal, Buffer.concat(out).toString("utf8"), Buffer.concat(err).toString("utf8")));
		});
		if (child.pid !== undefined) options.onSpawn?.(child.pid);
		child.stdin.end(options.stdin ?? "");
	});
}
