// Opaque repository contexts: a handle that a reviewer may hold leads back to one revision of one lineage. The locator
// lies under the user's home and is written only by the operation that made the revision.
import { join } from "node:path";
import { canonicalJson } from "../contract/canonical.ts";
import { keptShape } from "../contract/check.ts";
import { repositoryContextHandle, repositoryIdentity } from "../contract/handles.ts";
import type { Locator } from "../contract/local-schemas.ts";
import type { RepositoryLocation } from "../contract/state.ts";
import { publishImmutable, readRegularFile } from "./files.ts";

const LOCATOR_BYTES = 64 * 1024;

function locatorPath(home: string, handle: string): string {
	return join(home, ".gentle-ai", "review-contexts", "v1", `${handle}.json`);
}

export type ContextBinding = {
	readonly lineage_id: string;
	readonly target_identity: string;
	readonly revision: string;
};

export function contextHandle(location: RepositoryLocation, binding: ContextBinding): string {
	return repositoryContextHandle({ ...binding, repository_identity: repositoryIdentity(location) });
}

export function publishContext(home: string, location: RepositoryLocation, binding: ContextBinding): string {
	const handle = contextHandle(location, binding);
	const { lineage_id, target_identity, revision } = binding;
	const locator = {
		schema: "gentle-ai.review-repository-context/v1",
		lineage_id,
		target_identity,
		revision,
		...location,
	};
	publishImmutable(
		join(home, ".gentle-ai", "staging"),
		locatorPath(home, handle),
		`${canonicalJson(locator)}\n`,
		0o600,
	);
	return handle;
}

/** The repository behind a handle; undefined when nobody on this machine issued it, or its file was tampered with. */
export function resolveContext(home: string, handle: string): Locator | undefined {
	try {
		const bytes = readRegularFile(locatorPath(home, handle), LOCATOR_BYTES);
		if (bytes === undefined) return undefined;
		const locator = keptShape("Locator", JSON.parse(bytes.toString("utf8")));
		if (locator === undefined) return undefined;
		const { repository_root, git_common_dir, git_dir } = locator;
		return contextHandle({ repository_root, git_common_dir, git_dir }, locator) === handle ? locator : undefined;
	} catch {
		return undefined;
	}
}
