// Verification: runs the person's own command in the live work tree, when that tree is exactly the candidate.
import { LIMITS } from "../contract/limits.ts";
import { type GitSession, type Repository, readBlobs } from "../git/index.ts";
import type { Workplace } from "./caller.ts";

export type VerificationRun = {
	/** The exit code, or the signal that ended the command. */
	readonly ended: string;
	readonly passed: boolean;
	/** Command, ending and output: the bytes that are captured as evidence. */
	readonly transcript: Buffer;
	/** The last lines of the output, for people. */
	readonly tail: readonly string[];
};

const TAIL_LINES = 12;

/** Keeps the end of the output when it does not fit: that is where failures are told. */
function transcript(command: string, ended: string, output: Buffer): Buffer {
	const head = Buffer.from(`command: ${command}\nended: ${ended}\noutput:\n`);
	const room = LIMITS.verificationPayloadBytes - head.length;
	return Buffer.concat([head, output.length > room ? output.subarray(output.length - room) : output]);
}

export function runVerification(
	command: string,
	cwd: string,
	environment: Readonly<Record<string, string | undefined>>,
	signal: AbortSignal,
): Promise<VerificationRun> {
	const { spawn } = process.getBuiltinModule("node:child_process");
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let kept = 0;
		const child = spawn(command, {
			cwd,
			env: { ...environment },
			shell: true,
			stdio: ["ignore", "pipe", "pipe"],
			detached: process.platform !== "win32",
		});
		const kill = () => {
			if (child.pid === undefined) return;
			try {
				process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGTERM");
			} catch {
				// It has ended already.
			}
		};
		signal.addEventListener("abort", kill, { once: true });
		const collect = (chunk: Buffer) => {
			chunks.push(chunk);
			kept += chunk.length;
			while (kept - (chunks[0]?.length ?? 0) > LIMITS.verificationPayloadBytes) kept -= chunks.shift()?.length ?? 0;
		};
		child.stdout.on("data", collect);
		child.stderr.on("data", collect);
		const finish = (ended: string, passed: boolean) => {
			signal.removeEventListener("abort", kill);
			const output = Buffer.concat(chunks);
			const tail = output.toString("utf8").trimEnd().split("\n").slice(-TAIL_LINES);
			resolve({ ended, passed, transcript: transcript(command, ended, output), tail });
		};
		child.on("error", () => finish("could not be started", false));
		child.on("close", (code, by) => finish(code === null ? `signal ${by}` : `exit code ${code}`, code === 0));
	});
}

type Proposal = { readonly file: string; readonly command: (text: string) => string | undefined };

function npmTest(text: string): string | undefined {
	try {
		const manifest: unknown = JSON.parse(text);
		const scripts =
			typeof manifest === "object" && manifest !== null && "scripts" in manifest ? manifest.scripts : undefined;
		return typeof scripts === "object" && scripts !== null && "test" in scripts ? "npm test" : undefined;
	} catch {
		return undefined;
	}
}

const PROPOSALS: readonly Proposal[] = [
	{ file: "package.json", command: npmTest },
	{ file: "go.mod", command: () => "go test ./..." },
	{ file: "Cargo.toml", command: () => "cargo test" },
	{ file: "pom.xml", command: () => "mvn -q test" },
	{ file: "pyproject.toml", command: () => "python -m pytest" },
	{ file: "Makefile", command: (text) => (/^test:/m.test(text) ? "make test" : undefined) },
];

const MAX_MANIFEST_BYTES = 1024 * 1024;

async function rootFiles(session: GitSession, repository: Repository, tree: string): Promise<Map<string, string>> {
	const answer = await session.read(repository, ["ls-tree", "-z", "--full-tree", tree]);
	const files = new Map<string, string>();
	for (const record of answer.stdout.toString("utf8").split("\0")) {
		const match = /^100(?:644|755) blob ([0-9a-f]+)\t(.*)$/s.exec(record);
		if (match?.[1] !== undefined && match[2] !== undefined) files.set(match[2], match[1]);
	}
	return files;
}

/** A command that the BASE tree suggests; the candidate has no say in what runs. Undefined when nothing is recognised. */
export async function proposeVerification(place: Workplace, baseTree: string): Promise<string | undefined> {
	const files = await rootFiles(place.session, place.repository, baseTree);
	const known = PROPOSALS.filter(({ file }) => files.has(file));
	const blobs = await readBlobs(
		place.session,
		place.repository,
		known.map(({ file }) => ({
			id: files.get(file) ?? "",
			take: (size: number) => (size <= MAX_MANIFEST_BYTES ? ("all" as const) : ("none" as const)),
		})),
		0,
	);
	for (const [index, proposal] of known.entries()) {
		const command = proposal.command(Buffer.from(blobs[index]?.bytes ?? []).toString("utf8"));
		if (command !== undefined) return command;
	}
	return undefined;
}
