// The codecs, one a contract.
import type { ContractName } from "../vocabulary.ts";
import { v1 } from "./v1/render.ts";
import { v2 } from "./v2/render.ts";

export function codecOf(contract: ContractName) {
	return contract === "gentle-ai.review-integration/v1" ? v1 : v2;
}
