// Consent: asking writes nothing, yes is safe to repeat, no is kept for exactly these bytes.
import { describe, expect, it } from "vitest";
import type { Consent, Start } from "../kit/documents.ts";
import { expectSuccess, failureOf, gate, startPrinted, startWords, status, V2 } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { contentsOf, worldOf } from "../kit/tree.ts";

function medium(): TestRepo {
	const repo = new TestRepo();
	repo.write("app.ts", "export const n = 2;\n");
	return repo;
}

async function ask(repo: TestRepo, ...flags: string[]): Promise<Consent> {
	const { target_identity } = await status(repo);
	const asked = await repo.run(startWords(target_identity, "--consent", "relay", ...flags));
	expectSuccess(asked);
	return asked.json<Consent>();
}

async function answer(repo: TestRepo, consent: Consent, word: "granted" | "declined") {
	const choice = consent.choices.find((each) => each.answer === word);
	const result = await repo.runPrinted(choice?.invocation ?? "false");
	expectSuccess(result);
	return result;
}

describe("the question", () => {
	it("writes nothing while it is open, and is the same bytes each time", async () => {
		const repo = medium();
		const before = worldOf(repo);
		const first = await ask(repo);
		expect(await ask(repo)).toEqual(first);
		expect(worldOf(repo)).toEqual(before);
		expect(first).toMatchObject({ action: "consent_required", blocking: true, risk_level: "medium" });
	});

	it("repeats the selectors of the call in the contract's word order", async () => {
		const repo = medium();
		repo.commit("second");
		const { target_identity } = await status(repo, ["--base-ref", "HEAD~1"]);
		const words = ["--lineage", "my-review", "--base-ref", "HEAD~1", "--committed-only", "--focus", "risk"];
		const asked = await repo.run(startWords(target_identity, ...words, "--locale", "en", "--consent", "relay"));
		const [granted] = asked.json<Consent>().choices;
		expect(granted?.invocation).toBe(
			`gentle-ai review start --contract ${V2} --cwd . --target ${target_identity} --projection workspace ` +
				"--lineage my-review --base-ref 'HEAD~1' --committed-only --focus risk --locale en --consent granted",
		);
	});

	it("translates its sentences and nothing else", async () => {
		const repo = new TestRepo();
		repo.write("scripts/deploy.sh", "echo deploy\n");
		const english = await ask(repo);
		const spanish = await ask(repo, "--locale", "es");
		const facts = ({ headline, reason, value, risk_evidence, choices, off_path, ...rest }: Consent) => ({
			...rest,
			answers: choices.map((each) => [each.answer, each.invocation.replace(" --locale es", "")]),
			off: off_path.command,
		});
		expect(facts(spanish)).toEqual(facts(english));
		expect(english.reason).toBe(
			`this change gets a deeper review because it touches ${english.risk_evidence.join(" and ")}.`,
		);
		for (const field of ["headline", "reason", "value"] as const) expect(spanish[field]).not.toBe(english[field]);
		expect(spanish.risk_evidence[0]).toContain("scripts/deploy.sh");
		expect(spanish.off_path.note).not.toBe(english.off_path.note);
	});

	it("is not asked for a low-risk candidate, where declining is an error", async () => {
		const repo = new TestRepo();
		repo.write("guide.md", "# guide\n\nMore.\n");
		const { target_identity } = await status(repo);
		const declined = failureOf(await repo.run(startWords(target_identity, "--consent", "declined")));
		expect(declined).toMatchObject({ code: "invalid_request", mutation_outcome: "not_started" });
		const relayed = await repo.run(startWords(target_identity, "--consent", "relay"));
		expect(relayed.json<Start>()).toMatchObject({ action: "created", risk_level: "low" });
	});
});

describe("yes", () => {
	it("opens one review, and the same yes again hands back the same one", async () => {
		const repo = medium();
		const question = await ask(repo);
		const first = (await answer(repo, question, "granted")).json<Start>();
		const again = (await answer(repo, question, "granted")).json<Start>();
		expect(first.action).toBe("created");
		expect(again).toEqual({ ...first, action: "resumed" });
	});
});

describe("no", () => {
	async function declined(): Promise<{ repo: TestRepo; question: Consent }> {
		const repo = medium();
		const question = await ask(repo);
		await answer(repo, question, "declined");
		return { repo, question };
	}

	it("answers the typed result, twice the same, and keeps no review", async () => {
		const { repo, question } = await declined();
		const before = contentsOf(repo);
		const again = await answer(repo, question, "declined");
		expect(contentsOf(repo)).toEqual(before);
		expect(again.json()).toEqual({
			operation: "review/start",
			action: "declined",
			lenses_required: false,
			lineage_id: "",
			state: "",
			risk_level: "medium",
			selected_lenses: [],
			lens_bindings: [],
			projection: "workspace",
			target_identity: question.target_identity,
			changed_files: 1,
			changed_lines: 2,
			correction_budget: 0,
			risk_evidence: ["an executable change in app.ts"],
			consent: "declined_this_candidate",
		});
		expect((await status(repo)).applicability).toBe("unrelated");
	});

	it("leaves the pre-commit gate of exactly these bytes to ordinary policy", async () => {
		const { repo } = await declined();
		repo.stage();
		const result = await gate(repo);
		expectSuccess(result);
		expect(result.json()).toMatchObject({
			operation: "review.validate",
			result: {
				result: "invalidated",
				allowed: false,
				action: "repository-policy",
				delivery: "candidate_declined/unmanaged",
				context: {
					gate: "pre-commit",
					lineage_id: "",
					denial: { stage: "candidate-decline", code: "exact_candidate" },
				},
			},
		});
	});

	it("covers not one byte more, and never post-apply", async () => {
		const { repo } = await declined();
		expect(failureOf(await gate(repo, "post-apply")).code).toBe("receipt_missing");
		repo.write("app.ts", "export const n = 2; \n");
		repo.stage();
		expect(failureOf(await gate(repo)).code).toBe("receipt_missing");
	});

	it("is taken back by a later START of the same candidate", async () => {
		const { repo } = await declined();
		await startPrinted(repo);
		repo.stage();
		expect(failureOf(await gate(repo)).code).toBe("receipt_missing");
	});

	it("is not asked about again as long as nobody asks", async () => {
		const { repo } = await declined();
		expect((await status(repo)).next_transition?.reason_code).toBe("fresh_target_ready");
		expect(await ask(repo)).toMatchObject({ action: "consent_required" });
	});
});
