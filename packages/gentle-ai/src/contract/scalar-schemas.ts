// The small schemas that every kept and spoken shape is made of.
import * as Type from "typebox";
import { LIMITS, PATTERNS } from "./limits.ts";

/** No field but the named ones. */
export const closed = { additionalProperties: false } as const;

export const Sha256Schema = Type.String({ pattern: PATTERNS.sha256 });
export const TreeSchema = Type.String({ pattern: PATTERNS.tree });
export const LineageIdSchema = Type.String({ pattern: PATTERNS.lineage, maxLength: LIMITS.lineageIdBytes });
export const NonEmpty = Type.String({ minLength: 1 });
export const Paths = Type.Array(NonEmpty);
export const Count = Type.Integer({ minimum: 0 });
