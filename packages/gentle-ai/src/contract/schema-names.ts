// The names under which `gentle-ai review schema` prints a schema. Apart from the schemas, so that a name costs nothing.
export const SCHEMA_NAMES = [
	"reviewer",
	"refuter",
	"validator",
	"verification-evidence",
	"verification-evidence-record",
	"final-verification-incident",
] as const;
export type SchemaName = (typeof SCHEMA_NAMES)[number];
