// The published schemas, read where they lie, each under its own $id. Absent material is said aloud, never assumed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { V2 } from "./drive.ts";
import type { RunResult } from "./program.ts";
import { type CallOptions, type RepoOptions, TestRepo } from "./repo.ts";

const shared = resolve(import.meta.dirname, "../../../shared/conformance");

export const MATERIAL_IS_THERE = existsSync(join(shared, "review-integration"));
if (!MATERIAL_IS_THERE) console.warn(`The conformance material is absent (${shared}): its tests are skipped.`);

type Parts = Readonly<Record<string, string>>;
type Named = { readonly schema?: string; readonly operation?: string };

type Schema = { readonly $id: string; readonly properties?: { readonly schema?: { readonly const?: string } } };

export function readFixture<Document>(name: string): Document {
	return JSON.parse(readFileSync(join(shared, "review-integration", name), "utf8")) as Document;
}

/** What this project publishes, and what the material of the contract publishes under the same names. */
export const OURS = resolve(import.meta.dirname, "../../contracts");
export const THEIRS = shared;

export class SchemaRegistry {
	private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
	private readonly idOf = new Map<string, string>();

	private readonly parts: Parts;

	constructor(root: string, parts: Parts = {}) {
		this.parts = parts;
		for (const generation of ["v1", "v2"]) {
			const folder = join(root, "review-integration", generation, "schemas");
			// Files such as status-v5.schema.later.json are other states of the same $id.
			for (const name of readdirSync(folder).filter((file) => file.endsWith(".schema.json"))) {
				const schema = JSON.parse(readFileSync(join(folder, name), "utf8")) as Schema;
				this.ajv.addSchema(schema);
				const named = schema.properties?.schema?.const;
				if (named !== undefined && !this.idOf.has(named)) this.idOf.set(named, schema.$id);
			}
		}
	}

	private validator(reference: string): ValidateFunction {
		const validate = this.ajv.getSchema(reference);
		if (validate === undefined) throw new Error(`no published schema ${reference}`);
		return validate;
	}

	/** What the published schema says against the document; nothing is the good answer. */
	problems(document: unknown, reference: string): string[] {
		const validate = this.validator(reference);
		if (validate(document)) return [];
		return (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message} ${JSON.stringify(each.params)}`);
	}

	/** What the schema that the document names says against it. */
	problemsOf(document: Named): string[] {
		const name = document.schema ?? document.operation ?? "";
		return this.problems(document, this.parts[name] ?? this.referenceOf(name));
	}

	referenceOf(name: string): string {
		const id = this.idOf.get(name);
		if (id === undefined) throw new Error(`no published schema says ${name}`);
		return id;
	}
}

const OPERATION = (generation: string) =>
	`https://gentle-ai.dev/contracts/review-integration/${generation}/schemas/operation.schema.json`;

/** Shapes that are published inside of others only: where each of the two publishers has them. */
const OUR_PARTS: Parts = {
	"gentle-ai.review-gate-result/v1": `${OPERATION("v1")}#/properties/result/anyOf/1`,
	"review/finalize": `${OPERATION("v2")}#/properties/result/anyOf/0`,
};
const THEIR_PARTS: Parts = {
	"gentle-ai.review-gate-result/v1": `${OPERATION("v1")}#/$defs/validate`,
	"review/finalize": `${OPERATION("v2")}#/$defs/finalize`,
};

/** Answers to calls without a contract, which nobody publishes a schema of. */
const UNPUBLISHED = new Set([
	"review/start",
	"review/recover",
	"gentle-ai.review-authority-status/v1",
	"gentle-ai.review-capture-preflight/v1",
	"gentle-ai.review-mode/v1",
]);

let registries: readonly (readonly [whose: string, registry: SchemaRegistry])[] | undefined;

/** Ours always, theirs where they lie beside this checkout. */
function publishers(): NonNullable<typeof registries> {
	const theirs = MATERIAL_IS_THERE ? [["theirs", new SchemaRegistry(THEIRS, THEIR_PARTS)] as const] : [];
	registries ??= [["ours", new SchemaRegistry(OURS, OUR_PARTS)], ...theirs];
	return registries;
}

type Answer = Named & { readonly result?: { readonly delivery?: string }; readonly delivery?: string };

/** Their operation schema knows one of the two unmanaged deliveries only; the contract's text demands both. */
function isOursAlone(document: Answer): boolean {
	return (document.result ?? document).delivery === "candidate_declined/unmanaged";
}

/** A repository whose every call is checked: one document on stdout, valid under the schema that it names. */
export class CheckedRepo extends TestRepo {
	readonly seen = new Set<string>();
	readonly problems: string[] = [];
	private readonly contract: string;

	/** Whoever drives this repository under the default contract drives it under this one. */
	constructor({ contract = V2, ...options }: RepoOptions & { readonly contract?: string } = {}) {
		super(options);
		this.contract = contract;
	}

	override async run(args: readonly string[], options: CallOptions = {}): Promise<RunResult> {
		const words = args.map((word) => (word === V2 ? this.contract : word));
		return this.check(words.join(" "), await super.run(words, options));
	}

	override async runPrinted(command: string, options: CallOptions = {}): Promise<RunResult> {
		return this.check(command, await super.runPrinted(command, options));
	}

	private check(command: string, result: RunResult): RunResult {
		if (result.stdout === "") return result;
		// Without an envelope FINALIZE also says where the receipt lies; no schema covers a path of this machine.
		const { receipt_path: _, ...document } = result.json<Answer & { receipt_path?: string }>();
		const name = document.schema ?? document.operation ?? "";
		this.seen.add(name);
		if (UNPUBLISHED.has(name)) return result;
		for (const [whose, registry] of publishers()) {
			if (whose === "theirs" && isOursAlone(document)) continue;
			const found = registry.problemsOf(document);
			for (const problem of found) this.problems.push(`${command}: ${whose}: ${name}: ${problem}`);
		}
		return result;
	}
}
