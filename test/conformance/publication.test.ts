// What this project publishes: schemas and fixtures that hold together, and that read what others publish.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MATERIAL_IS_THERE, OURS, SchemaRegistry, THEIRS } from "../kit/schemas.ts";

const ours = new SchemaRegistry(OURS);

type Document = Record<string, unknown> & { readonly schema: string };

function folderOf(root: string, generation: string, kind: "schemas" | "fixtures"): string {
	return join(root, "review-integration", generation, kind);
}

/** `.fixture.json` and `.schema.json` only; other endings are captures and later states of the same name. */
function namesIn(root: string, generation: string, kind: "schemas" | "fixtures"): string[] {
	const folder = folderOf(root, generation, kind);
	return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(`.${kind.slice(0, -1)}.json`)) : [];
}

function textOf(root: string, generation: string, name: string): string {
	return readFileSync(join(folderOf(root, generation, "fixtures"), name), "utf8");
}

function documentOf(root: string, generation: string, name: string): Document {
	return JSON.parse(textOf(root, generation, name)) as Document;
}

function allFixtures(root: string): (readonly [generation: string, name: string])[] {
	return ["v1", "v2"].flatMap((generation) =>
		namesIn(root, generation, "fixtures").map((name) => [generation, name] as const),
	);
}

describe("the published sets", () => {
	it("hold 24 schemas and 27 fixtures of contract v1, and 15 schemas of contract v2", () => {
		expect(namesIn(OURS, "v1", "schemas")).toHaveLength(24);
		expect(namesIn(OURS, "v1", "fixtures")).toHaveLength(27);
		expect(namesIn(OURS, "v2", "schemas")).toHaveLength(15);
	});

	it.skipIf(!MATERIAL_IS_THERE)("have the names of contract v1", () => {
		for (const kind of ["schemas", "fixtures"] as const) {
			expect(namesIn(OURS, "v1", kind)).toEqual(namesIn(THEIRS, "v1", kind));
		}
	});
});

describe("a published fixture", () => {
	it.each(allFixtures(OURS))("%s/%s is valid under the schema that it names", (generation, name) => {
		expect(ours.problemsOf(documentOf(OURS, generation, name))).toEqual([]);
	});

	it.each(allFixtures(OURS))("%s/%s has the bytes that the program would print", (generation, name) => {
		const text = textOf(OURS, generation, name);
		const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
		const printed = JSON.stringify(JSON.parse(text), null, 2).replace(/[<>&\u2028\u2029]/g, escaped);
		expect(text).toBe(`${printed}\n`);
	});

	it("names no folder of any machine and no time of its making", () => {
		for (const [generation, name] of allFixtures(OURS)) {
			expect(textOf(OURS, generation, name)).not.toMatch(/\/(?:home|root|tmp|Users)\//);
		}
	});
});

describe.skipIf(!MATERIAL_IS_THERE)("beside the material of the contract", () => {
	// The body runs to name its tests, also where all of them are skipped.
	const theirs = MATERIAL_IS_THERE ? new SchemaRegistry(THEIRS) : ours;

	/** Their schema of protocol 1.2 counts 14 shapes where the protocol has 15. */
	const THEIR_DEFECT = "capabilities-v1.2.fixture.json";

	it.each(allFixtures(OURS))("our %s/%s is valid under their schema", (generation, name) => {
		const problems = theirs.problemsOf(documentOf(OURS, generation, name));
		if (name === THEIR_DEFECT) expect(problems).toHaveLength(1);
		else expect(problems).toEqual([]);
	});

	// What belongs to later minors and to the other lifecycle is published by neither.
	const known = allFixtures(THEIRS).filter(([generation, name]) =>
		existsSync(join(folderOf(OURS, generation, "fixtures"), name)),
	);

	it("every fixture of contract v1 and five of contract v2 are compared", () => {
		expect(known.filter(([generation]) => generation === "v1")).toHaveLength(27);
		expect(known.filter(([generation]) => generation === "v2").map(([, name]) => name)).toEqual([
			"capabilities.fixture.json",
			"capture-result-dry-run.fixture.json",
			"consent.fixture.json",
			"start.fixture.json",
			"status.fixture.json",
		]);
	});

	it.each(known)("their %s/%s is valid under our schema", (generation, name) => {
		expect(ours.problemsOf(documentOf(THEIRS, generation, name))).toEqual([]);
	});

	/** Composed by hand: its last two keys stand behind the others there. */
	const COMPOSED = "status-v2-final-verification-retry.fixture.json";

	it.each(known.filter(([, name]) => name !== COMPOSED))(
		"our %s/%s has their keys in their order",
		(generation, name) => {
			const mine = Object.keys(documentOf(OURS, generation, name));
			const common = Object.keys(documentOf(THEIRS, generation, name)).filter((key) => mine.includes(key));
			expect(mine.filter((key) => common.includes(key))).toEqual(common);
		},
	);
});

/** A change that the contract forbids, on a fixture that is valid. */
type Broken = readonly [what: string, fixture: string, change: (document: Document) => void];

function within(document: Document, path: string): Record<string, unknown> {
	let node: unknown = document;
	for (const key of path.split(".")) node = (node as Record<string, unknown>)[key];
	return node as Record<string, unknown>;
}

const SLOT = "next_transition.collect.inputs.0";

const BROKEN: readonly Broken[] = [
	["a state that the first START did not know", "v1/start", (start) => Object.assign(start, { state: "validating" })],
	[
		"a reason that the first START did not know",
		"v1/start",
		(start) => Object.assign(within(start, "risk_reasons.0"), { code: "process_boundary" }),
	],
	[
		"a retry in the first STATUS",
		"v1/status-recover",
		(status) => Object.assign(status, { action: "retry_final_verification" }),
	],
	["a field that nobody published", "v1/start-v2", (start) => Object.assign(start, { extra: true })],
	["lenses without the patch", "v1/start-v2", (start) => delete start.candidate_diff],
	["lenses without the manifest", "v2/start", (start) => delete start.changed_path_manifest],
	["lenses without the trees", "v2/start", (start) => delete start.base_tree],
	["an open review without its context", "v1/start-v2", (start) => delete start.repository_context],
	["a context of a review that is not open", "v2/start", (start) => Object.assign(start, { action: "reuse-receipt" })],
	[
		"a subject of the other transport",
		"v1/start-v2",
		(start) => Object.assign(within(start, "artifact_subjects.0"), { schema: "gentle-ai.review-artifact-subject/v2" }),
	],
	["a slot without what reviewers look at", "v1/status-v2", (status) => delete within(status, SLOT).candidate_diff],
	["a slot without its trees", "v2/status", (status) => delete within(status, SLOT).candidate_tree],
	[
		"a validation request on a slot",
		"v2/status",
		(status) => Object.assign(within(status, SLOT), { validation_request: {} }),
	],
	["a current target without its authority", "v1/status-v2", (status) => delete status.authority],
	["a current target without what was frozen", "v2/status", (status) => delete status.frozen],
	["a recovery without its disposition", "v1/status-v2-recover", (status) => delete status.action_disposition],
	[
		"a disposition of nothing to recover",
		"v2/status",
		(status) => Object.assign(status, { action_disposition: "invalidated" }),
	],
	[
		"a retry without its incident",
		"v1/status-v2-final-verification-retry",
		(status) => delete status.final_verification_retry,
	],
	["reconciliation of nothing", "v2/status", (status) => Object.assign(status, { reconciliation: { required: true } })],
	[
		"a stop that executes",
		"v2/status-corrupted",
		(status) => Object.assign(within(status, "next_transition"), { execute: {} }),
	],
	[
		"a published receipt without its identity",
		"v2/status",
		(status) => Object.assign(status, { receipt: { status: "present" } }),
	],
	[
		"two allowed actions",
		"v1/status-v2",
		(status) => {
			const { allowed_actions } = within(status, "eligibility") as { allowed_actions: unknown[] };
			allowed_actions.push(allowed_actions[0]);
		},
	],
	[
		"an eligible repair without its record",
		"v1/status-v2-repair",
		(status) => delete within(status, "repair").candidate,
	],
	[
		"a question whose answer asks another contract",
		"v2/consent",
		(consent) => {
			const granted = within(consent, "choices.0") as { invocation: string };
			granted.invocation = granted.invocation.replace("integration/v2", "integration/v1");
		},
	],
	["a message of two lines", "v1/failure", (failure) => Object.assign(failure, { message: "one\ntwo" })],
	[
		"both contexts of a failure",
		"v1/failure",
		(failure) => Object.assign(within(failure, "context"), { binding_revision: { expected: "", current: "" } }),
	],
];

describe("our schemas refuse", () => {
	it.each(BROKEN)("%s (%s)", (_, fixture, change) => {
		const [generation = "", name = ""] = fixture.split("/");
		const document = documentOf(OURS, generation, `${name}.fixture.json`);
		change(document);
		expect(ours.problemsOf(document)).not.toEqual([]);
	});
});
