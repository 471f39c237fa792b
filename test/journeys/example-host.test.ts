// The host of the documents, run as its first line says: it brings a blocked candidate through its correction to the gate.
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { execute } from "../kit/program.ts";
import { TestRepo } from "../kit/repo.ts";

const HOST = resolve(import.meta.dirname, "..", "..", "docs", "examples", "host.mjs");
const BLOCKED = "export function half(n) {\n\treturn eval(n) / 2;\n}\n";
const CORRECTED = "\treturn Number(n) / 2;";

function actors(file: string): string {
	return `
import { readFileSync, writeFileSync } from "node:fs";
const check = (evidence) => ({ passed: true, evidence: [evidence] });
export const consent = () => "granted";
export const reviewer = ({ artifact_subject, changed_path_manifest }) => ({
	subject_hash: artifact_subject.subject_hash,
	inspection: { status: "completed", paths: changed_path_manifest.map(({ path }) => path) },
	findings: [{
		location: "src/half.mjs:2", severity: "BLOCKER", claim: "Evaluates what it is given",
		evidence_class: "inferential", causal_disposition: "introduced", proof_refs: ["changed-hunk: src/half.mjs:2"],
	}],
	evidence: ["both trees were read"],
});
export const refuter = (ids) => ({
	results: ids.map((finding_id) => ({ finding_id, outcome: "corroborated", proof_refs: ["changed-hunk: the call is new"] })),
});
export const plan = ({ correction_budget }) => correction_budget;
export const correct = () => {
	const lines = readFileSync(${JSON.stringify(file)}, "utf8").split("\\n");
	writeFileSync(${JSON.stringify(file)}, lines.with(1, ${JSON.stringify(CORRECTED)}).join("\\n"));
};
export const verify = () => ({ outcome: "passed", output: "1 test passed" });
export const validator = ({ request_hash, correction_target_identity }) => ({
	targeted_validation_request_hash: request_hash,
	correction_target_identity,
	original_criteria: check("line 2 evaluates nothing any more"),
	correction_regression: check("numbers are halved as before"),
	follow_ups: [],
});
`;
}

describe("the example host", () => {
	it("does exactly what STATUS prints, through refuter, correction and validator, until the gate allows", async () => {
		const repo = new TestRepo();
		repo.write("src/half.mjs", BLOCKED);
		const module = repo.outside("actors.mjs", actors(`${repo.root}/src/half.mjs`));
		const result = await execute([process.execPath, HOST, repo.root, module], { cwd: repo.root, env: repo.env });
		expect(result.stderr).toBe("");
		expect(result.stdout.trimEnd().split("\n")).toEqual([
			"execute  fresh_target_ready",
			"collect  reviewer_results_required",
			"collect  refuter_outcomes_required",
			"collect  correction_plan_required",
			"collect  correction_repository_verification_required",
			"collect  targeted_validation_required",
			"execute  approved_receipt_ready",
			"gate     allow: exactly these bytes were approved",
		]);
	});
});
