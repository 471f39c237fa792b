// Field reports FR-06, FR-42, FR-43 and FR-49: what is offered can be done, a no is a no, and off is off.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Consent, GateResult, Start } from "../kit/documents.ts";
import { expectSuccess, failureOf, gate, startWords, status, statusWords, transitionOf } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { queryStore } from "../kit/store.ts";
import { contentsOf, worldOf } from "../kit/tree.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

async function relayed(repo: TestRepo): Promise<Consent> {
	const { target_identity } = await status(repo);
	const asked = await repo.run(startWords(target_identity, "--consent", "relay"));
	expectSuccess(asked);
	return asked.json<Consent>();
}

function invocation(consent: Consent, answer: "granted" | "declined"): string {
	const fitting = consent.choices.filter((choice) => choice.answer === answer);
	expect(fitting).toHaveLength(1);
	return fitting[0]?.invocation ?? "";
}

describe("every choice works (FR-42)", () => {
	it("granted is one review, however often it runs, and needs nothing that was not printed", async () => {
		const repo = medium();
		const before = worldOf(repo);
		const consent = await relayed(repo);
		expect(worldOf(repo)).toEqual(before);
		expect(consent.choices.map(({ answer }) => answer)).toEqual(["granted", "declined"]);
		const granted = invocation(consent, "granted");
		const first = (await repo.runPrinted(granted)).json<Start>();
		const second = (await repo.runPrinted(granted)).json<Start>();
		expect([first.action, second.action]).toEqual(["created", "resumed"]);
		expect(second.lineage_id).toBe(first.lineage_id);
		expect(queryStore(repo, "SELECT lineage_id FROM lineages")).toHaveLength(1);
	});
});

describe("no means no (FR-43)", () => {
	it("twice is the same answer and no review; the commit gate leaves exactly these bytes to others", async () => {
		const repo = medium();
		const declined = invocation(await relayed(repo), "declined");
		const first = await repo.runPrinted(declined);
		expectSuccess(first);
		const kept = contentsOf(repo);
		expect((await repo.runPrinted(declined)).stdout).toBe(first.stdout);
		expect(contentsOf(repo)).toEqual(kept);
		expect(queryStore(repo, "SELECT lineage_id FROM lineages")).toEqual([]);
		repo.stage();
		const free = await repo.run(["review", "validate", "--gate", "pre-commit"]);
		expect(free.json<GateResult & { delivery: string }>().delivery).toBe("candidate_declined/unmanaged");
		expect(free.code).toBe(0);
		expect((await gate(repo, "post-apply")).code).toBe(1);

		repo.write("app.ts", "export const n = 3;\n");
		repo.stage();
		expect((await gate(repo)).code).toBe(1);
		expect((await relayed(repo)).choices).toHaveLength(2);
	});
});

describe("nothing is created that cannot be reviewed (FR-06)", () => {
	it("a base tree that is gone is refused by STATUS and START alike, and nothing is written", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const tree = repo.git("rev-parse", "HEAD^{tree}").trim();
		rmSync(join(repo.root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
		const before = contentsOf(repo);
		const told = await repo.run(statusWords());
		expect(failureOf(told).mutation_outcome).toBe("not_started");
		const refused = await repo.run(startWords(target_identity, "--consent", "relay"));
		expect(failureOf(refused).mutation_outcome).toBe("not_started");
		expect(contentsOf(repo)).toEqual(before);
	});

	it("an agent that nobody knows is refused before any question", async () => {
		const repo = medium();
		const { target_identity } = await status(repo);
		const before = contentsOf(repo);
		const refused = await repo.run(startWords(target_identity, "--agent", "nobody", "--consent", "relay"));
		expect(failureOf(refused)).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		expect(contentsOf(repo)).toEqual(before);
	});
});

describe("switched off (FR-49)", () => {
	it.each([
		["everywhere", [["disable"]]],
		["in this clone", [["disable", "--scope", "clone"]]],
		["everywhere, with the clone enabled", [["disable"], ["enable", "--scope", "clone"]]],
	] as const)("%s: STATUS stops, nothing is offered, START is refused", async (_, turns) => {
		const repo = medium();
		const { target_identity } = await status(repo);
		for (const turn of turns) await repo.run(["review", "mode", ...turn]);
		expect(transitionOf(await status(repo))).toMatchObject({ kind: "stop", reason_code: "rdd_disabled" });
		expect(failureOf(await repo.run(startWords(target_identity))).code).toBe("rdd_disabled");
	});
});
