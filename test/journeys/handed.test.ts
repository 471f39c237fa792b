// FINALIZE from what it is handed: raw answers, the manifests of captures, raw evidence. Nothing unadmitted approves.
import { describe, expect, it } from "vitest";
import { answerTo, blocker } from "../kit/answers.ts";
import type { Input } from "../kit/documents.ts";
import {
	captureResult,
	expectSuccess,
	failureOf,
	finalize,
	finalized,
	firstInput,
	gate,
	inputsOf,
	startPrinted,
	status,
	transitionOf,
} from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";

type Open = { readonly repo: TestRepo; readonly lineage: string; readonly inputs: readonly Input[] };

async function open(content: Readonly<Record<string, string>>): Promise<Open> {
	const repo = new TestRepo();
	for (const [path, text] of Object.entries(content)) repo.write(path, text);
	const { lineage_id } = await startPrinted(repo);
	return { repo, lineage: lineage_id, inputs: inputsOf(await status(repo)) };
}

const medium = () => open({ "app.ts": "export const n = 2;\n" });
const high = () => open({ "scripts/deploy.sh": "echo deploy\n" });

/** The answers as files, in the order of the slots. */
function answerFiles({ repo, inputs }: Open): string[] {
	return inputs.map((input, order) => repo.outside(`answer-${order}.json`, answerTo(input)));
}

async function manifests({ repo, inputs }: Open): Promise<string[]> {
	const printed: string[] = [];
	for (const input of inputs) {
		const captured = await captureResult(repo, input, answerTo(input));
		expectSuccess(captured);
		printed.push(captured.stdout);
	}
	return printed;
}

const each = (flag: string, values: readonly string[]) => values.map((value) => `${flag}=${value}`);

async function reasonOf(repo: TestRepo): Promise<string> {
	return transitionOf(await status(repo)).reason_code;
}

describe("raw answers", () => {
	it("are admitted, kept and closed in the order of the lenses; the same command again has nothing left to do", async () => {
		const review = await high();
		const { repo, lineage } = review;
		const flags = each("--result", answerFiles(review));
		expect(flags).toHaveLength(4);
		expect((await finalized(repo, lineage, ...flags)).state).toBe("validating");
		const again = failureOf(await finalize(repo, lineage, ...flags));
		expect(again).toMatchObject({ code: "invalid_request" });
		expect(again.message).toContain("validating");
		expect(await reasonOf(repo)).toBe("verification_evidence_required");
	});

	it("keep their blocker: what a capture would hold back, this holds back", async () => {
		const { repo, lineage, inputs } = await medium();
		const answer = answerTo(firstInput(await status(repo)), [blocker("app.ts:1")]);
		expect(inputs).toHaveLength(1);
		const result = await finalized(repo, lineage, `--result=${repo.outside("answer.json", answer)}`);
		expect(result.state).toBe("correction_required");
	});

	it("are all admitted before the first is kept", async () => {
		const review = await high();
		const { repo, lineage, inputs } = review;
		const files = answerFiles(review);
		const [, second] = inputs;
		if (second === undefined) throw new Error("four slots are open");
		const foreign = answerTo(second, [blocker("elsewhere.ts:1")]);
		const flags = each("--result", [files[0] ?? "", repo.outside("bad.json", foreign), ...files.slice(2)]);
		const refused = failureOf(await finalize(repo, lineage, ...flags));
		expect(refused).toMatchObject({ code: "invalid_request" });
		expect(inputsOf(await status(repo))).toHaveLength(4);
	});

	it.each(["--result", "--result-artifact-file"])("of %s must be one a lens", async (flag) => {
		const review = await high();
		const { repo, lineage } = review;
		const files =
			flag === "--result"
				? answerFiles(review)
				: (await manifests(review)).map((text, order) => repo.outside(`manifest-${order}.json`, text));
		const refused = failureOf(await finalize(repo, lineage, ...each(flag, files.slice(0, 3))));
		expect(refused.message).toContain("3 given");
		expect((await status(repo)).authority?.state).toBe("reviewing");
	});
});

describe("manifests of captured results", () => {
	it("close what they name, as text and as files with a byte order mark", async () => {
		const one = await high();
		const texts = await manifests(one);
		expect((await finalized(one.repo, one.lineage, ...each("--result-artifact", texts))).state).toBe("validating");

		const two = await high();
		const files = (await manifests(two)).map((text, order) =>
			two.repo.outside(`manifest-${order}.json`, `\uFEFF${text}`),
		);
		const flags = each("--result-artifact-file", files);
		expect((await finalized(two.repo, two.lineage, ...flags)).state).toBe("validating");
	});

	it("are refused with another digest, in another order, and with a place that no capture printed", async () => {
		const review = await high();
		const { repo, lineage } = review;
		const texts = await manifests(review);
		const [first = "", second = "", ...rest] = texts;
		const other = JSON.parse(first) as Record<string, unknown>;
		const digest = JSON.stringify({ ...other, sha256: `sha256:${"0".repeat(64)}` });
		const { reference: _, ...bare } = other;
		const place = JSON.stringify({ ...bare, path: repo.path("app.ts") });
		for (const wrong of [
			[digest, second],
			[place, second],
			[second, first],
		]) {
			const refused = failureOf(await finalize(repo, lineage, ...each("--result-artifact", [...wrong, ...rest])));
			expect(refused.message).toContain("--result-artifact");
			expect((await status(repo)).authority?.state).toBe("reviewing");
		}
		expect((await finalized(repo, lineage, ...each("--result-artifact", texts))).state).toBe("validating");
	});
});

describe("raw evidence", () => {
	async function validating(): Promise<Open> {
		const review = await medium();
		await finalized(review.repo, review.lineage, ...each("--result", answerFiles(review)));
		return review;
	}

	it.each([
		["passes", [], "approved"],
		["fails as the caller says", ["--failed"], "escalated"],
	] as const)("%s", async (_, flags, state) => {
		const { repo, lineage } = await validating();
		const file = repo.outside("evidence.txt", "42 tests passed\n");
		expect((await finalized(repo, lineage, `--evidence=${file}`, ...flags)).state).toBe(state);
		repo.stage();
		if (state === "approved") expectSuccess(await gate(repo));
		else expect((await gate(repo)).code).not.toBe(0);
	});

	it("is refused empty, and while reviewers are still asked; nothing moves", async () => {
		const { repo, lineage } = await validating();
		const empty = failureOf(await finalize(repo, lineage, `--evidence=${repo.outside("empty.txt", "")}`));
		expect(empty.message).toContain("--evidence");
		expect(await reasonOf(repo)).toBe("verification_evidence_required");

		const early = await medium();
		const file = early.repo.outside("evidence.txt", "42 tests passed\n");
		const refused = failureOf(await finalize(early.repo, early.lineage, `--evidence=${file}`));
		expect(refused.message).toContain("reviewing");
		expect(await reasonOf(early.repo)).toBe("reviewer_results_required");
	});
});

describe("sources", () => {
	it.each([
		[["--captured-results", "--result=a.json"], "--result"],
		[["--result-artifact={}", "--result=a.json"], "--result"],
		[["--captured-evidence", "--evidence=a.txt"], "--evidence"],
		[["--result=-", "--evidence=-"], "--evidence"],
		[["--result-artifact-file=-", "--result-artifact-file=-"], "--result-artifact-file"],
	] as const)("%s are refused together", async (flags, named) => {
		const { repo, lineage } = await medium();
		const refused = failureOf(await finalize(repo, lineage, ...flags));
		expect(refused).toMatchObject({ code: "invalid_request" });
		expect(refused.message).toContain(named);
	});
});
