// The published schemas, read where they lie, each under its own $id. Absent material is said aloud, never assumed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { RunResult } from "./program.ts";
import { type CallOptions, TestRepo } from "./repo.ts";

const shared = resolve(import.meta.dirname, "../../../shared/conformance");

export const MATERIAL_IS_THERE = existsSync(join(shared, "review-integration"));
if (!MATERIAL_IS_THERE) console.warn(`The conformance material is absent (${shared}): its tests are skipped.`);

type Schema = { readonly $id: string; readonly properties?: { readonly schema?: { readonly const?: string } } };

export function readFixture<Document>(name: string): Document {
	return JSON.parse(readFileSync(join(shared, "review-integration", name), "utf8")) as Document;
}

export class SchemaRegistry {
	private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
	private readonly idOf = new Map<string, string>();

	constructor() {
		for (const generation of ["v1", "v2"]) {
			const folder = join(shared, "review-integration", generation, "schemas");
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

	referenceOf(name: string): string {
		const id = this.idOf.get(name);
		if (id === undefined) throw new Error(`no published schema says ${name}`);
		return id;
	}
}

const OPERATION_V1 = "https://gentle-ai.dev/contracts/review-integration/v1/schemas/operation.schema.json";
const OPERATION_V2 = "https://gentle-ai.dev/contracts/review-integration/v2/schemas/operation.schema.json";

/** Published shapes that have no file of their own. */
const PARTS: Readonly<Record<string, string>> = {
	"gentle-ai.review-gate-result/v1": `${OPERATION_V1}#/$defs/validate`,
	"review/finalize": `${OPERATION_V2}#/$defs/finalize`,
};

type Named = { readonly schema?: string; readonly operation?: string };

/** A repository whose every call is checked: one document on stdout, valid under the schema that it names. */
export class CheckedRepo extends TestRepo {
	private readonly registry = new SchemaRegistry();
	readonly seen = new Set<string>();
	readonly problems: string[] = [];

	override async run(args: readonly string[], options: CallOptions = {}): Promise<RunResult> {
		return this.check(args.join(" "), await super.run(args, options));
	}

	override async runPrinted(command: string, options: CallOptions = {}): Promise<RunResult> {
		return this.check(command, await super.runPrinted(command, options));
	}

	private check(command: string, result: RunResult): RunResult {
		if (result.stdout === "") return result;
		const document = result.json<Named>();
		const name = document.schema ?? document.operation ?? "";
		this.seen.add(name);
		const found = this.registry.problems(document, PARTS[name] ?? this.registry.referenceOf(name));
		for (const problem of found) this.problems.push(`${command}: ${name}: ${problem}`);
		return result;
	}
}
