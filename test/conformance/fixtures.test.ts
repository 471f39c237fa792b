// The published fixtures, reproduced: the same two repositories give the same identities, trees and digests.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Start, Status } from "../kit/documents.ts";
import { startWords, status, V2 } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { MATERIAL_IS_THERE, readFixture } from "../kit/schemas.ts";

function fixtureRepo(): TestRepo {
	return new TestRepo({ files: { "tracked.txt": "base\n" } });
}

async function started(repo: TestRepo, lineage: string): Promise<Start> {
	const { target_identity } = await status(repo);
	return (await repo.run(startWords(target_identity, "--lineage", lineage))).json<Start>();
}

/** Contract v2's subject hash, from its published derivation: domain, NUL, and the fields in their order. */
function subjectHash(subject: Record<string, unknown>): string {
	const { subject_hash: _, ...rest } = subject;
	const preimage = `gentle-ai.review-artifact-subject/v2\0${JSON.stringify(rest)}`;
	return `sha256:${createHash("sha256").update(preimage).digest("hex")}`;
}

describe.skipIf(!MATERIAL_IS_THERE)("the fixture repositories of the conformance guide", () => {
	it("give START the published high-risk candidate", async () => {
		const repo = fixtureRepo();
		repo.write("scripts/deploy.sh", "echo deploy\n");
		repo.stage();
		const fixture = readFixture<Start & Record<string, unknown>>("v1/fixtures/start-v2.fixture.json");
		const start = await started(repo, "review-start-fixture");
		const { artifact_subjects, candidate_diff: _, repository_context, ...published } = fixture;
		const revision = start.repository_context?.revision;
		const subjects = artifact_subjects.map((each) => {
			const { changed_path_manifest_sha256, lens, selected_order } = each;
			const subject = {
				schema: "gentle-ai.review-artifact-subject/v2",
				subject_hash: "",
				lineage_id: "review-start-fixture",
				authority_revision: revision,
				target_identity: repository_context?.target_identity,
				base_tree: repo.git("rev-parse", "HEAD^{tree}"),
				candidate_tree: repo.git("write-tree"),
				changed_path_manifest_sha256,
				lens,
				selected_order,
			};
			return { ...subject, subject_hash: subjectHash(subject) };
		});
		expect(start).toEqual({
			...published,
			schema: "gentle-ai.review-integration.start/v3",
			contract: V2,
			base_tree: repo.git("rev-parse", "HEAD^{tree}"),
			candidate_tree: repo.git("write-tree"),
			artifact_subjects: subjects,
			repository_context: { ...repository_context, handle: expect.stringMatching(/^rctx1_[0-9a-f]{64}$/), revision },
		});
	});

	it("give STATUS the published medium-risk candidate, key by key", async () => {
		const repo = fixtureRepo();
		repo.write("tracked.txt", "candidate behavior\n");
		await started(repo, "review-status-fixture");
		const live = await status(repo);
		const fixture = readFixture<Status & Record<string, unknown>>("v1/fixtures/status-v2.fixture.json");
		const { next_transition: _, eligibility: _eligibility, authority, ...published } = fixture;
		const { next_transition: transition, ...rest } = live;
		const expected = {
			...published,
			schema: "gentle-ai.review-integration.status/v3",
			contract: V2,
			authority: { ...authority, revision: live.authority?.revision },
		};
		expect(rest).toEqual(expected);
		expect(transition?.reason_code).toBe(fixture.next_transition?.reason_code);
		const order = Object.keys(fixture).filter((key) => key !== "eligibility");
		expect(Object.keys(live)).toEqual(order);
	});

	it("give the reviewer slot of STATUS the published manifest and its digest", async () => {
		const repo = fixtureRepo();
		repo.write("tracked.txt", "candidate behavior\n");
		await started(repo, "review-status-fixture");
		const fixture = readFixture<Status>("v1/fixtures/status-v2.fixture.json");
		const slot = (document: Status) => document.next_transition?.collect?.inputs[0];
		const published = slot(fixture);
		const live = slot(await status(repo));
		expect(live?.changed_path_manifest).toEqual(published?.changed_path_manifest);
		expect(live?.artifact_subject?.changed_path_manifest_sha256).toBe(
			published?.artifact_subject?.changed_path_manifest_sha256,
		);
		expect(live?.base_tree).toBe(fixture.projection.base_tree);
		expect(live?.candidate_tree).toBe(fixture.projection.current_candidate_tree);
		const names = live?.arguments.map(({ name }) => name);
		expect(names).toEqual([...(published?.arguments.map(({ name }) => name) ?? []), "subject-hash"]);
	});
});
