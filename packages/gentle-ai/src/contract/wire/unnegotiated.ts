// What START and STATUS say to a caller that named no contract.
import type { AuthorityListing, StartOutcome } from "../model.ts";
import { FINDING_PREFIX } from "../vocabulary.ts";

/** The older START: which lenses answer under which prefix, and no content of the candidate. */
export function renderPlainStart(outcome: StartOutcome, phrases: readonly string[]): object {
	const { target, selected_lenses } = outcome;
	const overlay = target.kind === "base-workspace-overlay";
	return {
		operation: "review/start",
		action: outcome.action,
		lenses_required: selected_lenses.length > 0,
		lineage_id: outcome.lineage_id,
		state: outcome.state,
		risk_level: outcome.risk_level,
		selected_lenses,
		lens_bindings: selected_lenses.map((lens, order) => ({
			lens,
			order,
			finding_id_prefix: FINDING_PREFIX[lens].replace("-", ""),
		})),
		projection: target.projection ?? "workspace",
		...(overlay && {
			target_mode: "base-workspace-overlay",
			target_identity: target.identity,
			base_tree: target.base_tree,
			candidate_tree: target.candidate_tree,
		}),
		changed_files: target.paths.length,
		changed_lines: outcome.changed_lines,
		correction_budget: outcome.correction_budget,
		...(phrases.length > 0 && { risk_evidence: phrases }),
	};
}

/** Every review that is kept of one repository: the one STATUS that names paths. */
export function renderAuthorityStatus(listing: AuthorityListing): object {
	const { repository, store, reviews, truncated, unreadable } = listing;
	const damaged = unreadable || reviews.some((review) => review.problem !== undefined);
	const complete = !truncated && !damaged;
	return {
		schema: "gentle-ai.review-authority-status/v1",
		operation: "review/status",
		repository,
		complete,
		authoritative: complete,
		status: damaged ? "damaged" : truncated ? "truncated" : reviews.length === 0 ? "empty" : "valid",
		entries: reviews.map(({ lineage_id, state, revision, snapshot_identity, recovery, problem }) => ({
			version: "compact-v2",
			lineage_id,
			path: store,
			status: problem === undefined ? "valid" : "damaged",
			...(state !== undefined && { state }),
			...(revision !== undefined && { revision }),
			...(snapshot_identity !== undefined && { snapshot_identity }),
			...(recovery !== undefined && { recovery }),
			problems: problem === undefined ? [] : [problem],
		})),
		locks: [],
		diagnostics: unreadable ? [{ path: store, problem: "this store cannot be read" }] : [],
	};
}
