// Committed credentials. The scanner is told to mask, and only places leave this process.
import type { EngineAnswer, EngineFile, EngineRequest, Hit } from "../protocol.ts";
import { lineFinder, loaded, nameAndVersion } from "./load.ts";

const CORE = "@secretlint/core";
const PRESET = "@secretlint/secretlint-rule-preset-recommend";
/** An access key id alone tells that its secret is near; the preset leaves it off. */
const AWS = { id: "@secretlint/secretlint-rule-aws", options: { enableIDScanRule: true } };

const load = async () => {
	const { lintSource } = await loaded(CORE, () => import("@secretlint/core"));
	const preset = await loaded(PRESET, () => import("@secretlint/secretlint-rule-preset-recommend"));
	const config = { rules: [{ id: PRESET, rule: preset.creator, rules: [AWS] }] };
	return { lintSource, config, rules: preset.rules.length };
};

/** Names that switch rules on. Any other name stays here, since a rule may open the file that it is told. */
function harmlessName(path: string): { filePath: string; ext: string } {
	const ext = path.endsWith(".json") ? ".json" : "";
	const known = ["package.json", "package-lock.json", ".npmrc"].find(
		(name) => path === name || path.endsWith(`/${name}`),
	);
	return { filePath: known ?? `file${ext}`, ext };
}

const PLACEHOLDER =
	/^(?:pass(?:word|wd)?|pwd|secret|changeme|change[-_]me|your[-_].*|my[-_]?pass.*|postgres|mysql|root|admin|user(?:name)?|guest|test(?:ing)?|example|dummy|fake|placeholder|x+|\*+|\.+|<.*>|\[.*\]|\{.*\}|\$.*|%.*)$/i;
const LOCAL_HOST =
	/^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|(?:[\w-]+\.)*example(?:\.\w+)?|(?:[\w-]+\.)+(?:test|invalid|localhost))$/i;

/** A URL with a stand-in for a password, or to a host that is nobody's, is shown but blocks nothing. */
function isPlaceholderUrl(text: string): boolean {
	const [, user = "", password = "", host = ""] = /:\/\/([^:@/\s]*):([^@\s]*)@([^:/?#\s"'`]+)/.exec(text) ?? [];
	if (host === "") return false;
	return PLACEHOLDER.test(password) || password === user || LOCAL_HOST.test(host);
}

const UNCERTAIN_KINDS = new Set(["AWSAccountID", "STRIPE_SECRET_KEY_TEST", "STRIPE_RESTRICTED_KEY_TEST"]);

function ruleName(ruleId: string, messageId: string): string {
	const short = ruleId.replace("@secretlint/secretlint-rule-", "");
	return `committed-secret.${`${short}.${messageId}`.replace(/[^A-Za-z0-9._-]/g, "_")}`;
}

type Scan = Awaited<ReturnType<typeof load>>;

async function scan({ lintSource, config }: Scan, file: EngineFile): Promise<Hit[]> {
	const source = { content: file.text, contentType: "text" as const, ...harmlessName(file.path) };
	const { messages } = await lintSource({ source, options: { config, maskSecrets: true, noPhysicFilePath: true } });
	const lineAt = lineFinder(file.text);
	return messages.map(({ ruleId, messageId, range: [start, end] }) => {
		const first = lineAt(start);
		const last = lineAt(Math.max(start, end - 1));
		return {
			file: file.id,
			rule: ruleName(ruleId, messageId),
			lines: Array.from({ length: Math.min(last - first + 1, 200) }, (_, index) => first + index),
			key: [first, last],
			certain: !UNCERTAIN_KINDS.has(messageId) && !isPlaceholderUrl(file.text.slice(start, end)),
		};
	});
}

export async function runSecrets(request: EngineRequest): Promise<EngineAnswer> {
	const scanner = await load();
	const hits: Hit[] = [];
	for (const file of request.files) hits.push(...(await scan(scanner, file)));
	return { ok: true, version: `${nameAndVersion(CORE)}, ${nameAndVersion(PRESET)}`, rules: scanner.rules, hits };
}
