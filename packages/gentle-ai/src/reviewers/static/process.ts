// One analyser in a process of its own: empty private folder, next to no environment, bounded time, memory and output.
// Whatever it does (crash, hang, flood), the authority sees either a well-formed answer or "it ended abnormally".
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keptShape } from "../../contract/check.ts";
import type { EngineAnswer, EngineName, EngineRequest } from "./protocol.ts";

const HEAP_MIB = 768;
const ANSWER_BYTES = 32 * 1024 * 1024;
const KEPT_VARIABLES = ["PATH", "TMPDIR", "TEMP", "TMP", "SystemRoot"] as const;

/** The bundled entry beside the bundle, or the source entry beside this source. */
export function engineFile(): string {
	const bundled = fileURLToPath(new URL("./engine.mjs", import.meta.url));
	return existsSync(bundled) ? bundled : fileURLToPath(new URL("./engine.ts", import.meta.url));
}

function smallEnvironment(): Record<string, string> {
	const kept: Record<string, string> = {};
	for (const name of KEPT_VARIABLES) {
		const value = process.env[name];
		if (value !== undefined) kept[name] = value;
	}
	return kept;
}

/** Ends the analyser and everything that it started. */
function kill(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		if (process.platform === "win32") child.kill("SIGKILL");
		else process.kill(-child.pid, "SIGKILL");
	} catch {
		// The group is already gone.
	}
}

function readAnswer(chunks: readonly Buffer[]): EngineAnswer | undefined {
	try {
		return keptShape("EngineAnswer", JSON.parse(Buffer.concat(chunks).toString("utf8")));
	} catch {
		return undefined;
	}
}

function converse(
	child: ChildProcess,
	request: EngineRequest,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<EngineAnswer | undefined> {
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let received = 0;
		const stop = () => kill(child);
		const timer = setTimeout(stop, timeoutMs);
		signal.addEventListener("abort", stop, { once: true });
		const end = (answer: EngineAnswer | undefined) => {
			clearTimeout(timer);
			signal.removeEventListener("abort", stop);
			stop();
			resolve(answer);
		};
		child.stdout?.on("data", (chunk: Buffer) => {
			received += chunk.length;
			if (received > ANSWER_BYTES) stop();
			else chunks.push(chunk);
		});
		child.on("error", () => end(undefined));
		child.on("close", (code) => end(code === 0 ? readAnswer(chunks) : undefined));
		// A child that dies early closes the pipe; its exit code says the rest.
		child.stdin?.on("error", () => undefined);
		child.stdin?.end(JSON.stringify(request));
	});
}

/**
 * Asks one engine once. Resolves to `undefined` when the process crashed, hung, flooded or answered nonsense.
 * Rejects only with the reason of `signal`.
 */
export async function askEngine(
	entry: string,
	engine: EngineName,
	request: EngineRequest,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<EngineAnswer | undefined> {
	signal.throwIfAborted();
	const folder = mkdtempSync(join(tmpdir(), "gentle-static-"));
	try {
		// Loaded when the first analyser starts: what needs none starts without it.
		const { spawn } = process.getBuiltinModule("node:child_process");
		const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, entry, engine], {
			cwd: folder,
			env: smallEnvironment(),
			stdio: ["pipe", "pipe", "ignore"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		const answer = await converse(child, request, timeoutMs, signal);
		signal.throwIfAborted();
		return answer;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
