// A whole host in one file: asks STATUS, does exactly what it prints, and asks again until there is nothing left to do.
// Usage: node host.mjs <folder> <module with the actors>. Who answers is the host's own business: the module exports
// consent(question), reviewer(input), refuter(ids), validator(request), plan(request), correct(request) and verify().
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const CONTRACT = "gentle-ai.review-integration/v2";
const [cwd = ".", module = ""] = process.argv.slice(2);
const actors = await import(pathToFileURL(resolve(module)));
const notes = mkdtempSync(join(tmpdir(), "host-"));

/** One document on stdout, whatever happened; a failure envelope says what may be tried next. */
function call(words, input) {
	const { stdout } = spawnSync("gentle-ai", words, { cwd, input, encoding: "utf8" });
	const document = JSON.parse(stdout);
	if (document.code !== undefined) throw new Error(`${document.code}: ${document.message} -> ${document.next_action}`);
	return document;
}

/** A printed command runs as printed, in a shell. */
const run = (command) => JSON.parse(execFileSync("sh", ["-c", command], { cwd, encoding: "utf8" }));
const review = (...words) => call(["review", ...words]);
const tokens = ({ arguments: args }) => args.map(({ token }) => token);
const value = ({ arguments: args }, name) => args.find((each) => each.name === name).value;
const file = (name, document) => {
	const path = join(notes, name);
	writeFileSync(path, JSON.stringify(document));
	return path;
};

function start({ command }) {
	const answer = run(`${command} --consent=relay`);
	if (answer.action !== "consent_required") return;
	// Shown to a person as it is; exactly one of its invocations runs, and never without their answer.
	run(answer.choices.find((each) => each.answer === actors.consent(answer)).invocation);
}

function collect(reason, inputs, request) {
	const [input] = inputs;
	const lineage = () => ["--lineage", value(input, "lineage")];
	switch (reason) {
		case "reviewer_results_required":
			for (const slot of inputs) {
				call(["review", "capture-result", ...tokens(slot), "--input=-"], JSON.stringify(actors.reviewer(slot)));
			}
			return;
		case "refuter_outcomes_required": {
			const answer = file("refuter.json", actors.refuter(value(input, "finding-ids").split(",")));
			return review("finalize", ...lineage(), "--captured-results", "--refuter", answer);
		}
		case "correction_plan_required":
			review("finalize", ...lineage(), "--correction-lines", String(actors.plan(request)));
			return actors.correct(request);
		case "verification_evidence_required":
		case "correction_repository_verification_required": {
			const { outcome, output } = actors.verify();
			return call(["review", "capture-evidence", ...tokens(input), "--outcome", outcome, "--input=-"], output);
		}
		case "targeted_validation_required": {
			const answer = file("validation.json", actors.validator(input.validation_request));
			return review("finalize", ...lineage(), "--captured-evidence", "--validation", answer);
		}
		default:
			throw new Error(`${reason}: this needs a person`);
	}
}

for (;;) {
	// The work tree is what this host delivers; a host that commits asks for pre-commit, with the candidate staged.
	const status = review("status", "--contract", CONTRACT, "--next-transition", "--gate", "post-apply");
	const { kind, reason_code, execute, collect: wanted, correction_request } = status.next_transition;
	console.log(`${kind.padEnd(8)} ${reason_code}`);
	if (kind === "stop") break;
	if (kind === "collect") {
		collect(reason_code, wanted.inputs, correction_request);
	} else if (execute.operation === "review.start") start(execute);
	else {
		const answer = run(execute.command);
		if (execute.operation !== "review.validate") continue;
		console.log(`gate     ${answer.result}: ${answer.reason}`);
		break;
	}
}
