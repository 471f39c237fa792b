// A strict reader for JSON from outside. The platform's parser lets through what a review must refuse: repeated keys
// (the last one wins silently), `__proto__`, numbers that do not survive, lone surrogates, unbounded depth.

export type StrictJsonProblem = { readonly pointer: string; readonly rule: string };
export type StrictJsonResult =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly problem: StrictJsonProblem };

class Refusal extends Error {
	readonly problem: StrictJsonProblem;
	constructor(pointer: string, rule: string) {
		super(rule);
		this.problem = { pointer, rule };
	}
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const WORDS = { true: true, false: false, null: null } as const;
const ESCAPES: Readonly<Record<string, string>> = {
	'"': '"',
	"\\": "\\",
	"/": "/",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "\t",
};

class Reader {
	private at = 0;
	private readonly text: string;
	private readonly maxDepth: number;

	constructor(text: string, maxDepth: number) {
		this.text = text;
		this.maxDepth = maxDepth;
	}

	document(): unknown {
		const value = this.value("", 0);
		this.space();
		if (this.at < this.text.length) throw new Refusal("", "one JSON value, nothing after it");
		return value;
	}

	private space(): void {
		SPACE.lastIndex = this.at;
		SPACE.test(this.text);
		this.at = SPACE.lastIndex;
	}

	private value(pointer: string, depth: number): unknown {
		if (depth > this.maxDepth) throw new Refusal(pointer, `at most ${this.maxDepth} levels deep`);
		this.space();
		const char = this.text[this.at];
		if (char === "{") return this.object(pointer, depth);
		if (char === "[") return this.array(pointer, depth);
		if (char === '"') return this.string(pointer);
		for (const [word, value] of Object.entries(WORDS)) {
			if (this.text.startsWith(word, this.at)) {
				this.at += word.length;
				return value;
			}
		}
		return this.number(pointer);
	}

	private number(pointer: string): number {
		NUMBER.lastIndex = this.at;
		const match = NUMBER.exec(this.text);
		if (match === null) throw new Refusal(pointer, "well-formed JSON");
		this.at = NUMBER.lastIndex;
		const value = Number(match[0]);
		if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
			throw new Refusal(pointer, "numbers that a double keeps exactly");
		}
		return value;
	}

	private string(pointer: string): string {
		this.at += 1;
		let value = "";
		for (;;) {
			PLAIN.lastIndex = this.at;
			PLAIN.test(this.text);
			value += this.text.slice(this.at, PLAIN.lastIndex);
			this.at = PLAIN.lastIndex;
			const char = this.text[this.at];
			if (char === '"') {
				this.at += 1;
				if (!value.isWellFormed()) throw new Refusal(pointer, "text without lone surrogates");
				return value;
			}
			if (char !== "\\") throw new Refusal(pointer, "well-formed JSON");
			value += this.escape(pointer);
		}
	}

	private escape(pointer: string): string {
		const kind = this.text[this.at + 1] ?? "";
		if (kind === "u") {
			const hex = this.text.slice(this.at + 2, this.at + 6);
			if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new Refusal(pointer, "well-formed JSON");
			this.at += 6;
			return String.fromCharCode(Number.parseInt(hex, 16));
		}
		const plain = ESCAPES[kind];
		if (plain === undefined) throw new Refusal(pointer, "well-formed JSON");
		this.at += 2;
		return plain;
	}

	private array(pointer: string, depth: number): unknown[] {
		this.at += 1;
		const items: unknown[] = [];
		this.space();
		if (this.text[this.at] === "]") {
			this.at += 1;
			return items;
		}
		for (;;) {
			items.push(this.value(`${pointer}/${items.length}`, depth + 1));
			if (this.closes("]", pointer)) return items;
		}
	}

	private object(pointer: string, depth: number): Record<string, unknown> {
		this.at += 1;
		const fields = new Map<string, unknown>();
		this.space();
		if (this.text[this.at] === "}") {
			this.at += 1;
			return {};
		}
		for (;;) {
			this.space();
			if (this.text[this.at] !== '"') throw new Refusal(pointer, "well-formed JSON");
			const key = this.string(pointer);
			const place = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
			if (key === "__proto__") throw new Refusal(place, "no key named __proto__");
			if (fields.has(key)) throw new Refusal(place, "every key once");
			this.space();
			if (this.text[this.at] !== ":") throw new Refusal(place, "well-formed JSON");
			this.at += 1;
			fields.set(key, this.value(place, depth + 1));
			if (this.closes("}", pointer)) return Object.fromEntries(fields);
		}
	}

	private closes(bracket: string, pointer: string): boolean {
		this.space();
		const char = this.text[this.at];
		this.at += 1;
		if (char === bracket) return true;
		if (char === ",") return false;
		throw new Refusal(pointer, "well-formed JSON");
	}
}

/** Reads exactly one JSON value; `problem.pointer` is a JSON pointer to what broke `problem.rule`. */
export function readStrictJson(text: string, maxDepth: number): StrictJsonResult {
	try {
		return { ok: true, value: new Reader(text, maxDepth).document() };
	} catch (error) {
		if (error instanceof Refusal) return { ok: false, problem: error.problem };
		throw error;
	}
}
