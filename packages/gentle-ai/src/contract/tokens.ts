// The argv words of the contract: one word an argument, and one line that a POSIX shell splits back into those words.

const BARE = /^[A-Za-z0-9\-_=./:,+@]+$/;

/** `word` as a POSIX shell reads it back: bare where possible, otherwise in single quotes. */
export function shellWord(word: string): string {
	return BARE.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

export function shellCommand(words: readonly string[]): string {
	return words.map(shellWord).join(" ");
}

export type TransitionArgument = { readonly name: string; readonly value: string; readonly token?: string };

/** An argument that a command of ours takes: always the single-word `--name=value`, also for booleans. */
export function tokenArgument(name: string, value: string): Required<TransitionArgument> {
	return { name, value, token: `--${name.replaceAll("_", "-")}=${value}` };
}

/** An assertion or a value for somebody else: never part of an argv of ours. */
export function plainArgument(name: string, value: string): TransitionArgument {
	return { name, value };
}

export function reviewCommand(verb: string, args: readonly Required<TransitionArgument>[]): string {
	return shellCommand(["gentle-ai", "review", verb, ...args.map((argument) => argument.token)]);
}
