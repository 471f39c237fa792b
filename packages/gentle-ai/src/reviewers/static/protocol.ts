// What the authority and an analyser's own process say to each other: one JSON request on stdin, one answer on stdout.
// Types only: an analyser's process should start fast.

export const ENGINES = ["secrets", "oxlint", "ast", "text"] as const;
export type EngineName = (typeof ENGINES)[number];

/** One side of one changed file. `id` is ours: the path is text of the candidate and never becomes a file name. */
export type EngineFile = {
	readonly id: number;
	readonly path: string;
	/** A language of `policy.ts`, or empty. */
	readonly language: string;
	readonly test: boolean;
	readonly text: string;
};

export type EngineRequest = {
	readonly files: readonly EngineFile[];
	/** Languages whose grammars must load even if no file needs them: how a missing package is found early. */
	readonly languages: readonly string[];
};

/** One raw hit. It carries places only, never text, so that no secret can travel in it. */
export type Hit = {
	/** The `id` of the file. */
	readonly file: number;
	/** `<family>.<name>` */
	readonly rule: string;
	/** Where the finding may be located, the best place first (1-based). */
	readonly lines: readonly number[];
	/** The first and the last line whose text identifies the finding on both sides. */
	readonly key: readonly [number, number];
	/** False when the engine sees the shape but cannot be sure; such a finding is never severe. */
	readonly certain: boolean;
};

export type EngineAnswer =
	| {
			readonly ok: true;
			/** Name and version of what looked, for people. */
			readonly version: string;
			readonly rules: number;
			readonly hits: readonly Hit[];
	  }
	/** A package that cannot be loaded. */
	| { readonly ok: false; readonly missing: string };
