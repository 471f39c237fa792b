// One lineage as the repository and the store show it now: the input of every decision about it.
import { contextHandle, type Lineage, type StoreReader } from "../authority/index.ts";
import type { VerificationOutcome } from "../contract/vocabulary.ts";
import type { TreeChange } from "../git/index.ts";
import { type AuthorityView, artifactSubjects, findingsToRefute, isCausallyProven } from "../review/index.ts";
import type { Workplace } from "./caller.ts";
import { correctedCandidate } from "./correction.ts";
import { finalVerificationRetry } from "./retry.ts";
import { type Captured, readCaptured } from "./slots.ts";

function evidenceOf(store: StoreReader, lineage: Lineage): VerificationOutcome | "invalid" | undefined {
	const { state, revision } = lineage;
	if (state.state !== "validating") return undefined;
	const evidence = store.evidence(lineage.lineage_id, revision, state.current_snapshot.identity);
	return evidence === undefined || evidence === "invalid" ? evidence : evidence.record.outcome;
}

function doubtful(lineage: Lineage, captured: Captured): string[] {
	const findings = captured.results.flatMap((envelope) => envelope?.result.findings ?? []);
	return findingsToRefute({
		findings,
		genesis_paths: lineage.state.genesis_paths,
		proves: (location, disposition) => isCausallyProven(location, disposition, captured.facts),
	});
}

/** The open correction with what was captured about it; measured anew, because nothing of it is kept before it closes. */
async function correctionOf(
	place: Workplace,
	store: StoreReader,
	lineage: Lineage,
): Promise<AuthorityView["correction"]> {
	const corrected = await correctedCandidate(place, lineage);
	if (corrected === undefined) return undefined;
	const { fix, actual_lines, request } = corrected;
	const evidence = store.evidence(lineage.lineage_id, lineage.revision, fix.identity);
	const outcome = evidence === undefined || evidence === "invalid" ? evidence : evidence.record.outcome;
	return { fix, actual_lines, request, evidence: outcome };
}

/** `changes` are those between the frozen trees; only a reviewing lineage needs them. */
export async function viewAuthority(
	place: Workplace,
	store: StoreReader,
	lineage: Lineage,
	changes: () => Promise<readonly TreeChange[]>,
): Promise<AuthorityView> {
	const { state, revision, frozen } = lineage;
	const reviewing = state.state === "reviewing";
	const captured =
		reviewing && state.selected_lenses.length > 0
			? await readCaptured(place, store, lineage, await changes())
			: undefined;
	const correction = await correctionOf(place, store, lineage);
	const retry = finalVerificationRetry(store, lineage);
	return {
		state,
		revision,
		manifest: frozen.manifest,
		subjects: reviewing ? artifactSubjects(state, frozen.manifest) : [],
		slots: captured?.slots ?? [],
		to_refute: captured === undefined ? [] : doubtful(lineage, captured),
		evidence: evidenceOf(store, lineage),
		...(correction !== undefined && { correction }),
		...(retry !== undefined && { retry }),
		receipt: store.receiptStatus(lineage),
		repository_context: contextHandle(place.repository.location, {
			lineage_id: lineage.lineage_id,
			target_identity: state.initial_snapshot.identity,
			revision,
		}),
	};
}
