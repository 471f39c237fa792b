// The forms and the bounds of the contract, one definition each.

export const PATTERNS = {
	sha256: "^sha256:[0-9a-f]{64}$",
	tree: "^[0-9a-f]{40}(?:[0-9a-f]{24})?$",
	lineage: "^[a-z0-9]+(?:-[a-z0-9]+)*$",
	mode: "^[0-7]{6}$",
	findingId: "^R[1-4]-[A-Za-z0-9][A-Za-z0-9._-]*$",
	repositoryContext: "^rctx1_[0-9a-f]{64}$",
	artifactReference: "^rart1_[0-9a-f]{64}$",
	/** What no name, reason or authorization line may hold. */
	controlOrSeparator: "[\\p{Cc}\\u2028\\u2029]",
} as const;

const MIB = 1024 * 1024;

export const LIMITS = {
	/** Authored lines above which a change is large; exactly this many is not. */
	largeChangeLines: 400,
	correctionBudget: 200,
	lineageIdBytes: 128,
	derivedLineageHexDigits: 16,
	derivedLineageSuffix: 64,
	reviewerPayloadBytes: 4 * MIB,
	reviewerPayloadDepth: 64,
	verificationPayloadBytes: 4 * MIB,
	policyBytes: 4 * MIB,
	incidentBytes: 16 * 1024,
	/** Reviews that one listing names. */
	listedReviews: 256,
	manifestBytes: 4 * MIB,
	/** Raw bytes of the patch of contract v1; a third more as Base64. */
	candidateDiffBytes: 4 * MIB,
	contentScanBytes: 8 * MIB,
	gitStdoutBytes: 8 * MIB,
	gitStderrBytes: 64 * 1024,
	/** Patches are counted while they stream and never held, so this bounds time, not memory. */
	patchStreamBytes: 1024 * MIB,
	operationMs: 25_000,
	gitChildMs: 15_000,
	gitRemoteChildMs: 20_000,
	gitWaitAfterCancelMs: 1_000,
	startLockWaitMs: 2_000,
	/** A probe may hold the lock for an instant, so even a mutator that should not wait does wait this long. */
	shortLockWaitMs: 250,
	diagnosticLocationBytes: 256,
	diagnosticFindingIdBytes: 128,
	failureMessageChars: 240,
	failureCauseChars: 4_000,
	boundedValueChars: 80,
	/** The bytes in which Git looks for a NUL before it calls a file binary. */
	binarySniffBytes: 8_000,
	/** Larger text gets text rules only from the static reviewer. */
	parsedFileBytes: MIB,
} as const;
