// The documented way on from every stop, followed to the letter, and where it has to lead.
import { expect } from "vitest";
import { transitionOf } from "../kit/drive.ts";
import { type Answered, accepted, end, PLAIN, type Scene } from "./answers.ts";
import { bring, rewrite } from "./worlds.ts";

/** The frozen candidate again, with one more line in one of its files; undefined where it has no text file left. */
function correct({ world, document, asking }: Scene): string | undefined {
	const { repo } = world;
	const { initial_review_tree: tree, paths } = document.projection;
	const frozen = new Map(
		repo
			.gitWith({}, "ls-tree", "-r", "-z", tree)
			.toString("utf8")
			.split("\0")
			.flatMap((row) => {
				const [, id = "", path = ""] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(row) ?? [];
				return path === "" ? [] : [[path, id] as const];
			}),
	);
	const target = paths.find((path) => frozen.has(path) && !path.endsWith(".bin"));
	if (target === undefined) return undefined;
	for (const path of paths) {
		const id = frozen.get(path);
		if (id === undefined) repo.remove(path);
		else repo.write(path, repo.gitWith({}, "cat-file", "blob", id));
	}
	const line = `// corrected ${world.next()}\n`;
	repo.write(target, `${repo.gitWith({}, "cat-file", "blob", frozen.get(target) ?? "")}${line}`);
	bring(world, asking.selector);
	return `correct ${target}`;
}

async function correctOrEnd(scene: Scene): Promise<Answered> {
	const told = scene.world.dice.roll(5) === 1 ? undefined : correct(scene);
	return told === undefined ? end(scene) : { told, asking: scene.asking };
}

/** Change the candidate and start again, or retire the review. */
async function changeOrEnd(scene: Scene): Promise<Answered> {
	if (scene.world.dice.roll(2) === 0) return end(scene);
	const told = rewrite(scene.world, scene.asking.selector);
	return { told, asking: { ...PLAIN, selector: scene.asking.selector } };
}

/** A command that an answer names in backticks. */
function named(text: string): string | undefined {
	return /`(gentle-ai [^`]+)`/.exec(text)?.[1];
}

async function enable({ program, asking }: Scene): Promise<Answered> {
	const first = accepted("mode enable", await program.run(["review", "mode", "enable"]));
	const other = named(first.stdout);
	if (other !== undefined) accepted(other, await program.printed(other));
	return { told: "mode enable", asking };
}

type Listing = {
	readonly entries: readonly { readonly lineage_id: string; readonly status: string }[];
	readonly diagnostics: readonly { readonly problem: string }[];
};

/** What cannot be verified: the damaged records that the listing names, or the store, or a review beside a foreign receipt. */
async function retire({ program, world, asking }: Scene): Promise<Answered> {
	const listed = accepted("listing", await program.run(["review", "status"])).json<Listing>();
	const after = { ...PLAIN, selector: asking.selector };
	if (listed.diagnostics.length > 0) {
		accepted("end --store", await program.run(["review", "end", "--store", "--reason", "unreadable"]));
		return { told: "end --store", asking: after, ended: "ended" };
	}
	const damaged = listed.entries.filter(({ status }) => status === "damaged");
	const chosen = damaged.length > 0 ? damaged : listed.entries.filter((each) => each.lineage_id === world.spoiled);
	for (const { lineage_id } of chosen) {
		const words = ["review", "end", "--lineage", lineage_id, "--damaged", "--reason", "it's damaged"];
		const result = await program.run(words);
		// A record that can be read is ended by its revision, with the command that the refusal prints.
		const other = result.code === 0 ? undefined : named(result.stderr);
		if (other === undefined) accepted(`end --damaged ${lineage_id}`, result);
		else accepted(other, await program.printed(other));
	}
	const told = `end --damaged ${chosen.map(({ lineage_id }) => lineage_id).join(" ")}`;
	return { told, asking: after, ended: "ended" };
}

export async function follow(scene: Scene): Promise<Answered> {
	const { reason_code } = transitionOf(scene.document);
	switch (reason_code) {
		case "correction_repository_verification_failed":
		case "corrected_candidate_unavailable":
			return correctOrEnd(scene);
		case "native_stop_required":
		case "unchanged_or_unverified_authority":
			return changeOrEnd(scene);
		case "captured_artifacts_unverifiable":
		case "captured_verification_evidence_invalid":
		case "manual_intervention_required":
			return end(scene);
		case "corrupted_or_unverifiable_authority":
			return retire(scene);
		case "rdd_disabled":
			return enable(scene);
		case "staged_workspace_overlay_recovery_unavailable":
			return { told: "drop the overlay", asking: { ...PLAIN, selector: ["--projection", "staged"] } };
		default:
			expect.unreachable(`nobody knows how to go on from ${reason_code}`);
	}
}
