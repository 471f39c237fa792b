// The operations that a failure may name, and which of them change something.
export const OPERATIONS = [
	"review.bind_sdd",
	"review.capabilities",
	"review.finalize",
	"review.repair",
	"review.retry_final_verification",
	"review.start",
	"review.status",
	"review.validate",
] as const;
export type Operation = (typeof OPERATIONS)[number];

const MUTATIONS: readonly Operation[] = [
	"review.start",
	"review.finalize",
	"review.bind_sdd",
	"review.repair",
	"review.retry_final_verification",
];

export function isMutation(operation: Operation): boolean {
	return MUTATIONS.includes(operation);
}
