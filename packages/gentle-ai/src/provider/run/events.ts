// What a human run tells while it goes, and what it needs from whoever starts it.
import type { RiskReason } from "../../contract/state.ts";
import type { Lens, Locale, ShortLens, Tier } from "../../contract/vocabulary.ts";
import type { Reviewer } from "../../reviewers/reviewer.ts";
import type { Selector } from "../target.ts";

export type RunEvent =
	| { readonly type: "candidate"; readonly files: number; readonly lines: number; readonly nested: readonly string[] }
	| {
			readonly type: "risk";
			readonly tier: Tier;
			readonly reasons: readonly RiskReason[];
			readonly lenses: readonly Lens[];
	  }
	| { readonly type: "lineage"; readonly id: string; readonly resumed: boolean }
	| { readonly type: "lens"; readonly lens: Lens; readonly text: string }
	| { readonly type: "lens-done"; readonly lens: Lens; readonly findings: number }
	/** A correction is judged: how many lines it changes, of how many, for how many findings. */
	| { readonly type: "correction"; readonly lines: number; readonly budget: number; readonly findings: number }
	| { readonly type: "verification"; readonly command: string }
	| { readonly type: "verified"; readonly passed: boolean; readonly ended: string; readonly tail: readonly string[] };

export type ConsentRequest = {
	readonly tier: Exclude<Tier, "low">;
	readonly phrases: readonly string[];
	readonly lenses: readonly Lens[];
};

export type RunOptions = {
	readonly cwd: string;
	readonly selector: Selector;
	readonly focus: ShortLens;
	readonly reviewer: Reviewer;
	/** A command of the person's, `auto` for one that the base tree suggests, or none. */
	readonly verify: { readonly command: string } | "auto" | undefined;
	readonly locale: Locale;
	/** Asks the person; `unavailable` when there is nobody to ask. */
	readonly consent: (request: ConsentRequest) => Promise<"granted" | "declined" | "unavailable">;
	/** Asks whether a suggested command may run. */
	readonly confirmCommand: (command: string) => Promise<boolean>;
	readonly onEvent: (event: RunEvent) => void;
	readonly signal: AbortSignal;
	/** The words that repeat this run, without `--verify`, for the last line. */
	readonly invocation: readonly string[];
};
