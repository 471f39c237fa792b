// The published fixtures, reproduced: the same two repositories give the same documents, byte for byte, but for what
// belongs to one machine or to one built-in policy.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Start, Status, Subject } from "../kit/documents.ts";
import { startWords, status, statusWords, V1, V2 } from "../kit/drive.ts";
import { TestRepo } from "../kit/repo.ts";
import { MATERIAL_IS_THERE, OURS, readFixture, THEIRS } from "../kit/schemas.ts";

const COMMITTED = { "tracked.txt": "base\n" };

function changed(): TestRepo {
	const repo = new TestRepo({ files: COMMITTED });
	repo.write("tracked.txt", "candidate behavior\n");
	return repo;
}

function withScript(): TestRepo {
	const repo = new TestRepo({ files: COMMITTED });
	repo.write("scripts/deploy.sh", "echo deploy\n");
	repo.stage();
	return repo;
}

async function startText(repo: TestRepo, lineage: string, contract: string): Promise<string> {
	const { target_identity } = await status(repo);
	const words = startWords(target_identity, "--lineage", lineage).map((word) => (word === V2 ? contract : word));
	return (await repo.run(words)).stdout;
}

async function statusText(repo: TestRepo, contract: string): Promise<string> {
	return (await repo.run([...statusWords(), "--action-eligibility", "--contract", contract])).stdout;
}

const bytes = (root: string, name: string) => readFileSync(join(root, "review-integration", name), "utf8");

/** A handle is of one machine; its place and length stay. */
function withoutHandle(text: string): string {
	return text.replaceAll(/rctx1_[0-9a-f]{64}/g, `rctx1_${"0".repeat(64)}`);
}

/** The subject hash that follows from the other fields, from its published derivation. */
function expectSubject({ subject_hash, ...rest }: Subject): void {
	const { schema } = rest as unknown as { schema: string };
	const preimage = `${schema}\0${JSON.stringify(rest)}`;
	expect(subject_hash).toBe(`sha256:${createHash("sha256").update(preimage).digest("hex")}`);
}

/** The policy text is each product's own; the revision binds it, and the subjects bind the revision. */
function withoutPolicy(text: string, revision: string | undefined, subjects: readonly Subject[]): string {
	let bare = withoutHandle(text).replaceAll(revision ?? "", "REVISION");
	for (const subject of subjects) {
		expectSubject(subject);
		bare = bare.replaceAll(subject.subject_hash, `SUBJECT ${subject.selected_order}`);
	}
	return bare;
}

function bareStart(text: string): string {
	const { repository_context, artifact_subjects } = JSON.parse(text) as Start;
	return withoutPolicy(text, repository_context?.revision, artifact_subjects);
}

function bareStatus(text: string): string {
	const { authority, next_transition } = JSON.parse(text) as Status;
	const subjects = next_transition?.collect?.inputs.flatMap(({ artifact_subject }) => artifact_subject ?? []) ?? [];
	expect(subjects).toHaveLength(1);
	return withoutPolicy(text, authority?.revision, subjects);
}

describe("the fixture repositories", () => {
	it("give START under contract v1 and v2 our published bytes", async () => {
		const first = await startText(withScript(), "review-start-fixture", V1);
		expect(withoutHandle(first)).toBe(bytes(OURS, "v1/fixtures/start-v2.fixture.json"));
		const second = await startText(withScript(), "review-start-fixture", V2);
		expect(withoutHandle(second)).toBe(bytes(OURS, "v2/fixtures/start.fixture.json"));
	});

	it("give STATUS under contract v1 and v2 our published bytes", async () => {
		const repo = changed();
		await startText(repo, "review-status-fixture", V2);
		expect(withoutHandle(await statusText(repo, V1))).toBe(bytes(OURS, "v1/fixtures/status-v2.fixture.json"));
		expect(withoutHandle(await statusText(repo, V2))).toBe(bytes(OURS, "v2/fixtures/status.fixture.json"));
	});
});

describe.skipIf(!MATERIAL_IS_THERE)("the fixture repositories of the conformance guide", () => {
	it("give START its published bytes, but for handle, revision and subject hashes", async () => {
		const published = bytes(THEIRS, "v1/fixtures/start-v2.fixture.json");
		const text = await startText(withScript(), "review-start-fixture", V1);
		expect(bareStart(text)).toBe(bareStart(published));
	});

	it("give STATUS its published bytes, but for handle, revision and subject hashes", async () => {
		const repo = changed();
		await startText(repo, "review-status-fixture", V1);
		const published = bytes(THEIRS, "v1/fixtures/status-v2.fixture.json");
		expect(bareStatus(await statusText(repo, V1))).toBe(bareStatus(published));
	});

	it("give contract v2 the same facts around its own transport", async () => {
		const repo = changed();
		await startText(repo, "review-status-fixture", V2);
		const live = JSON.parse(await statusText(repo, V2)) as Status;
		const fixture = readFixture<Status>("v1/fixtures/status-v2.fixture.json");
		const [slot] = live.next_transition?.collect?.inputs ?? [];
		const [published] = fixture.next_transition?.collect?.inputs ?? [];
		expect(live.projection).toEqual(fixture.projection);
		expect(slot?.changed_path_manifest).toEqual(published?.changed_path_manifest);
		expect(slot?.base_tree).toBe(fixture.projection.base_tree);
		expect(slot?.candidate_tree).toBe(fixture.projection.current_candidate_tree);
		const names = slot?.arguments.map(({ name }) => name);
		expect(names).toEqual([...(published?.arguments.map(({ name }) => name) ?? []), "subject-hash"]);
	});
});
