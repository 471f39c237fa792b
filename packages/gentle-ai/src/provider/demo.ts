// The demonstration: the whole story on a throw-away repository, by the same code path as every review.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellCommand } from "../contract/tokens.ts";
import type { ReviewRun } from "../contract/wire/run.ts";
import { createScratch } from "../git/index.ts";
import { type Caller, processCaller, withRepository } from "./caller.ts";
import { reviewerNamed } from "./reviewers.ts";
import { type RunEvent, runReview } from "./run/index.ts";
import { validate } from "./validate.ts";

export type DemoStep =
	| { readonly type: "scene"; readonly text: string }
	| { readonly type: "run"; readonly run: ReviewRun }
	| { readonly type: "gate"; readonly allowed: boolean; readonly text: string };

const FILE = "src/store.mjs";

const BASE = `export const bucket = "invoices";

export function keyFor(id) {
	return \`\${bucket}/\${id}\`;
}
`;

/** Invented, and put together at run time so that no scanner takes this file for a leak. */
const KEY_ID = ["AKIA", "Q3EGRZ7WYLK4", "TUVB"].join("");

const LEAKED = BASE.replace("\n\n", `\nconst accessKeyId = "${KEY_ID}";\n\n`).replace(
	"${bucket}/",
	"${accessKeyId}/${bucket}/",
);
const FIXED = BASE.replace("\n\n", "\nconst accessKeyId = process.env.ACCESS_KEY_ID;\n\n").replace(
	"${bucket}/",
	"${accessKeyId}/${bucket}/",
);

async function gate(caller: Caller, root: string): Promise<Extract<DemoStep, { type: "gate" }>> {
	const { outcome } = await withRepository(caller, root, (place) =>
		validate(place, { gate: "pre-commit", lineage: undefined }),
	);
	return { type: "gate", allowed: outcome.allowed, text: outcome.reason };
}

/** Plays the story; true when it went as told. Everything that it makes is gone when it ends. */
export async function playDemo(
	onStep: (step: DemoStep) => void,
	onEvent: (event: RunEvent) => void,
	signal: AbortSignal,
): Promise<boolean> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "gentle-ai-demo-")));
	const home = join(folder, "home");
	const root = join(folder, "repository");
	mkdirSync(home);
	mkdirSync(root);
	// A home of its own: the person's switch and settings neither change the story nor are changed by it.
	const caller: Caller = { ...processCaller(), home };
	const review = () =>
		runReview(caller, {
			cwd: root,
			selector: { kind: "current-changes", projection: "workspace" },
			focus: "reliability",
			reviewer: reviewerNamed("static"),
			verify: { command: shellCommand([process.execPath, "--check", FILE]) },
			locale: "en",
			consent: async () => "granted",
			confirmCommand: async () => true,
			onEvent,
			signal,
			invocation: ["gentle-ai", "review"],
		});
	try {
		const repository = createScratch(root, caller.environment, { [FILE]: BASE });
		const run = async () => {
			const done = await review();
			onStep({ type: "run", run: { ...done, next: null } });
			return done.state;
		};
		const ask = async () => {
			const answer = await gate(caller, root);
			onStep(answer);
			return answer.allowed;
		};
		onStep({ type: "scene", text: `1. An agent adds a credential to ${FILE}.` });
		repository.write({ [FILE]: LEAKED });
		const blocked = (await run()) === "correction_required";
		onStep({ type: "scene", text: "2. The credential is taken out; the change reads it from the environment." });
		repository.write({ [FILE]: FIXED });
		const approved = (await run()) === "approved";
		onStep({ type: "scene", text: "3. The change is staged. May it be committed?" });
		repository.stage();
		const allowed = await ask();
		onStep({ type: "scene", text: "4. One more line is staged after the review. May that be committed?" });
		repository.write({ [FILE]: `${FIXED}// one more line\n` });
		repository.stage();
		const denied = !(await ask());
		return blocked && approved && allowed && denied;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
