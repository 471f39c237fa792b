// Blobs by id, in one child whatever their number. Sizes come first, so that nothing is read beyond what is asked for.
import { ReviewError } from "../contract/errors.ts";
import type { Repository } from "./repository.ts";
import type { GitSession } from "./session.ts";

export type BlobWish = {
	readonly id: string;
	/** How much of a blob of this size is wanted: all of it, its first bytes, or nothing. */
	readonly take: (size: number) => "all" | "head" | "none";
};

export type BlobAnswer = { readonly id: string; readonly size: number; readonly bytes: Uint8Array | undefined };

const LF = 0x0a;

function missing(): ReviewError {
	return new ReviewError("git_command_failed", {
		message: "an object of the frozen trees is missing from the repository",
		next: "In a partial clone, fetch the missing objects first (`git fetch --refetch`), then run the command again",
	});
}

type Pending = { readonly id: string; readonly keep: number };

/** Reads the replies of `cat-file --batch-command`: `<id> blob <size>` and, for contents, that many bytes and a LF. */
class BatchReader {
	private buffer: Buffer[] = [];
	private wanted: { left: number; kept: Buffer[]; keep: number } | undefined;
	private readonly onSize: (id: string, size: number) => void;
	private readonly onBytes: (bytes: Buffer) => void;
	mode: "info" | "contents" = "info";
	pending: Pending[] = [];

	constructor(onSize: (id: string, size: number) => void, onBytes: (bytes: Buffer) => void) {
		this.onSize = onSize;
		this.onBytes = onBytes;
	}

	push(chunk: Buffer): void {
		let rest = chunk;
		while (rest.length > 0) rest = this.wanted === undefined ? this.header(rest) : this.body(rest, this.wanted);
	}

	private header(chunk: Buffer): Buffer {
		const end = chunk.indexOf(LF);
		if (end === -1) {
			this.buffer.push(chunk);
			return Buffer.alloc(0);
		}
		const line = Buffer.concat([...this.buffer, chunk.subarray(0, end)]).toString("latin1");
		this.buffer = [];
		const match = /^([0-9a-f]+) blob ([0-9]+)$/.exec(line);
		if (match === null) throw missing();
		const [, id = "", size = "0"] = match;
		if (this.mode === "info") this.onSize(id, Number(size));
		else {
			const next = this.pending.shift();
			// One more byte: the LF that ends the contents.
			this.wanted = { left: Number(size) + 1, kept: [], keep: Math.min(next?.keep ?? 0, Number(size)) };
		}
		return chunk.subarray(end + 1);
	}

	private body(chunk: Buffer, wanted: NonNullable<BatchReader["wanted"]>): Buffer {
		const taken = chunk.subarray(0, wanted.left);
		wanted.left -= taken.length;
		if (wanted.keep > 0) {
			const part = taken.subarray(0, wanted.keep);
			wanted.kept.push(Buffer.from(part));
			wanted.keep -= part.length;
		}
		if (wanted.left === 0) {
			this.onBytes(Buffer.concat(wanted.kept));
			this.wanted = undefined;
		}
		return chunk.subarray(taken.length);
	}
}

/** Answers in the order of the wishes. `headBytes` is the length of a head. */
export async function readBlobs(
	session: GitSession,
	repository: Repository,
	wishes: readonly BlobWish[],
	headBytes: number,
	objects?: string,
): Promise<BlobAnswer[]> {
	if (wishes.length === 0) return [];
	const sizes: number[] = [];
	const takes: ("all" | "head" | "none")[] = [];
	const contents: Buffer[] = [];
	let send: (chunk: string) => void = () => {};
	let end: () => void = () => {};

	const askContents = () => {
		reader.mode = "contents";
		wishes.forEach((wish, index) => {
			const take = wish.take(sizes[index] ?? 0);
			takes.push(take);
			if (take !== "none") {
				reader.pending.push({ id: wish.id, keep: take === "all" ? Number.MAX_SAFE_INTEGER : headBytes });
			}
		});
		send(reader.pending.map(({ id }) => `contents ${id}\n`).join(""));
		end();
	};
	const reader = new BatchReader(
		(_id, size) => {
			sizes.push(size);
			if (sizes.length === wishes.length) askContents();
		},
		(bytes) => contents.push(bytes),
	);

	await session.read(repository, ["cat-file", "--batch-command", "--buffer"], {
		stdin: (write, close) => {
			send = write;
			end = close;
			write(`${wishes.map(({ id }) => `info ${id}\n`).join("")}flush\n`);
		},
		onStdout: (chunk) => reader.push(chunk),
		maxStdoutBytes: Number.MAX_SAFE_INTEGER,
		...(objects !== undefined && { objects }),
	});
	if (sizes.length !== wishes.length) throw missing();
	let next = 0;
	return wishes.map(({ id }, index) => ({
		id,
		size: sizes[index] ?? 0,
		bytes: takes[index] === "none" ? undefined : contents[next++],
	}));
}
