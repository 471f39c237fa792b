// The check of what an analyser's process answers: it has read hostile text, so its words are not taken on trust.
import * as Type from "typebox";

const closed = { additionalProperties: false } as const;
const Line = Type.Integer({ minimum: 1 });

const HitSchema = Type.Object(
	{
		file: Type.Integer({ minimum: 0 }),
		rule: Type.String({ pattern: "^[a-z-]+\\.[A-Za-z0-9._-]+$" }),
		lines: Type.Array(Line, { minItems: 1 }),
		key: Type.Tuple([Line, Line]),
		certain: Type.Boolean(),
	},
	closed,
);

export const EngineAnswerSchema = Type.Union([
	Type.Object(
		{
			ok: Type.Literal(true),
			version: Type.String(),
			rules: Type.Integer({ minimum: 0 }),
			hits: Type.Array(HitSchema),
		},
		closed,
	),
	Type.Object({ ok: Type.Literal(false), missing: Type.String({ minLength: 1 }) }, closed),
]);
