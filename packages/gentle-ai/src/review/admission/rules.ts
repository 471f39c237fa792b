// Every way in which a result is refused, one row a rule of the published admission table.

export type Decision = "incomplete" | "ambiguous" | "out_of_scope" | "binding_mismatch";

/** Every way in which a result is refused; `check` is the row of the published admission table. */
export const ADMISSION_RULES = {
	empty_result: { check: 1, decision: "incomplete", rule: "the answer must not be empty" },
	nested_envelope: { check: 2, decision: "incomplete", rule: "the answer must not be wrapped in a task envelope" },
	payload_too_large: { check: 3, decision: "incomplete", rule: "the answer must fit in 4 MiB" },
	payload_not_utf8: { check: 3, decision: "incomplete", rule: "the answer must be UTF-8 text" },
	no_object: { check: 4, decision: "incomplete", rule: "the answer must hold one JSON object" },
	unterminated_object: { check: 4, decision: "incomplete", rule: "the JSON object must be closed" },
	several_objects: { check: 4, decision: "ambiguous", rule: "the answer must hold exactly one JSON object" },
	invalid_json: { check: 5, decision: "incomplete", rule: "the object must be strict JSON" },
	unknown_field_or_type: { check: 5, decision: "incomplete", rule: "only the published fields, each of its type" },
	findings_missing: { check: 6, decision: "incomplete", rule: "findings must be an array" },
	evidence_missing: { check: 6, decision: "incomplete", rule: "evidence must be an array" },
	subject_hash_missing: { check: 7, decision: "incomplete", rule: "subject_hash must be echoed" },
	subject_hash_mismatch: { check: 8, decision: "binding_mismatch", rule: "subject_hash must be the one of this slot" },
	inspection_not_completed: { check: 10, decision: "incomplete", rule: "inspection.status must be completed" },
	inspection_path_invalid: {
		check: 11,
		decision: "out_of_scope",
		rule: "inspection.paths must be canonical repository paths, each once",
	},
	inspection_paths_missing: {
		check: 12,
		decision: "incomplete",
		rule: "inspection.paths must name every path of the frozen manifest",
	},
	inspection_paths_foreign: {
		check: 13,
		decision: "out_of_scope",
		rule: "inspection.paths must name no path outside the frozen manifest",
	},
	evidence_empty: { check: 14, decision: "incomplete", rule: "evidence must hold at least one string" },
	evidence_sentinel: { check: 14, decision: "incomplete", rule: "an evidence string must say what was inspected" },
	severity_invalid: { check: 14, decision: "incomplete", rule: "severity must be one of the four" },
	claim_missing: { check: 14, decision: "incomplete", rule: "a finding must claim something" },
	location_missing: { check: 14, decision: "incomplete", rule: "a finding must have a location" },
	proof_missing: { check: 14, decision: "incomplete", rule: "a finding must have at least one proof" },
	proof_sentinel: { check: 14, decision: "incomplete", rule: "a proof must say where it is" },
	finding_lens_mismatch: { check: 14, decision: "incomplete", rule: "a finding's lens must be the selected one" },
	evidence_class_invalid: { check: 14, decision: "incomplete", rule: "evidence_class must be one of the three" },
	causal_disposition_invalid: {
		check: 14,
		decision: "incomplete",
		rule: "causal_disposition must be one of the six",
	},
	lens_mismatch: { check: 15, decision: "binding_mismatch", rule: "lens must be the selected one, or absent" },
	finding_id_invalid: {
		check: 15,
		decision: "binding_mismatch",
		rule: "a finding id must be R1 to R4, a dash, and letters, digits, dots, dashes or underscores",
	},
	finding_id_foreign: { check: 15, decision: "binding_mismatch", rule: "a finding id must carry its lens's prefix" },
	severe_without_class: {
		check: 16,
		decision: "incomplete",
		rule: "a BLOCKER or CRITICAL finding must state its evidence_class",
	},
	severe_without_disposition: {
		check: 16,
		decision: "incomplete",
		rule: "a BLOCKER or CRITICAL finding must state its causal_disposition",
	},
	inspection_unavailable: {
		check: 17,
		decision: "incomplete",
		rule: "the evidence must say more than that the candidate could not be inspected",
	},
	finding_id_repeated: { check: 19, decision: "ambiguous", rule: "finding ids must be unique" },
	location_invalid: {
		check: 20,
		decision: "out_of_scope",
		rule: "a location must be <path>:<line> or <path>:<start>-<end>",
	},
	location_outside: { check: 21, decision: "out_of_scope", rule: "a location must be in a path of the manifest" },
	causality_unproven: {
		check: 23,
		decision: "out_of_scope",
		rule: "a severe claim against the candidate must sit on lines that the candidate changed",
	},
} as const satisfies Record<string, { check: number; decision: Decision; rule: string }>;

export type AdmissionCode = keyof typeof ADMISSION_RULES;
