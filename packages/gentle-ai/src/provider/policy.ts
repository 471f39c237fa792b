// The policy in force when the caller brings none. Its bytes are hashed into every lineage, so a change of this text is
// a change of every new revision.
export const BUILT_IN_POLICY = `gentle-ai built-in review policy 1

Risk is derived from the frozen base and candidate trees alone.
Severe findings that the candidate provably caused must be corrected before approval.
Doubtful severe findings are put to one refuter batch; doubt that remains escalates.
One correction, within the frozen budget and the frozen scope, may follow.
Approval needs verification of exactly the candidate that was reviewed.
`;
