// The third phase: runs the person's verification in a work tree that is exactly the candidate, and records that it passed.
import type { Lineage } from "../../authority/index.ts";
import type { ValidatorResult } from "../../contract/payloads.ts";
import { hiddenPaths } from "../../git/index.ts";
import { withRepository } from "../caller.ts";
import { captureEvidence } from "../capture-evidence.ts";
import { finalize } from "../finalize.ts";
import { lookAtTarget } from "../target.ts";
import { proposeVerification, runVerification } from "../verification.ts";
import { addNotes, again, Ended, FINALIZE, noteHidden, type Run, reload, timed } from "./context.ts";
import { finished } from "./document.ts";

async function verificationCommand(run: Run, lineage: Lineage): Promise<string | undefined> {
	const { verify, confirmCommand } = run.options;
	if (verify === undefined) return undefined;
	if (verify !== "auto") return verify.command;
	const proposed = await withRepository(run.caller, run.root, (place) =>
		proposeVerification(place, lineage.state.initial_snapshot.base_tree),
	);
	if (proposed === undefined) {
		addNotes(run, "no test command is recognised in the base tree");
		return undefined;
	}
	return (await confirmCommand(proposed)) ? proposed : undefined;
}

/** Is the live work tree exactly this tree? Only then does running something in it say anything about it. */
async function worktreeIs(run: Run, tree: string): Promise<boolean> {
	const { live, hidden } = await withRepository(run.caller, run.root, async (place) => ({
		live: await lookAtTarget(place, { kind: "current-changes", projection: "workspace" }),
		hidden: await hiddenPaths(place.session, place.repository),
	}));
	if (hidden.length > 0) {
		noteHidden(run, hidden);
		return false;
	}
	return live.snapshot.candidate_tree === tree;
}

export type Verified = { readonly command: string; readonly transcript: Buffer };

/** Runs the person's command in a work tree that is exactly `tree`. Ends the run when that proved nothing. */
export async function verifyTree(run: Run, lineage: Lineage, tree: string): Promise<Verified> {
	const { options, draft } = run;
	const command = await verificationCommand(run, lineage);
	if (command === undefined) {
		throw new Ended(finished(draft, "verification_required", again(run, "--verify", "<your test command>")));
	}
	const required = (note: string) => {
		addNotes(run, note);
		return new Ended(finished(draft, "verification_required", again(run, "--verify", command)));
	};
	if (!(await worktreeIs(run, tree))) {
		throw required(
			"the work tree is not exactly the reviewed candidate, so a command run in it would prove nothing about it",
		);
	}
	options.onEvent({ type: "verification", command });
	const result = await timed(run, "verify", () =>
		runVerification(command, run.root, run.caller.environment, options.signal),
	);
	options.onEvent({ type: "verified", passed: result.passed, ended: result.ended, tail: result.tail });
	if (!result.passed) {
		addNotes(run, `the verification ended with ${result.ended}; nothing was recorded`);
		throw new Ended(finished(draft, "verification_failed", again(run, "--verify", command)));
	}
	if (!(await worktreeIs(run, tree))) {
		throw required(
			"the verification changed files that Git sees, so it did not verify the candidate that was reviewed",
		);
	}
	return { command, transcript: result.transcript };
}

/** Records that verification passed, closes what it closes, and tells it. */
export async function closeVerified(
	run: Run,
	lineage: Lineage,
	target: string,
	{ command, transcript }: Verified,
	validation?: ValidatorResult,
): Promise<Lineage> {
	const id = lineage.lineage_id;
	await timed(run, "record", () =>
		withRepository(run.caller, run.root, async (place) => {
			const request = { lineage: id, target, expected_revision: lineage.revision, outcome: "passed" } as const;
			await captureEvidence(place, request, transcript);
			await finalize(place, { ...FINALIZE, lineage: id, captured_evidence: true, validation });
		}),
	);
	const done = await reload(run, id);
	if (done.state.evidence_hash !== undefined) {
		run.draft.evidence = { outcome: "passed", command, sha256: done.state.evidence_hash };
	}
	return done;
}

export async function verify(run: Run, lineage: Lineage): Promise<Lineage> {
	if (lineage.state.state !== "validating") return lineage;
	const { candidate_tree, identity } = lineage.state.current_snapshot;
	return closeVerified(run, lineage, identity, await verifyTree(run, lineage, candidate_tree));
}
