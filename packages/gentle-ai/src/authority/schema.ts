// The tables of the store, and the way from each earlier version to the next.

export const SCHEMA_VERSION = 3;

/** Results that a reopening took out of their slots, under the revision that it took them from. */
const QUARANTINE = `
CREATE INDEX endings_by_predecessor ON endings (predecessor);
CREATE TABLE quarantined_results (
	lineage_id TEXT NOT NULL REFERENCES lineages ON DELETE CASCADE,
	previous_revision TEXT NOT NULL,
	selected_order INTEGER NOT NULL,
	lens TEXT NOT NULL,
	envelope TEXT NOT NULL,
	raw BLOB NOT NULL,
	raw_sha256 TEXT NOT NULL,
	PRIMARY KEY (lineage_id, previous_revision, selected_order)
) STRICT;
`;

export const SCHEMA = `
CREATE TABLE lineages (
	lineage_id TEXT PRIMARY KEY,
	revision TEXT NOT NULL,
	state_json TEXT NOT NULL,
	state TEXT NOT NULL,
	lifecycle TEXT NOT NULL,
	base_tree TEXT NOT NULL,
	candidate_tree TEXT NOT NULL,
	frozen_json TEXT NOT NULL,
	pack_name TEXT,
	receipt_bytes TEXT,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	paths_digest TEXT NOT NULL DEFAULT '',
	predecessor TEXT
) STRICT;
CREATE INDEX lineages_by_target ON lineages (base_tree, candidate_tree);
CREATE INDEX lineages_by_candidate ON lineages (candidate_tree);
CREATE INDEX lineages_by_pack ON lineages (pack_name);
CREATE INDEX lineages_by_scope ON lineages (base_tree, paths_digest);
CREATE UNIQUE INDEX lineages_by_predecessor ON lineages (predecessor);
CREATE TABLE results (
	lineage_id TEXT NOT NULL REFERENCES lineages ON DELETE CASCADE,
	selected_order INTEGER NOT NULL,
	envelope TEXT NOT NULL,
	raw BLOB NOT NULL,
	raw_sha256 TEXT NOT NULL,
	PRIMARY KEY (lineage_id, selected_order)
) STRICT;
CREATE TABLE evidence (
	lineage_id TEXT NOT NULL REFERENCES lineages ON DELETE CASCADE,
	authority_revision TEXT NOT NULL,
	target_identity TEXT NOT NULL,
	record_json TEXT NOT NULL,
	payload BLOB NOT NULL,
	PRIMARY KEY (lineage_id, authority_revision, target_identity)
) STRICT;
CREATE TABLE transitions (
	lineage_id TEXT NOT NULL,
	position INTEGER NOT NULL,
	operation TEXT NOT NULL,
	revision TEXT NOT NULL,
	recorded_at TEXT NOT NULL,
	PRIMARY KEY (lineage_id, position)
) STRICT;
CREATE TABLE attempts (
	lineage_id TEXT NOT NULL REFERENCES lineages ON DELETE CASCADE,
	position INTEGER NOT NULL,
	request_json TEXT NOT NULL,
	revisions_json TEXT NOT NULL,
	PRIMARY KEY (lineage_id, position)
) STRICT;
CREATE TABLE declines (
	target_identity TEXT PRIMARY KEY,
	base_tree TEXT NOT NULL,
	candidate_tree TEXT NOT NULL,
	record TEXT NOT NULL
) STRICT;
CREATE INDEX declines_by_target ON declines (base_tree, candidate_tree);
CREATE TABLE endings (
	lineage_id TEXT NOT NULL,
	revision TEXT NOT NULL,
	reason TEXT NOT NULL,
	state_json TEXT NOT NULL,
	ended_at TEXT NOT NULL,
	predecessor TEXT,
	disposition TEXT,
	authorization TEXT,
	PRIMARY KEY (lineage_id, revision)
) STRICT;
${QUARANTINE}`;

/** From each earlier version to the next. What an older version kept stays readable, and stays. */
export const MIGRATIONS: Readonly<Record<number, string>> = {
	1: `
ALTER TABLE lineages ADD COLUMN paths_digest TEXT NOT NULL DEFAULT '';
ALTER TABLE lineages ADD COLUMN predecessor TEXT;
UPDATE lineages SET paths_digest = coalesce(json_extract(state_json, '$.initial_snapshot.paths_digest'), '')
	WHERE json_valid(state_json);
CREATE INDEX lineages_by_scope ON lineages (base_tree, paths_digest);
CREATE UNIQUE INDEX lineages_by_predecessor ON lineages (predecessor);
CREATE TABLE attempts (
	lineage_id TEXT NOT NULL REFERENCES lineages ON DELETE CASCADE,
	position INTEGER NOT NULL,
	request_json TEXT NOT NULL,
	revisions_json TEXT NOT NULL,
	PRIMARY KEY (lineage_id, position)
) STRICT;
`,
	2: `
ALTER TABLE endings ADD COLUMN predecessor TEXT;
ALTER TABLE endings ADD COLUMN disposition TEXT;
ALTER TABLE endings ADD COLUMN authorization TEXT;
UPDATE endings SET predecessor = json_extract(state_json, '$.recovery.predecessor_lineage_id'),
	disposition = json_extract(state_json, '$.recovery.disposition') WHERE json_valid(state_json);
${QUARANTINE}`,
};
