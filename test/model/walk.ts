// A driver that knows nothing but what STATUS prints. It walks from any state of a repository to an end of its review,
// and holds every step to the laws.
import { rmSync } from "node:fs";
import { expect } from "vitest";
import { REASON_CODES } from "../../packages/gentle-ai/src/contract/reason-codes.ts";
import type { Consent, Status } from "../kit/documents.ts";
import { executionOf, transitionOf, V1, V2 } from "../kit/drive.ts";
import type { RunResult } from "../kit/program.ts";
import { worldOf } from "../kit/tree.ts";
import { type Answered, type Asking, accepted, answer, end, PLAIN, type Scene } from "./answers.ts";
import { Dice } from "./dice.ts";
import { happen } from "./events.ts";
import { expectExactGate } from "./gates.ts";
import type { Flavour, Program } from "./programs.ts";
import { follow } from "./stops.ts";
import { rewrite, type World, worldFrom } from "./worlds.ts";

export type Ending = "approved" | "escalated" | "ended" | "declined";
export type Walked = { readonly ending: Ending; readonly reasons: ReadonlySet<string>; readonly steps: number };

/** More steps than dice can prolong a walk by. */
const LONGEST = 80;
const CLOSED = new Set(["native_stop_required", "unchanged_or_unverified_authority"]);

export type WalkOptions = {
	readonly flavour: Flavour;
	/** Looks at each state in another way as well. */
	readonly also?: (world: World, words: readonly string[], printed: string) => Promise<void>;
};

/** Every byte, mode and time; of Git's own objects without times, which Git renews when it meets an object again. */
function settled({ repo }: World): Record<string, Record<string, string>> {
	const { repository = {}, ...rest } = worldOf(repo);
	const timeless = Object.entries(repository).map(([name, text]) => [
		name,
		name.startsWith("./.git/objects/") ? text.replace(/^(file \d+) \d+/, "$1") : text,
	]);
	return { repository: Object.fromEntries(timeless), ...rest };
}

class Walk {
	readonly reasons = new Set<string>();
	readonly log: string[] = [];
	private readonly world: World;
	private readonly program: Program;
	private readonly contract: string;
	private readonly also: WalkOptions["also"];
	private asking: Asking = PLAIN;
	/** The reviews that were opened for a range. */
	private readonly ranged = new Set<string>();

	constructor(world: World, { flavour, also }: WalkOptions) {
		const { dice } = world;
		this.world = world;
		this.program = flavour(this.world.repo);
		this.contract = dice.pick([V2, V2, V1]);
		this.also = also;
	}

	/** STATUS, twice: the same bytes, and not a byte of anything else has changed. */
	private async ask(): Promise<{ document: Status; printed: string }> {
		const { selector, lineage, more } = this.asking;
		const bound = lineage === undefined ? [] : ["--lineage", lineage];
		const words = [
			"review",
			"status",
			"--contract",
			this.contract,
			"--next-transition",
			...selector,
			...bound,
			...more,
		];
		const before = settled(this.world);
		const [first, second] = await this.program.twice(words);
		accepted("STATUS", first);
		expect(second.stdout).toBe(first.stdout);
		expect(settled(this.world)).toEqual(before);
		await this.also?.(this.world, words, first.stdout);
		return { document: first.json<Status>(), printed: first.stdout };
	}

	/** An offered command, as printed; of a START also its question first. */
	private async execute(scene: Scene): Promise<Answered & { readonly declined?: true }> {
		const { operation, command } = executionOf(scene.document);
		const { asking } = scene;
		// What it opens has a name of its own; whoever was bound to another review is so no more.
		const opens = operation === "review.start" || operation === "review.recover";
		const after = opens ? { ...PLAIN, selector: asking.selector } : { ...asking, more: [] };
		const { dice } = this.world;
		if (operation !== "review.start" || dice.roll(4) !== 1) {
			this.opened(scene.document, accepted(command, await this.program.printed(command)));
			return { told: `run ${operation}`, asking: after };
		}
		const relayed = accepted(command, await this.program.printed(`${command} --consent=relay`));
		this.opened(scene.document, relayed);
		const asked = relayed.json<Partial<Consent>>();
		const wanted = dice.pick(["granted", "declined"]);
		const choice = asked.choices?.find((each) => each.answer === wanted);
		if (choice === undefined) return { told: "run review.start without a question", asking: after };
		this.opened(scene.document, accepted(choice.invocation, await this.program.printed(choice.invocation)));
		return { told: choice.answer, asking: after, ...(choice.answer === "declined" && { declined: true }) };
	}

	private opened({ projection }: Status, { stdout }: RunResult): void {
		const { lineage_id } = JSON.parse(stdout) as { lineage_id?: string };
		if (lineage_id !== undefined && projection.kind !== "current-changes") this.ranged.add(lineage_id);
	}

	/** An approved review ends its walk, or is retired, or the work goes on. */
	private async approved(scene: Scene): Promise<Answered | undefined> {
		const ranged = this.ranged.has(scene.document.authority?.lineage_id ?? "");
		this.log.push(await expectExactGate(this.world.repo, this.program, scene.document, ranged));
		switch (this.world.dice.roll(4)) {
			case 1:
				return end(scene);
			case 2:
			case 3:
				return { told: rewrite(this.world, scene.asking.selector), asking: scene.asking };
			default:
				return undefined;
		}
	}

	async run(): Promise<Walked> {
		let last = "";
		let closed: string | undefined;
		for (let steps = 1; steps <= LONGEST; steps += 1) {
			if (this.world.dice.left > 0 && this.world.dice.roll(4) === 1) {
				const { told, asking } = await happen(this.world, this.program, this.asking);
				this.log.push(`-- ${told}`);
				this.asking = asking;
				[last, closed] = ["", undefined];
			}
			const { document, printed } = await this.ask();
			const transition = transitionOf(document);
			const { reason_code } = transition;
			this.log.push(reason_code);
			this.reasons.add(reason_code);
			expect(REASON_CODES).toHaveProperty(reason_code);
			expect(REASON_CODES[reason_code as keyof typeof REASON_CODES].kind).toBe(transition.kind);
			expect(printed, "an offer is not repeated without progress").not.toBe(last);
			// The documented way on from a closed review has led somewhere else; of an ended successor, to its predecessor.
			const review = `${reason_code} ${document.authority?.lineage_id}`;
			if (closed !== undefined) {
				expect(review).not.toBe(closed);
				return { ending: "escalated", reasons: this.reasons, steps };
			}
			const scene = { world: this.world, program: this.program, document, asking: this.asking };
			const done = await this.step(scene);
			if (done === undefined) return { ending: "approved", reasons: this.reasons, steps };
			this.log.push(`   ${done.told}`);
			this.asking = done.asking;
			if (done.declined) return { ending: "declined", reasons: this.reasons, steps };
			if (done.ended && this.world.dice.roll(2) === 0) return { ending: "ended", reasons: this.reasons, steps };
			closed = CLOSED.has(reason_code) && this.world.dice.roll(2) === 0 ? review : undefined;
			last = printed;
		}
		throw new Error(`no end within ${LONGEST} steps`);
	}

	private step(scene: Scene): Promise<(Answered & { readonly declined?: true }) | undefined> {
		const { kind, execute } = transitionOf(scene.document);
		switch (kind) {
			case "collect":
				return answer(scene);
			case "stop":
				return follow(scene);
			case "execute":
				return execute?.operation === "review.validate" ? this.approved(scene) : this.execute(scene);
		}
	}

	forget(): void {
		rmSync(this.world.repo.folder, { recursive: true, force: true });
	}
}

/** One walk. What breaks a law tells the whole way that led to it. */
export async function walk(faces: readonly number[], options: WalkOptions): Promise<Walked> {
	const walk = new Walk(await worldFrom(new Dice(faces)), options);
	try {
		return await walk.run();
	} catch (error) {
		if (error instanceof Error) error.message = `${walk.log.join("\n")}\n${error.message}`;
		throw error;
	} finally {
		walk.forget();
	}
}
