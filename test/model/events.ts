// What happens around a review between two steps: people, other processes, restarts, damage.
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { alterStore, damageRecord, storePath } from "../kit/store.ts";
import { type Asking, accepted, baseSelector, PLAIN } from "./answers.ts";
import type { Program } from "./programs.ts";
import { disturb, type World } from "./worlds.ts";

type Happened = { readonly told: string; readonly asking: Asking };
type Listed = { readonly lineage_id: string; readonly revision?: string };

async function reviews(program: Program): Promise<readonly Listed[]> {
	const listing = accepted("listing", await program.run(["review", "status"]));
	return listing.json<{ entries: readonly Listed[] }>().entries;
}

function choose(world: World, listed: readonly Listed[]): Listed | undefined {
	return listed[world.dice.roll(Math.max(1, listed.length))];
}

async function endSome(world: World, program: Program): Promise<string> {
	const one = choose(world, await reviews(program));
	if (one?.revision === undefined) return "end nothing";
	const words = ["--lineage", one.lineage_id, "--expected-revision", one.revision, "--reason", "somebody's wish"];
	accepted("end", await program.run(["review", "end", ...words]));
	return `somebody ends ${one.lineage_id}`;
}

async function turn({ dice }: World, program: Program): Promise<string> {
	const words = [dice.pick(["disable", "disable", "enable"]), "--scope", dice.pick(["clone", "global"])];
	accepted("mode", await program.run(["review", "mode", ...words]));
	return `mode ${words.join(" ")}`;
}

function select({ repo, dice }: World): readonly string[] {
	switch (dice.roll(5)) {
		case 1:
			return ["--projection", "staged"];
		case 2:
		case 3:
			return baseSelector(repo, dice) ?? [];
		case 4: {
			const base = baseSelector(repo, dice);
			return base?.includes("--workspace-overlay") ? [...base, "--projection", "staged"] : [];
		}
		default:
			return [];
	}
}

async function damage(world: World, program: Program): Promise<string> {
	const { repo, dice } = world;
	const one = existsSync(storePath(repo)) ? choose(world, await reviews(program)) : undefined;
	if (one === undefined) return "nothing to damage";
	const { lineage_id } = one;
	const receipt = repo.path(".git/gentle-ai/receipts", `${lineage_id}.json`);
	switch (dice.roll(6)) {
		case 1:
			alterStore(repo, `UPDATE results SET envelope = '{}' WHERE lineage_id = '${lineage_id}'`);
			return `spoil the results of ${lineage_id}`;
		case 2:
			alterStore(repo, `UPDATE evidence SET payload = x'00' WHERE lineage_id = '${lineage_id}'`);
			return `spoil the evidence of ${lineage_id}`;
		case 3:
			damageRecord(repo, lineage_id);
			return `damage the record of ${lineage_id}`;
		case 4:
			if (!existsSync(receipt)) return "no receipt to replace";
			world.spoiled = lineage_id;
			writeFileSync(receipt, "{}\n");
			return `replace the receipt of ${lineage_id}`;
		case 5:
			for (const name of readdirSync(repo.path(".git/gentle-ai"))) {
				if (name.startsWith("authority.sqlite3-")) rmSync(repo.path(".git/gentle-ai", name));
			}
			writeFileSync(storePath(repo), "this is no database\n".repeat(64));
			return "overwrite the store";
		default:
			rmSync(receipt, { force: true });
			return `remove the receipt of ${lineage_id}`;
	}
}

/** One thing that happens. What somebody selected is asked from then on; a restart forgets it. */
export async function happen(world: World, program: Program, asking: Asking): Promise<Happened> {
	switch (world.dice.roll(12)) {
		case 1:
			return { told: await turn(world, program), asking };
		case 2:
			return { told: await endSome(world, program), asking: { ...PLAIN, selector: asking.selector } };
		case 3:
			return { told: "restart", asking: PLAIN };
		case 4:
		case 5: {
			const selector = select(world);
			return { told: `select ${selector.join(" ")}`, asking: { ...PLAIN, selector } };
		}
		case 6:
		case 7:
			return { told: await damage(world, program), asking };
		default:
			return { told: disturb(world), asking: { ...PLAIN, selector: asking.selector } };
	}
}
