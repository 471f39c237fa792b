// One Git child: bounded in time, output and process group. Nothing that it starts outlives it.
import { ReviewError } from "../contract/errors.ts";
import { LIMITS } from "../contract/limits.ts";

export type ChildRequest = {
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Milliseconds that this child may run. */
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
	readonly stdin?: Uint8Array | ((write: (chunk: string) => void, end: () => void) => void);
	/** Called with every chunk of stdout instead of collecting it. May throw a ReviewError to end the child. */
	readonly onStdout?: (chunk: Buffer) => void;
	readonly maxStdoutBytes: number;
};

export type ChildResult = { readonly code: number; readonly stdout: Buffer; readonly stderr: string };

function commandName(args: readonly string[]): string {
	return args.find((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c") ?? "git";
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(process.platform === "win32" ? pid : -pid, signal);
	} catch {
		// The group is gone already.
	}
}

/** Resolves with the exit code; rejects typed when the child cannot start, floods, times out or dies by a signal. */
export function runChild(request: ChildRequest): Promise<ChildResult> {
	const name = commandName(request.args);
	// Loaded when the first child starts: what needs no Git starts without it.
	const { spawn } = process.getBuiltinModule("node:child_process");
	return new Promise((resolve, reject) => {
		const stdout: Buffer[] = [];
		let stdoutBytes = 0;
		let stderr = "";
		let failure: ReviewError | undefined;
		let killTimer: NodeJS.Timeout | undefined;

		const child = spawn(request.program, [...request.args], {
			cwd: request.cwd,
			env: { ...request.env },
			// Most children read nothing; a pipe for them would cost as much as their whole work.
			stdio: [request.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});

		const stop = (error: ReviewError) => {
			if (failure !== undefined) return;
			failure = error;
			killGroup(child.pid, "SIGTERM");
			killTimer = setTimeout(() => {
				killGroup(child.pid, "SIGKILL");
				// A grandchild that left the group may hold the pipes; the answer does not wait for it.
				child.stdout?.destroy();
				child.stderr?.destroy();
			}, LIMITS.gitWaitAfterCancelMs);
		};
		const timedOut = () =>
			new ReviewError("git_command_timeout", {
				message: `git ${name} did not finish within ${request.timeoutMs} ms`,
				next: "Find out what slows git down in this repository, then run the command again",
			});
		const timer = setTimeout(() => stop(timedOut()), request.timeoutMs);
		const aborted = () => {
			const reason: unknown = request.signal.reason;
			stop(reason instanceof ReviewError ? reason : timedOut());
		};
		if (request.signal.aborted) aborted();
		request.signal.addEventListener("abort", aborted, { once: true });

		const guarded = (action: () => void) => {
			try {
				action();
			} catch (error) {
				if (error instanceof ReviewError) stop(error);
				else {
					stop(
						new ReviewError(
							"git_command_failed",
							{ message: `the output of git ${name} could not be read` },
							{ cause: error },
						),
					);
				}
			}
		};

		child.stdout?.on("data", (chunk: Buffer) => {
			stdoutBytes += chunk.length;
			if (stdoutBytes > request.maxStdoutBytes) {
				stop(
					new ReviewError("git_command_failed", {
						message: `git ${name} printed more than the limit of ${request.maxStdoutBytes} bytes`,
						next: "Review the change in smaller parts",
					}),
				);
			} else if (failure === undefined) {
				guarded(() => (request.onStdout === undefined ? void stdout.push(chunk) : request.onStdout(chunk)));
			}
		});
		child.stderr?.on("data", (chunk: Buffer) => {
			if (stderr.length < LIMITS.gitStderrBytes) stderr += chunk.toString("utf8");
		});
		// A child that ends early closes its stdin; its exit code tells the story.
		child.stdin?.on("error", () => {});
		child.on("error", (error) => {
			stop(new ReviewError("git_command_failed", { message: `git ${name} could not be started` }, { cause: error }));
			finish(-1, null);
		});
		child.on("close", (code, signal) => finish(code, signal));

		let finished = false;
		const finish = (code: number | null, signal: NodeJS.Signals | null) => {
			if (finished) return;
			finished = true;
			clearTimeout(timer);
			if (killTimer !== undefined) clearTimeout(killTimer);
			request.signal.removeEventListener("abort", aborted);
			// Whatever git left behind in its group (a filter, a helper) ends with it.
			killGroup(child.pid, "SIGKILL");
			if (failure !== undefined) reject(failure);
			else if (code === null) {
				reject(new ReviewError("git_command_failed", { message: `git ${name} was ended by ${signal ?? "a signal"}` }));
			} else resolve({ code, stdout: Buffer.concat(stdout), stderr });
		};

		if (typeof request.stdin === "function") {
			request.stdin(
				(chunk) => void child.stdin?.write(chunk),
				() => void child.stdin?.end(),
			);
		} else if (request.stdin !== undefined) child.stdin?.end(request.stdin);
	});
}
