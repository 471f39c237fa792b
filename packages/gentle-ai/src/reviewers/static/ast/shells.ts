// Programs that run the text they are given, and where on their command line that text is.
const POSIX = /^(?:.*\/)?(?:ba|da|k|z|a|fi|tc|c)?sh$/;
const WINDOWS_CMD = /^(?:.*[\\/])?cmd(?:\.exe)?$/i;
const POWERSHELL = /^(?:.*[\\/])?(?:powershell|pwsh)(?:\.exe)?$/i;
const INTERPRETER = /^(?:.*\/)?(?:python[0-9.]*|node|perl|ruby|php|osascript)$/;
/** Programs that start the program that follows them. */
const WRAPPERS =
	/^(?:.*\/)?(?:env|sudo|doas|nohup|nice|timeout|time|exec|command|busybox|xargs|setsid|stdbuf|docker|podman|kubectl|su|runuser|chroot|flock|watch)$/;

export type Word<Node> = { readonly text: string | undefined; readonly node: Node };

type Shape = { readonly flag: RegExp; readonly rest: boolean; readonly program: boolean };

function shapeOf(word: string): Shape | undefined {
	if (POSIX.test(word)) return { flag: /^-[a-zA-Z]*c$/, rest: false, program: false };
	if (WINDOWS_CMD.test(word)) return { flag: /^\/[ckCK]$/, rest: true, program: false };
	if (POWERSHELL.test(word)) return { flag: /^-(?:c|command|e|ec|encodedcommand)$/i, rest: true, program: false };
	if (INTERPRETER.test(word)) return { flag: /^-(?:[a-zA-Z]*[ce]|-eval|-print|p|r)$/, rest: false, program: true };
	return undefined;
}

export function isShell(word: string): boolean {
	return POSIX.test(word);
}

export type CommandText<Node> = {
	/** What the interpreter runs. */
	readonly texts: readonly Node[];
	/** The interpreter is one of a programming language, not a shell. */
	readonly program: boolean;
};

/** `sh -c <text>` and its kin, at the head of the words or behind a wrapper such as `sudo`. */
export function commandText<Node>(words: readonly Word<Node>[]): CommandText<Node> | undefined {
	const head = words[0]?.text ?? "";
	const reach = WRAPPERS.test(head) ? words.length : 1;
	for (let at = 0; at < reach; at += 1) {
		const word = words[at]?.text;
		const shape = word === undefined ? undefined : shapeOf(word);
		if (shape === undefined) continue;
		const flag = words.findIndex(({ text }, index) => index > at && text !== undefined && shape.flag.test(text));
		if (flag === -1) continue;
		const texts = words.slice(flag + 1, shape.rest ? undefined : flag + 2).map(({ node }) => node);
		return { texts, program: shape.program };
	}
	return undefined;
}
