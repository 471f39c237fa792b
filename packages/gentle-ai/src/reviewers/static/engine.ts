// The entry of an analyser's own process: `node engine <name>`, a request on stdin, one answer on stdout. The analyser's
// packages are imported here and only here, so that the authority starts without them.
import { MissingPackage } from "./engines/load.ts";
import type { EngineAnswer, EngineName, EngineRequest } from "./protocol.ts";

type Run = (request: EngineRequest) => Promise<EngineAnswer>;

const ENGINES: Readonly<Record<EngineName, () => Promise<Run>>> = {
	secrets: async () => (await import("./engines/secrets.ts")).runSecrets,
	oxlint: async () => (await import("./engines/oxlint.ts")).runOxlint,
	ast: async () => (await import("./engines/ast.ts")).runAst,
	text: async () => (await import("./engines/text.ts")).runText,
};

async function readRequest(): Promise<EngineRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of process.stdin) chunks.push(chunk);
	return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

async function answer(name: string): Promise<EngineAnswer> {
	const load = Object.hasOwn(ENGINES, name) ? ENGINES[name as EngineName] : undefined;
	if (load === undefined) throw new Error(`no engine is called ${name}`);
	try {
		const run = await load();
		return await run(await readRequest());
	} catch (error) {
		if (error instanceof MissingPackage) return { ok: false, missing: error.package };
		throw error;
	}
}

process.stdout.write(JSON.stringify(await answer(process.argv[2] ?? "")));
