// One changed path as the risk rules see it: facts from Git, nothing derived from names yet.

export type ChangedFile = {
	readonly path: string;
	readonly status: "A" | "D" | "M" | "T";
	readonly old_mode: string;
	readonly new_mode: string;
	readonly mode_only: boolean;
	readonly additions: number;
	readonly deletions: number;
	/** The blobs on both sides, or why they were not read. Links and gitlinks are `opaque`. */
	readonly base: Content;
	readonly candidate: Content;
};

export type Content =
	| { readonly kind: "absent" }
	/** Not read because the rules do not need it, or because it is no blob of text (link, gitlink). */
	| { readonly kind: "opaque"; readonly size: number; readonly has_nul: boolean }
	/** The scan budget ran out before this blob. */
	| { readonly kind: "over_limit"; readonly size: number }
	| { readonly kind: "text"; readonly bytes: Uint8Array };
